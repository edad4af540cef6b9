//! The language service: what an editor asks about texts. Colours, outline, documentation, completion, definitions, uses,
//! renames, fixes. Pure: texts and compilations in, values out; everything that changes a text comes back as [`Edit`]s.
//!
//! All questions take byte offsets and work on half-typed text: [`crate::Compiled`] keeps what could be understood, and where
//! the declaration under the cursor does not parse, the words around it are looked at.

mod complete;
mod definition;
mod edit;
mod fixes;
mod holes;
mod hover;
mod outline;
mod place;
mod references;
mod rename;
mod said;
mod scope;
mod sections;
mod snippets;
mod stub;
mod tokens;
mod words;

pub use complete::{Completion, CompletionKind, complete};
pub use definition::{Role, Target, definition};
pub use edit::{Edit, apply, sorted};
pub use fixes::{Fix, all_fixes, brought, fixes};
pub use hover::{Hover, hover};
pub use outline::{Kind, OutlineItem, outline};
pub use place::symbol_at;
pub use references::references;
pub use rename::rename;
pub use stub::overlay_stub;
pub use tokens::{Language, TokenKind, line_tokens, tokens};
pub use words::{Place, WORDS, Word};
