//! What the original's editor does not take.

use super::*;
use bt_core::tree::asset::spec::guard;

#[test]
fn original_editor_lint_reports_kinds_attachments_arguments_and_weights() {
    let chances = |weights: [f64; 2]| {
        let weights = serde_json::json!(weights);
        over("probility", [go_to(), go_to()]).extra("prob", weights)
    };
    table(
        Code::OriginalEditor,
        [
            (
                over("timeout", [go_to()]).extra("seconds", 5),
                &["t 1 type"],
            ),
            (go_to().guard(guard("is_alert")), &["t 1 extra"]),
            (shout(), &["t 1 action_args"]),
            (chances([0.5, 1.0]), &["t 1 prob"]),
            (chances([2.0, 1.0]), &[]),
            (over("sequence", [go_to(), go_to()]), &[]),
        ],
    );
}
