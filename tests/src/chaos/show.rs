//! A case as a person reads it.

use std::fmt;

use super::{Chaos, Quirk};

impl fmt::Display for Chaos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.case)?;
        for script in self.case.scripts() {
            writeln!(
                f,
                "`{}` replies {:?}, does {:?}",
                script.name, script.replies, script.act
            )?;
        }
        for Quirk {
            who,
            when,
            nth,
            deed,
        } in &self.quirks
        {
            match nth {
                0 => writeln!(f, "every {when:?} of `{who}`: {deed:?}")?,
                nth => writeln!(f, "{when:?} {nth} of `{who}`: {deed:?}")?,
            }
        }
        let ops: Vec<_> = self.ops.iter().map(|op| format!("{op:?}")).collect();
        writeln!(f, "{}; at the end: {:?}", ops.join(", "), self.end)
    }
}
