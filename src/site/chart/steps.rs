//! One row over all boards: its rates and its place, as steps.
//!
//! A value holds until the next board, so lines run in steps; a new protocol is a vertical rule,
//! and no line crosses it.

use serde::Serialize;

use crate::ledger::Instant;

use super::{Axis, Tick, number};

/// The row on one board; boards without it have neither rate.
#[derive(Debug, Clone)]
pub(in crate::site) struct BoardStanding {
    pub(in crate::site) at: Instant,
    pub(in crate::site) protocol: String,
    pub(in crate::site) held_out: Option<f64>,
    pub(in crate::site) public: Option<f64>,
    pub(in crate::site) place: Option<u64>,
}

/// The chart.
#[derive(Debug, Serialize)]
pub(in crate::site) struct Steps {
    id: &'static str,
    title: String,
    description: String,
    ticks_x: Vec<Tick>,
    ticks_y: Vec<Tick>,
    places: Vec<Tick>,
    rules: Vec<Tick>,
    held_out: Drawn,
    public: Drawn,
    place: Drawn,
}

#[derive(Debug, Default, Serialize)]
struct Drawn {
    path: String,
    dots: Vec<(String, String)>,
}

const LEFT: f64 = 34.0;
const RIGHT: f64 = 390.0;
/// How far before a rule a line ends.
const GAP: f64 = 6.0;

/// `None` for fewer than two boards with the row.
pub(in crate::site) fn steps(model: &str, boards: &[BoardStanding]) -> Option<Steps> {
    if boards.iter().filter(|board| board.public.is_some()).count() < 2 {
        return None;
    }
    let (first, last) = (boards.first()?.at, boards.last()?.at);
    #[expect(clippy::cast_precision_loss, reason = "seconds of some years")]
    let seconds = |at: Instant| at.seconds_since(first) as f64;
    // Room behind the last board, so that its step is seen.
    let to = (seconds(last) * 1.06).max(1.0);
    let across = Axis { from: 0.0, to, start: LEFT, end: RIGHT };
    let up = Axis::rates(150.0, 22.0);
    let lowest = boards.iter().filter_map(|board| board.place).max().unwrap_or(1);
    #[expect(clippy::cast_precision_loss, reason = "places on a board")]
    let down = Axis { from: 0.7, to: lowest.max(2) as f64 + 0.3, start: 168.0, end: 236.0 };
    let xs: Vec<f64> = boards.iter().map(|board| across.at(seconds(board.at))).collect();
    let draw = |value: &dyn Fn(&BoardStanding) -> Option<f64>| {
        let mut drawn = Drawn::default();
        let mut before: Option<f64> = None;
        for (index, board) in boards.iter().enumerate() {
            let is_new = index > 0 && boards[index - 1].protocol != board.protocol;
            if is_new {
                before = None;
            }
            let Some(y) = value(board) else {
                before = None;
                continue;
            };
            let (x, y) = (number(xs[index]), number(y));
            let end = match boards.get(index + 1) {
                // The rule itself stays free, so that equal values do not look joined.
                Some(next) if next.protocol != board.protocol => {
                    (xs[index + 1] - GAP).max(xs[index])
                }
                Some(_) => xs[index + 1],
                None => RIGHT,
            };
            let end = number(end);
            let start = if before.is_some() { format!("V{y}") } else { format!("M{x} {y}") };
            drawn.path.push_str(&format!("{start}H{end}"));
            drawn.dots.push((x, y));
            before = Some(xs[index]);
        }
        drawn
    };
    #[expect(clippy::cast_precision_loss, reason = "places on a board")]
    let place = |board: &BoardStanding| board.place.map(|place| down.at(place as f64));
    let rules =
        boards.windows(2).zip(&xs[1..]).filter(|(pair, _)| pair[0].protocol != pair[1].protocol);
    let day = |board: &BoardStanding| board.at.date();
    let ends = [(0, boards.first()?), (xs.len() - 1, boards.last()?)];
    #[expect(clippy::cast_precision_loss, reason = "places on a board")]
    let mark = |place: u64| Tick { at: down.text(place as f64), label: place.to_string() };
    Some(Steps {
        id: "steps",
        title: format!("{model} on every board: rates and place"),
        description: spoken(boards),
        ticks_x: ends.map(|(at, board)| Tick { at: number(xs[at]), label: day(board) }).into(),
        ticks_y: up.percent_ticks(),
        places: if lowest > 1 { vec![mark(1), mark(lowest)] } else { vec![mark(1)] },
        rules: rules
            .map(|(pair, x)| Tick {
                at: number(*x),
                label: format!("protocol {}", crate::site::format::clean(&pair[1].protocol)),
            })
            .collect(),
        held_out: draw(&|board| board.held_out.map(|rate| up.at(rate))),
        public: draw(&|board| board.public.map(|rate| up.at(rate))),
        place: draw(&place),
    })
}

fn spoken(boards: &[BoardStanding]) -> String {
    let said = |board: &BoardStanding| {
        let rate = board.held_out.map(|rate| format!("held-out {:.1}%", rate * 100.0));
        let place = board.place.map(|place| format!(", place {place}")).unwrap_or_default();
        Some(format!("{}: {}{place}", board.at.date(), rate?))
    };
    let all: Vec<String> = boards.iter().filter_map(said).collect();
    // The table under it has them all.
    let shown = all.len().saturating_sub(8);
    format!("{}.", all[shown..].join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(day: &str, protocol: &str, held_out: Option<f64>) -> BoardStanding {
        BoardStanding {
            at: Instant::parse(&format!("{day}T00:00:00Z")).expect("a moment"),
            protocol: protocol.to_owned(),
            held_out,
            public: Some(0.5),
            place: held_out.map(|_| 1),
        }
    }

    #[test]
    fn a_line_stops_at_a_new_protocol_and_starts_again_behind_it() {
        let boards = [
            standing("2026-01-01", "1", Some(0.5)),
            standing("2026-02-01", "1", Some(0.75)),
            standing("2026-03-01", "2", Some(0.25)),
            standing("2026-04-01", "2", None),
        ];
        let chart = steps("m", &boards).expect("a chart");
        assert_eq!(chart.rules.len(), 1);
        let rule: f64 = chart.rules[0].at.parse().expect("a number");
        for drawn in [&chart.held_out, &chart.public, &chart.place] {
            let lines: Vec<&str> = drawn.path.split('M').skip(1).collect();
            let [before, after] = lines[..] else { panic!("{}", drawn.path) };
            let end = before.rsplit('H').next().and_then(|x| x.parse().ok()).unwrap_or(f64::MAX);
            let start = after.split(' ').next().and_then(|x| x.parse().ok()).unwrap_or(f64::MIN);
            assert!(end < rule && rule <= start, "{}", drawn.path);
        }
        assert!(!chart.held_out.path.contains('L'), "steps, never diagonals");
        assert!(steps("m", &boards[..1]).is_none());
    }
}
