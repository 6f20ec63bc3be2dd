//! What is left free, and what headings take.

/// Around the picture.
pub(super) const MARGIN: i64 = 24;
/// What a figure's name takes.
pub(super) const HEADING: i64 = 34;
/// Between two figures.
pub(super) const APART: i64 = 48;
