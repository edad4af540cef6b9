//! Runs any rule set.
