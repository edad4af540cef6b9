//! The arithmetic of the language: whole numbers from [`LEAST`] to [`GREATEST`], and nothing that wraps round.

/// The least number. The two words below it stand for what is no number: `none`, and what is not seen.
pub const LEAST: i32 = i32::MIN + 2;
/// The greatest number.
pub const GREATEST: i32 = i32::MAX;

/// Why an operation comes to no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoNumber {
    TooLarge,
    TooSmall,
    DividedByZero,
}

impl NoNumber {
    /// What is told where it happens.
    pub fn message(self) -> &'static str {
        match self {
            NoNumber::TooLarge => "a number became too large: the greatest is 2147483647",
            NoNumber::TooSmall => "a number became too small: the least is -2147483646",
            NoNumber::DividedByZero => "division by zero",
        }
    }
}

/// The number, if the language has it.
#[inline]
pub fn number(value: i64) -> Result<i32, NoNumber> {
    match i32::try_from(value) {
        Ok(number) if number >= LEAST => Ok(number),
        _ if value < 0 => Err(NoNumber::TooSmall),
        _ => Err(NoNumber::TooLarge),
    }
}

#[inline]
pub fn add(a: i32, b: i32) -> Result<i32, NoNumber> {
    number(i64::from(a) + i64::from(b))
}

#[inline]
pub fn subtract(a: i32, b: i32) -> Result<i32, NoNumber> {
    number(i64::from(a) - i64::from(b))
}

#[inline]
pub fn multiply(a: i32, b: i32) -> Result<i32, NoNumber> {
    number(i64::from(a) * i64::from(b))
}

#[inline]
pub fn negate(a: i32) -> Result<i32, NoNumber> {
    number(-i64::from(a))
}

/// `a / b` rounds down, also where one of them is negative.
#[inline]
pub fn divide(a: i32, b: i32) -> Result<i32, NoNumber> {
    if b == 0 {
        return Err(NoNumber::DividedByZero);
    }
    let (a, b) = (i64::from(a), i64::from(b));
    number(a / b - i64::from(a % b != 0 && (a < 0) != (b < 0)))
}

/// `a % b` is what `b * (a / b)` lacks of `a`, so it has the sign of `b`.
#[inline]
pub fn remainder(a: i32, b: i32) -> Result<i32, NoNumber> {
    let quotient = divide(a, b)?;
    number(i64::from(a) - i64::from(b) * i64::from(quotient))
}

/// Adds up numbers, in any order: only what they come to in the end has to be a number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum(i128);

impl Sum {
    /// Adds a number so many times.
    #[inline]
    pub fn add(&mut self, value: i32, times: i32) {
        self.0 += i128::from(i64::from(value) * i64::from(times));
    }

    #[inline]
    pub fn total(self) -> Result<i32, NoNumber> {
        match i64::try_from(self.0) {
            Ok(total) => number(total),
            Err(_) if self.0 < 0 => Err(NoNumber::TooSmall),
            Err(_) => Err(NoNumber::TooLarge),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down_and_the_remainder_is_what_is_left() {
        for a in -20..=20 {
            for b in (-7..=7).filter(|b| *b != 0) {
                let (quotient, left) = (divide(a, b).unwrap(), remainder(a, b).unwrap());
                assert_eq!(f64::from(quotient), (f64::from(a) / f64::from(b)).floor());
                assert_eq!(b * quotient + left, a);
                assert!(left == 0 || (left < 0) == (b < 0) && left.abs() < b.abs());
            }
        }
        assert_eq!((divide(7, -4), remainder(7, -4)), (Ok(-2), Ok(-1)));
        assert_eq!(divide(1, 0), Err(NoNumber::DividedByZero));
        assert_eq!(remainder(1, 0), Err(NoNumber::DividedByZero));
    }

    #[test]
    fn nothing_wraps_and_the_words_below_the_least_number_are_none() {
        assert_eq!(add(GREATEST, 1), Err(NoNumber::TooLarge));
        assert_eq!(add(LEAST, -1), Err(NoNumber::TooSmall));
        assert_eq!(subtract(-GREATEST, 0), Err(NoNumber::TooSmall));
        assert_eq!(subtract(LEAST, 0), Ok(LEAST));
        assert_eq!(multiply(1 << 16, 1 << 15), Err(NoNumber::TooLarge));
        assert_eq!(negate(GREATEST), Err(NoNumber::TooSmall));
        assert_eq!(negate(LEAST), Ok(GREATEST - 1));
        assert_eq!(divide(LEAST, -1), Ok(GREATEST - 1));
    }

    #[test]
    fn a_sum_is_of_no_order() {
        let mut sum = Sum::default();
        sum.add(GREATEST, GREATEST);
        sum.add(GREATEST, GREATEST);
        sum.add(GREATEST, GREATEST);
        assert_eq!(sum.total(), Err(NoNumber::TooLarge));
        for _ in 0..3 {
            sum.add(-GREATEST, GREATEST);
        }
        sum.add(-7, 1);
        assert_eq!(sum.total(), Ok(-7));
    }
}
