//! Names beside points, without covering each other. A name that finds no room is left out; the
//! table under the chart still has it.

use serde::Serialize;

use super::number;

/// A point that may be named.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) name: String,
    /// Named even where that covers a dot or a line, never where it covers another name.
    pub(super) must: bool,
}

/// A name at its place.
#[derive(Debug, Serialize)]
pub(super) struct Label {
    x: String,
    y: String,
    anchor: &'static str,
    text: String,
}

#[derive(Clone, Copy)]
pub(super) struct Rect {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Rect {
    /// A straight line that no name should cross, from one corner to the other.
    pub(super) fn line((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Self {
        Self { left: x1.min(x2), right: x1.max(x2), top: y1.min(y2), bottom: y1.max(y2) }
    }

    fn meets(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn within(self, other: Self) -> bool {
        self.left >= other.left
            && self.right <= other.right
            && self.top >= other.top
            && self.bottom <= other.bottom
    }
}

/// Mean width of a letter at the charts' type size.
const LETTER: f64 = 6.0;
const HEIGHT: f64 = 11.0;
const AWAY: f64 = 7.0;
/// More names than this nobody reads.
const MOST: usize = 40;

/// Labels for `points` within `left..right` and `top..bottom`, off the `lines` where that can be
/// had; those that must be named go first.
pub(super) fn place(
    points: &[Point],
    lines: &[Rect],
    (left, right): (f64, f64),
    (top, bottom): (f64, f64),
) -> Vec<Label> {
    let area = Rect { left, top, right, bottom };
    let dot =
        |p: &Point| Rect { left: p.x - 4.0, right: p.x + 4.0, top: p.y - 4.0, bottom: p.y + 4.0 };
    let drawn: Vec<Rect> = points.iter().map(dot).chain(lines.iter().copied()).collect();
    let mut names: Vec<Rect> = Vec::new();
    let mut order: Vec<&Point> = points.iter().collect();
    order.sort_by_key(|point| !point.must);
    let mut labels = Vec::new();
    for point in order.into_iter().take(MOST) {
        let spots = spots(point);
        let off = |rect: Rect, others: &[Rect]| !others.iter().any(|other| rect.meets(*other));
        let readable = |rect: Rect| rect.within(area) && off(rect, &names);
        let spot = spots
            .iter()
            .find(|(.., rect)| readable(*rect) && off(*rect, &drawn))
            .or_else(|| spots.iter().find(|(.., rect)| point.must && readable(*rect)));
        if let Some((anchor, x, y, rect)) = spot {
            names.push(*rect);
            labels.push(Label { x: number(*x), y: number(*y), anchor, text: point.name.clone() });
        }
    }
    labels
}

/// Right, left, above, below, and the two free corners.
fn spots(point: &Point) -> [(&'static str, f64, f64, Rect); 6] {
    let letters = u32::try_from(point.name.chars().count()).unwrap_or(u32::MAX);
    let width = f64::from(letters) * LETTER;
    [
        ("start", point.x + AWAY, point.y + 4.0),
        ("end", point.x - AWAY, point.y + 4.0),
        ("middle", point.x, point.y - AWAY - 1.0),
        ("middle", point.x, point.y + AWAY + HEIGHT - 2.0),
        ("start", point.x + 4.0, point.y - AWAY - 1.0),
        ("end", point.x - 4.0, point.y + AWAY + HEIGHT - 2.0),
    ]
    .map(|(anchor, x, y)| {
        let left = match anchor {
            "start" => x,
            "end" => x - width,
            _ => x - width / 2.0,
        };
        (anchor, x, y, Rect { left, right: left + width, top: y - HEIGHT, bottom: y + 2.0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_step_aside_and_never_cover_each_other() {
        let point = |x, must| Point { x, y: 50.0, name: "a-model-of-some-length".to_owned(), must };
        let named = |must, count: u8, lines: &[Rect]| {
            let points: Vec<Point> =
                (0..count).map(|at| point(200.0 + f64::from(at), must)).collect();
            place(&points, lines, (0.0, 400.0), (0.0, 100.0)).len()
        };
        let everywhere = [Rect::line((0.0, 0.0), (400.0, 100.0))];
        assert_eq!((named(false, 1, &[]), named(false, 1, &everywhere)), (1, 0));
        assert_eq!(named(true, 1, &everywhere), 1, "a name that must be may cover a line");
        assert!(named(true, 8, &[]) < 8, "but not another name");
    }

    #[test]
    fn a_line_is_left_free_where_there_is_room() {
        let point = Point { x: 200.0, y: 50.0, name: "model".to_owned(), must: true };
        let line = [Rect::line((200.0, 50.0), (400.0, 50.0))];
        let label = place(&[point], &line, (0.0, 400.0), (0.0, 100.0));
        assert_eq!(label[0].anchor, "end");
    }
}
