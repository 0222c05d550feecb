//! Rows that have a value for every declared measure, and for no other.

use super::super::measure::Measure;
use super::super::value::{Kind, Value, parse_number};
use super::{BuildError, Builder};
use crate::table::{MeasureId, Scope};

impl Builder {
    /// The values of one row, each cast to what its measure is per topic and in the order of the
    /// measures. Unknown and missing measures are refused, as in [`Self::add`]; nothing is added.
    ///
    /// ```
    /// use gmat_leaderboard::table::{Builder, Measure, Value};
    ///
    /// let builder = Builder::new([Measure::number("grade"), Measure::text("label")]);
    /// let row = builder.cast_values([("label", 3.0.into()), ("grade", "0.8".into())])?;
    /// assert_eq!(row, [("grade", 0.8.into()), ("label", Value::from("3.0"))]);
    /// assert!(builder.cast_values([("grade", 0.8.into())]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_values<'v>(
        &self,
        values: impl IntoIterator<Item = (&'v str, Value<'v>)>,
    ) -> Result<Vec<(&str, Value<'v>)>, BuildError> {
        let row = self.checked(|measure| measure.topic, values)?;
        let cast = |(id, value): (MeasureId, Value<'v>)| {
            let measure = &self.content.measures[id.index()];
            let value = match (measure.topic, value) {
                (Some(Kind::Number), Value::Text(text)) => {
                    let number = parse_number(&text);
                    Value::Number(number.ok_or_else(|| BuildError::NotANumber {
                        run: String::new(),
                        measure: measure.name.clone(),
                        value: text.into_owned(),
                    })?)
                }
                (Some(Kind::Text), number @ Value::Number(_)) => {
                    Value::Text(number.to_string().into())
                }
                (_, value) => value,
            };
            Ok((measure.name.as_str(), value))
        };
        row.into_iter().map(cast).collect()
    }

    /// Adds a run's values for one scope: every declared measure of that scope, no other. Nothing
    /// is kept if one is refused.
    pub fn add_row<'v>(
        &mut self,
        run: &str,
        scope: Scope,
        values: impl IntoIterator<Item = (&'v str, Value<'v>)>,
    ) -> Result<(), BuildError> {
        let declared = |measure: &Measure| match scope {
            Scope::Topic(_) => measure.topic,
            Scope::All => measure.aggregate,
        };
        let row = self.checked(declared, values)?;
        let before = self.content.cells.len();
        let run = self.run(run);
        for (measure, value) in row {
            if let Err(error) = self.cell(run, scope, measure, value, 0) {
                self.content.cells.truncate(before);
                return Err(error);
            }
        }
        Ok(())
    }

    /// One value for each measure that is `declared`, in the order of the measures; refuses
    /// others, and a row that lacks one.
    pub(super) fn checked<'v>(
        &self,
        declared: impl Fn(&Measure) -> Option<Kind>,
        values: impl IntoIterator<Item = (&'v str, Value<'v>)>,
    ) -> Result<Vec<(MeasureId, Value<'v>)>, BuildError> {
        let values: Vec<(&str, Value<'v>)> = values.into_iter().collect();
        let names: Vec<(u16, &str)> = (0u16..)
            .zip(&self.content.measures)
            .filter(|(_, measure)| declared(measure).is_some())
            .map(|(at, measure)| (at, measure.name.as_str()))
            .collect();
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        let given = |name: &str| values.iter().any(|(given, _)| *given == name);
        let unknown: Vec<String> = values
            .iter()
            .filter(|(name, _)| !names.iter().any(|(_, known)| known == name))
            .map(|(name, _)| (*name).to_owned())
            .collect();
        if !unknown.is_empty() {
            return Err(BuildError::UnknownMeasures(sorted(unknown)));
        }
        let missing: Vec<String> = names
            .iter()
            .filter(|(_, name)| !given(name))
            .map(|(_, name)| (*name).to_owned())
            .collect();
        if !missing.is_empty() {
            return Err(BuildError::MissingMeasures(sorted(missing)));
        }
        let value = |(at, name): &(u16, &str)| {
            let (_, value) = values.iter().find(|(given, _)| given == name)?;
            Some((MeasureId(*at), value.clone()))
        };
        Ok(names.iter().filter_map(value).collect())
    }
}
