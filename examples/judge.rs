//! A judge: responses and topics in, a table out.
//!
//! The contract: the judge declares its measures, adds one row per response, names the topics it
//! was asked about, and lets the builder aggregate. A response that is missing counts as 0 in the
//! aggregate and is not invented as a row.
//!
//! Run it: `cargo run --example judge`

use std::error::Error;
use std::io::Write;

use gmat_leaderboard::table::{Builder, Expect, Holes, Judge, Measure, Policy, Table, Ties};
use gmat_leaderboard::{CellFormat, write_cells};

/// What one run answered on one topic.
struct Response<'a> {
    run: &'a str,
    topic: &'a str,
    text: &'a str,
}

/// What was asked.
struct Topic<'a> {
    id: &'a str,
    must_mention: &'a str,
}

/// Grades every response by whether it mentions what it must, and labels it.
struct Mentions;

impl Judge for Mentions {
    type Response = Response<'static>;
    type Topic = Topic<'static>;
    type Error = Box<dyn Error>;

    fn judge(
        &self,
        responses: &[Self::Response],
        topics: &[Self::Topic],
    ) -> Result<Table, Self::Error> {
        let mut builder = Builder::new([
            Measure::number("mentions"), // 1 or 0, so that the aggregate is a rate
            Measure::number("words"),
            Measure::text("label"),
        ]);
        for response in responses {
            let topic = topics.iter().find(|topic| topic.id == response.topic);
            let topic = topic.ok_or_else(|| format!("nobody asked about `{}`", response.topic))?;
            let mentions = response.text.contains(topic.must_mention);
            let words = u32::try_from(response.text.split_whitespace().count())?;
            builder.add(
                response.run,
                response.topic,
                [
                    ("mentions", f64::from(u8::from(mentions)).into()),
                    ("words", f64::from(words).into()),
                    ("label", if mentions { "hit" } else { "miss" }.into()),
                ],
            )?;
        }
        let expected = topics.iter().map(|topic| topic.id.to_owned()).collect();
        let policy = Policy {
            holes: Holes::FixAggregate,
            expect: Expect::Topics(expected),
            ..Policy::default()
        };
        Ok(builder.build(&policy)?.table)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let topics = [
        Topic { id: "t1", must_mention: "spacecraft" },
        Topic { id: "t2", must_mention: "propagator" },
    ];
    let responses = [
        Response { run: "brief", topic: "t1", text: "a spacecraft" },
        Response { run: "brief", topic: "t2", text: "a propagator of some kind" },
        Response { run: "shy", topic: "t1", text: "a spacecraft, perhaps" },
    ];
    let table = Mentions.judge(&responses, &topics)?;
    let mentions = table.measure_named("mentions")?;
    let mut out = std::io::stdout().lock();
    for row in table.rank(mentions, None, Ties::Shared).rows {
        // `shy` answered one of two topics, so its rate is a half.
        writeln!(out, "# {:?} {} {:?}", row.rank, table.id(row.run), row.value)?;
    }
    write_cells(&table, CellFormat::Tot, "all", &mut out)?;
    Ok(())
}
