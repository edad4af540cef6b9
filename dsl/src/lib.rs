//! Rules text and component tables in, a checked rule set and diagnostics out.
