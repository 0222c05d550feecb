//! "Did you mean": the nearest word of a closed list.

/// The candidate nearest to `word`, if it is near enough to be a slip: at most a third of the
/// word's letters changed, case counting as half a change. Ties go to the first candidate.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let letters: Vec<char> = word.chars().take(64).collect();
    let limit = (letters.len() * 2 / 3).max(2);
    // Each letter more or less costs two half steps, so most candidates need no table.
    let is_near =
        |candidate: &str| candidate.chars().take(64).count().abs_diff(letters.len()) * 2 <= limit;
    candidates
        .into_iter()
        .filter(|candidate| *candidate != word && is_near(candidate))
        .map(|candidate| (distance(&letters, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Edit distance with transpositions, in half steps.
fn distance(word: &[char], candidate: &str) -> usize {
    let other: Vec<char> = candidate.chars().take(64).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).map(|j| j * 2).collect();
    for (i, &a) in word.iter().enumerate() {
        let mut row = vec![(i + 1) * 2];
        for (j, &b) in other.iter().enumerate() {
            let change = match () {
                () if a == b => 0,
                () if a.eq_ignore_ascii_case(&b) => 1,
                () => 2,
            };
            let mut best = (above[j] + change).min(above[j + 1] + 2).min(row[j] + 2);
            if i > 0 && j > 0 && a == other[j - 1] && b == word[i - 1] {
                best = best.min(before[j - 1] + 2);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_mended_and_a_stranger_is_not() {
        let known = ["DryMass", "SMA", "Epoch", "CoordinateSystem"];
        assert_eq!(nearest("DryMas", known), Some("DryMass"));
        assert_eq!(nearest("drymass", known), Some("DryMass"));
        assert_eq!(nearest("Eopch", known), Some("Epoch"));
        assert_eq!(nearest("Bogus", known), None);
        assert_eq!(nearest("SMA", ["SMA"]), None);
    }
}
