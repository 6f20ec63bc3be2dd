//! The space that is left free, and the space that headings take.

/// Around the picture.
pub(super) const MARGIN: i64 = 24;
/// The space that a figure's name takes.
pub(super) const HEADING: i64 = 34;
/// Between two figures.
pub(super) const APART: i64 = 48;
