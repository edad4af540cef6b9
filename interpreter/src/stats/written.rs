//! Numbers as text: the same on every machine.

use super::Estimate;

/// `12345` with 3 decimals: `12.345`.
pub fn decimal(value: i64, decimals: u32) -> String {
    let unit = 10u64.pow(decimals);
    let sign = if value < 0 { "-" } else { "" };
    let value = value.unsigned_abs();
    let (whole, rest) = (value / unit, value % unit);
    if decimals == 0 {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{rest:0width$}", width = decimals as usize)
}

/// A number that has so many decimals, with one of them; halves away from zero.
pub fn tenths(value: i64, decimals: u32) -> String {
    let Some(more) = decimals.checked_sub(1) else {
        return decimal(value, 0);
    };
    let unit = 10i64.pow(more);
    let rounded = (value.abs() + unit / 2) / unit;
    decimal(if value < 0 { -rounded } else { rounded }, 1)
}

/// `12,345`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 game`, `2,000 games`
pub fn count(number: impl TryInto<u64>, what: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {what}{ending}", grouped(number))
}

impl Estimate {
    /// `54.9 to 61.0`; it has so many decimals.
    pub fn within(&self, decimals: u32) -> String {
        let [low, high] = [self.low, self.high].map(|end| tenths(end, decimals));
        format!("{low} to {high}")
    }

    /// `58.0 % (54.9 to 61.0)`: a share in hundredths of a percent.
    pub fn percent(&self) -> String {
        format!("{} % ({})", tenths(self.value, 2), self.within(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_keep_their_zeros_and_sign() {
        assert_eq!(decimal(12_345, 3), "12.345");
        assert_eq!(decimal(-5, 3), "-0.005");
        assert_eq!(decimal(70, 1), "7.0");
        assert_eq!(decimal(-3, 0), "-3");
        assert_eq!(tenths(12_350, 3), "12.4");
        assert_eq!(tenths(-49, 3), "0.0");
        assert_eq!(tenths(5_849, 2), "58.5");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(count(1u64, "game"), "1 game");
        assert_eq!(count(2_000usize, "game"), "2,000 games");
    }
}
