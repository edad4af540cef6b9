//! Near names for "did you mean".

/// The candidate nearest to `name`, if it is near enough to be meant: at most a third of the letters differ
/// (Damerau–Levenshtein, restricted), or one is the other's beginning of at least four letters.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    near(name, candidates).min().map(|(_, candidate)| candidate)
}

/// As [`nearest`], several, the nearest first.
pub fn nearest_of<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let mut all: Vec<(usize, &str)> = near(name, candidates).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter()
        .take(most)
        .map(|(_, candidate)| candidate)
        .collect()
}

fn near<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> impl Iterator<Item = (usize, &'a str)> {
    let letters = name.chars().count();
    let limit = (letters / 3).max(1);
    let mut measure = Measure::of(name);
    candidates
        .into_iter()
        .filter(move |candidate| *candidate != name)
        .filter_map(move |candidate| {
            let prefix = name.len() >= 4 && candidate.starts_with(name)
                || candidate.len() >= 4 && name.starts_with(candidate);
            let distance = measure.distance(candidate, if prefix { usize::MAX } else { limit })?;
            (distance <= limit && distance < letters || prefix).then_some((distance, candidate))
        })
}

/// Distances from one name: it is compared with all names of a game, while somebody types.
struct Measure {
    name: Vec<char>,
    other: Vec<char>,
    /// Of the table of distances: the row that is made, the one above, and the one above that.
    rows: [Vec<usize>; 3],
}

impl Measure {
    fn of(name: &str) -> Measure {
        Measure {
            name: name.chars().flat_map(char::to_lowercase).collect(),
            other: Vec::new(),
            rows: Default::default(),
        }
    }

    /// `None`: the lengths alone differ by more than `most`.
    fn distance(&mut self, other: &str, most: usize) -> Option<usize> {
        self.other.clear();
        self.other
            .extend(other.chars().flat_map(char::to_lowercase));
        let (a, b) = (&self.name, &self.other);
        if a.len().abs_diff(b.len()) > most {
            return None;
        }
        let [row, last, before] = &mut self.rows;
        last.clear();
        last.extend(0..=b.len());
        for i in 1..=a.len() {
            row.clear();
            row.push(i);
            for j in 1..=b.len() {
                let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = change.min(last[j] + 1).min(row[j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(before[j - 2] + 1);
                }
                row.push(best);
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        Some(last[b.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_the_name_that_was_meant() {
        assert_eq!(nearest("waggons", ["wagons", "weight"]), Some("wagons"));
        assert_eq!(nearest("onwer", ["owner", "here"]), Some("owner"));
        assert_eq!(nearest("x", ["hand", "owner", "y"]), None);
        assert_eq!(nearest("comp", ["completed"]), Some("completed"));
    }
}
