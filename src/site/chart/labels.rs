//! Names beside points, without covering each other. A name that finds no room is left out; the
//! table under the chart still has it.

use serde::Serialize;

use super::number;

#[derive(Clone, Copy)]
struct Rect {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Rect {
    /// A straight line that no name should cross, from one corner to the other.
    fn line((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Self {
        Self { left: x1.min(x2), right: x1.max(x2), top: y1.min(y2), bottom: y1.max(y2) }
    }

    fn meets(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// The box with `by` more on every side.
    fn grown(self, by: f64) -> Self {
        Self {
            left: self.left - by,
            right: self.right + by,
            top: self.top - by,
            bottom: self.bottom + by,
        }
    }

    /// How far a point is from it; zero inside.
    fn distance(self, (x, y): (f64, f64)) -> f64 {
        let across = (self.left - x).max(x - self.right).max(0.0);
        let up = (self.top - y).max(y - self.bottom).max(0.0);
        across.hypot(up)
    }
}

/// A point in a drawing whose width is not known: `x` is a share of the width, `y` is in pixels.
#[derive(Debug, Clone, Default)]
pub(super) struct FlexPoint {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) name: String,
    /// Named first, and with a line to the point where there is no room beside it.
    pub(super) must: bool,
    /// Named before the rest.
    pub(super) is_top: bool,
    /// Drawn, not named.
    pub(super) quiet: bool,
    pub(super) sides: Sides,
}

/// The points with no name but those that must have one: for phones.
pub(super) fn only_musts(points: &[FlexPoint]) -> Vec<FlexPoint> {
    points.iter().cloned().map(|point| FlexPoint { quiet: !point.must, ..point }).collect()
}

/// Where a name may stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Sides {
    #[default]
    All,
    /// For the start of a line: to the left of it is something else.
    Right,
}

/// What else is drawn: lines that no name may cross, and how high the drawing is.
pub(super) struct Drawn {
    pub(super) lines: Vec<((f64, f64), (f64, f64))>,
    pub(super) height: f64,
}

/// A name in such a drawing.
#[derive(Debug, Serialize)]
pub(super) struct FlexLabel {
    x: String,
    y: String,
    dx: String,
    dy: String,
    anchor: &'static str,
    text: String,
    strong: bool,
    /// The path from the point to the name; empty where it is beside it.
    leader: String,
}

/// Height of a line of text, half a point with its edge, and the room between names, in pixels.
const LINE: f64 = 15.0;
const DOT: f64 = 7.0;
const ROOM: f64 = 2.0;

/// How wide a text of 13 pixels is at most, in the widest of the usual system fonts.
fn text_width(text: &str, strong: bool) -> f64 {
    let em = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' => 0.34,
        'f' | 'r' | 't' | ' ' | '-' | '(' | ')' => 0.44,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.0,
        'A'..='Z' => 0.74,
        letter if letter.is_ascii() => 0.65,
        _ => 1.05,
    };
    13.0 * text.chars().map(em).sum::<f64>() * if strong { 1.08 } else { 1.0 }
}

/// Where a name may stand: anchor, distance across and up, whether a line leads to it.
const PLACES: [(&str, f64, f64, bool); 14] = [
    ("middle", 0.0, -12.0, false),
    ("start", 10.0, 4.5, false),
    ("end", -10.0, 4.5, false),
    ("middle", 0.0, 21.0, false),
    ("start", 5.0, -10.0, false),
    ("end", -5.0, -10.0, false),
    ("start", 5.0, 19.0, false),
    ("end", -5.0, 19.0, false),
    ("start", 16.0, -20.0, true),
    ("end", -16.0, -20.0, true),
    ("start", 16.0, 29.0, true),
    ("end", -16.0, 29.0, true),
    ("middle", 0.0, -32.0, true),
    ("middle", 0.0, 41.0, true),
];

/// Names for `points` that cover no point, no line and no other name at any of `widths`, and stand
/// nearer to their own point than to any other. A name that finds no such place is left out.
pub(super) fn place_flexible(
    points: &[FlexPoint],
    drawn: &Drawn,
    widths: &[f64],
) -> Vec<FlexLabel> {
    let mut order: Vec<&FlexPoint> = points.iter().filter(|point| !point.quiet).collect();
    order.sort_by_key(|point| (!point.must, !point.is_top));
    // The rectangles of the names so far, for each width.
    let mut names: Vec<Vec<Rect>> = vec![Vec::new(); widths.len()];
    let mut labels = Vec::new();
    for point in order {
        let width = text_width(&point.name, point.must);
        let rect = |(anchor, dx, dy, _): (&str, f64, f64, bool), across: f64| {
            let x = point.x * across + dx;
            let left = match anchor {
                "start" => x,
                "end" => x - width,
                _ => x - width / 2.0,
            };
            let bottom = point.y + dy + 3.5;
            Rect { left, right: left + width, top: bottom - LINE, bottom }
        };
        let fits = |spot: &(&'static str, f64, f64, bool)| {
            let (anchor, .., with_line) = *spot;
            (point.must || !with_line)
                && (point.sides == Sides::All || anchor == "start")
                && widths.iter().zip(&names).all(|(across, names)| {
                    let rect = rect(*spot, *across);
                    let away = |other: &FlexPoint| {
                        let other_at = (other.x * across, other.y);
                        let own = rect.distance((point.x * across, point.y));
                        std::ptr::eq(other, point)
                            || (rect.distance(other_at) > DOT
                                && (with_line || rect.distance(other_at) > own))
                    };
                    let off_line = |line: &((f64, f64), (f64, f64))| {
                        let at = |end: (f64, f64)| (end.0 * across, end.1);
                        !rect.meets(Rect::line(at(line.0), at(line.1)).grown(1.5))
                    };
                    rect.left >= 2.0
                        && rect.right <= across + 10.0
                        && rect.top >= -17.0
                        && rect.bottom <= drawn.height - 2.0
                        && points.iter().all(away)
                        && drawn.lines.iter().all(off_line)
                        && names.iter().all(|name| !rect.meets(*name))
                })
        };
        let Some(spot) = PLACES.iter().find(|spot| fits(spot)) else { continue };
        for (names, across) in names.iter_mut().zip(widths) {
            names.push(rect(*spot, *across).grown(ROOM));
        }
        let (anchor, dx, dy, with_line) = *spot;
        let leader = || {
            let end = if dy < 0.0 { dy + 5.0 } else { dy - 11.0 };
            format!(
                "M{} {}L{} {}",
                number(dx * 0.3),
                number(end * 0.3),
                number(dx * 0.85),
                number(end)
            )
        };
        labels.push(FlexLabel {
            x: format!("{}%", number(point.x * 100.0)),
            y: number(point.y),
            dx: number(dx),
            dy: number(dy),
            anchor,
            text: point.name.clone(),
            strong: point.must,
            leader: if with_line { leader() } else { String::new() },
        });
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f64, must: bool) -> FlexPoint {
        let name = "a-model-of-some-length".to_owned();
        FlexPoint { x, y: 50.0, name, must, ..FlexPoint::default() }
    }

    #[test]
    fn names_step_aside_and_never_cover_each_other() {
        let named = |points: &[FlexPoint], lines: &[_]| {
            let drawn = Drawn { lines: lines.to_vec(), height: 100.0 };
            place_flexible(points, &drawn, &[400.0, 500.0]).len()
        };
        let crowd: Vec<FlexPoint> =
            (0..8).map(|at| point(0.5 + f64::from(at) / 400.0, true)).collect();
        assert!((1..8).contains(&named(&crowd, &[])));
        let everywhere: Vec<((f64, f64), (f64, f64))> =
            (0..20).map(|at| f64::from(at) * 5.0).map(|y| ((0.0, y), (1.0, y))).collect();
        assert_eq!((named(&crowd[..1], &[]), named(&crowd[..1], &everywhere)), (1, 0));
    }

    #[test]
    fn a_line_is_left_free() {
        let drawn = Drawn {
            lines: vec![((0.5, 50.0), (1.0, 50.0)), ((0.5, 0.0), (0.5, 50.0))],
            height: 100.0,
        };
        let label = place_flexible(&[point(0.5, false)], &drawn, &[400.0]);
        assert_eq!(label[0].anchor, "end");
        let first = FlexPoint { sides: Sides::Right, ..point(0.5, false) };
        let label = place_flexible(&[first], &drawn, &[400.0]);
        assert_eq!(label[0].anchor, "start", "under the line");
    }
}
