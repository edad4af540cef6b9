//! Editor.
