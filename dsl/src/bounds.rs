//! Bounds of what a rule set may be. What is told where one is met stands in `docs/language.md`; a test compares.

/// Seats at a table; they are named by the letters A to Z.
pub const SEATS_MAX: u32 = 26;
/// Rows that the lines of one `rows … for` come to.
pub const ROWS_MAX: usize = 1 << 14;
/// Copies of one row.
pub const COPIES_MAX: i32 = 1 << 20;
/// Parameters one action may have: a running body knows of each, by a bit, whether its caller gave it.
pub const PARAMS_MAX: usize = 24;
/// Terms a formula may have with all the formulas it uses written out.
pub const WRITTEN_OUT_MAX: u64 = 50_000;
/// Levels of brackets, operators and formulas that a formula may have with all the formulas it uses written out.
pub const WRITTEN_DEPTH_MAX: u32 = 600;

/// Operations of overlays that keep what a thing was, one around the other.
pub const KEPT_OPERATIONS_MAX: usize = 64;
/// Bytes such a thing may come to with every `original` written out; before the first it counts as large as the largest file.
pub const KEPT_BYTES_MAX: u64 = 1 << 23;
/// What one `for` of a board goes through.
pub const SHOWN_MAX: usize = 1 << 14;

/// All of them by name, for the reference.
pub const ALL: &[(&str, i64)] = &[
    ("SEATS_MAX", SEATS_MAX as i64),
    ("ROWS_MAX", ROWS_MAX as i64),
    ("COPIES_MAX", COPIES_MAX as i64),
    ("PARAMS_MAX", PARAMS_MAX as i64),
    ("WRITTEN_OUT_MAX", WRITTEN_OUT_MAX as i64),
    ("WRITTEN_DEPTH_MAX", WRITTEN_DEPTH_MAX as i64),
    ("KEPT_OPERATIONS_MAX", KEPT_OPERATIONS_MAX as i64),
    ("KEPT_BYTES_MAX", KEPT_BYTES_MAX as i64),
    ("SHOWN_MAX", SHOWN_MAX as i64),
];
