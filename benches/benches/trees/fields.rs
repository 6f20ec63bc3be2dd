//! A blackboard of bonsai-bt whose values are fields: as fast as one can be there.

use bt_benches::trees::Body;

use crate::bonsai::Board;

/// Values that have no names while the tree runs.
pub(crate) struct Fields {
    target: i64,
    range: f64,
}

impl Board for Fields {
    fn filled() -> Fields {
        Fields {
            target: Body::TARGET,
            range: Body::RANGE,
        }
    }

    fn target(&self) -> Option<i64> {
        Some(self.target)
    }

    fn range(&self) -> Option<f64> {
        Some(self.range)
    }
}
