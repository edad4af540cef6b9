//! Near names for "did you mean".

/// The candidate nearest to `name`, if it is near enough to be meant: at most a third of the letters differ
/// (Damerau–Levenshtein, restricted), or one is the other's beginning of at least four letters.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = name.chars().count();
    let limit = (letters / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .filter_map(|candidate| {
            let distance = distance(name, candidate);
            let prefix = name.len() >= 4 && candidate.starts_with(name)
                || candidate.len() >= 4 && name.starts_with(candidate);
            (distance <= limit && distance < letters || prefix).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
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
