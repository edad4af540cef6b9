//! What operations did to which place, and which of two overlays do not go together.

use crate::ir::LayerId;
use crate::source::Span;

/// One operation of one layer.
#[derive(Clone, Debug)]
pub(super) struct Deed {
    pub layer: LayerId,
    pub span: Span,
}
