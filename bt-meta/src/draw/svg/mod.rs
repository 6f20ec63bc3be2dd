//! A picture of its own: boxes, and lines from each to those below it.

mod card;
mod escaped;
mod marks;
mod measure;
mod placed;
mod space;
mod style;
mod tidy;

use std::collections::BTreeMap;

use super::figure::Figure;
use super::options::{Direction, Mark};
use escaped::Escaped as _;
use placed::Placed;
use space::{APART, HEADING, MARGIN};

/// With `max_width` it is shown smaller where it is wider, so that it fits a page.
pub(super) fn draw(figures: &[Figure], direction: Direction, max_width: Option<u32>) -> String {
    let mut body = String::new();
    let (mut widest, mut y) = (0, MARGIN);
    for (at, figure) in figures.iter().enumerate() {
        let placed = Placed::of(figure, direction);
        if at > 0 {
            y += APART;
        }
        placed.draw(at, y, &BTreeMap::new(), &mut body);
        y += HEADING + placed.height;
        let heading = measure::width(&placed.heading(), 17);
        widest = widest.max(placed.width).max(heading);
    }
    let name = figures.first().map_or("", |figure| &figure.name);
    whole((widest, y), max_width, name, &(style::sheet() + &body))
}

/// One figure with marks around its nodes, the number of which is its own on a page.
pub(super) fn draw_marked(
    figure: &Figure,
    direction: Direction,
    marks: &BTreeMap<u32, Mark>,
    number: usize,
) -> String {
    let placed = Placed::of(figure, direction);
    let mut body = style::sheet() + marks::SHEET;
    placed.draw(number, MARGIN, marks, &mut body);
    let width = placed.width.max(measure::width(&placed.heading(), 17));
    let size = (width, MARGIN + HEADING + placed.height);
    whole(size, None, &figure.name, &body)
}

/// The picture around what is drawn. `size`: where that ends.
fn whole(size: (i64, i64), max_width: Option<u32>, name: &str, body: &str) -> String {
    let (width, height) = (size.0 + 2 * MARGIN, size.1 + MARGIN);
    let shown = max_width.map_or(width, |most| width.min(i64::from(most)));
    let shown_height = (height * shown + width - 1) / width;
    let name = name.escaped();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"bt\" viewBox=\"0 0 {width} {height}\" width=\"{shown}\" \
         height=\"{shown_height}\" role=\"img\">\n<title>{name}</title>\n{body}</svg>\n",
    )
}
