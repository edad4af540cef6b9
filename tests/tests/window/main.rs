//! The window, driven and drawn without a screen.

mod board;
mod hands;
mod laboratory;
mod looks;
mod play;
mod rules;
mod table;
mod whole;
