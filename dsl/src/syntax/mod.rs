//! From text to syntax tree and back.

// Trees live briefly; boxes would only hide their shape.
#[allow(clippy::large_enum_variant)]
pub mod ast;
pub(crate) mod kept;
pub mod layout;
pub mod parse;
pub(crate) mod placed;
pub mod print;
pub(crate) mod reserved;
