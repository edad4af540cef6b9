//! What is allowed and probably not meant.

use super::Checker;

impl Checker<'_> {
    pub(super) fn lints(&mut self) {}
}
