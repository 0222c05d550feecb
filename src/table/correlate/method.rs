//! Methods by name: `tau-b`, `spearman@10`.

use std::fmt;
use std::str::FromStr;

/// A coefficient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Base {
    /// Kendall's tau-b: ties on either side shrink the scale.
    TauB,
    /// Kendall's tau-a: ties count as neither.
    TauA,
    /// AP correlation, both directions averaged, ties handled: the top weighs most.
    TauApB,
    /// Gao and Oard's tau-GAP (SIGIR 2015): the head and large gaps of the truth weigh most.
    /// Asymmetric: the truth gives the gaps, the judge only the order.
    TauGap,
    /// Pearson's r of average ranks.
    Spearman,
    /// Pearson's r.
    Pearson,
}

impl Base {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::TauB => "tau-b",
            Self::TauA => "tau-a",
            Self::TauApB => "tau-ap-b",
            Self::TauGap => "tau-gap",
            Self::Spearman => "spearman",
            Self::Pearson => "pearson",
        }
    }
}

/// A coefficient, over all runs or over those best in truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Method {
    /// The coefficient.
    pub base: Base,
    /// Only so many, the best in truth.
    pub top: Option<usize>,
}

impl Method {
    /// The methods this program computes unless asked otherwise: each coefficient over all runs,
    /// then tau-b over the ten best.
    pub fn defaults() -> Vec<Self> {
        let all = [Base::TauB, Base::TauApB, Base::TauGap, Base::Spearman, Base::Pearson];
        let plain = all.map(|base| Self { base, top: None });
        plain.into_iter().chain([Self { base: Base::TauB, top: Some(10) }]).collect()
    }
}

/// Why a name is not a method.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MethodError {
    /// No such coefficient.
    #[error(
        "unknown method `{0}`; known: tau-b, tau-a, tau-ap-b, tau-gap, spearman, pearson, each also with @k"
    )]
    Unknown(String),
    /// Not a positive number after the `@`.
    #[error("`{0}` must end in a positive number after the `@`")]
    Top(String),
}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(name: &str) -> Result<Self, MethodError> {
        let (base, top) = match name.split_once('@') {
            None => (name, None),
            Some((base, top)) => {
                let top = top.parse().ok().filter(|top| *top > 0);
                (base, Some(top.ok_or_else(|| MethodError::Top(name.to_owned()))?))
            }
        };
        let base = match base.to_ascii_lowercase().replace('_', "-").as_str() {
            "tau-b" | "kendall" | "kendall-b" | "tau" => Base::TauB,
            "tau-a" | "kendall-a" => Base::TauA,
            "tau-ap-b" | "tauap-b" | "tau-ap" | "tauap" => Base::TauApB,
            "tau-gap" | "taugap" => Base::TauGap,
            "spearman" => Base::Spearman,
            "pearson" => Base::Pearson,
            _ => return Err(MethodError::Unknown(name.to_owned())),
        };
        Ok(Self { base, top })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.base.name())?;
        self.top.map_or(Ok(()), |top| write!(f, "@{top}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_programs_names_are_known() {
        for (name, shown) in [
            ("kendall", "tau-b"),
            ("tauap_b@10", "tau-ap-b@10"),
            ("tau-a", "tau-a"),
            ("tau_gap@5", "tau-gap@5"),
            ("Spearman@3", "spearman@3"),
        ] {
            assert_eq!(
                name.parse::<Method>().map(|method| method.to_string()),
                Ok(shown.to_owned())
            );
        }
        assert!(matches!("gamma".parse::<Method>(), Err(MethodError::Unknown(_))));
        for name in ["kendall@0", "kendall@ten", "kendall@"] {
            assert!(matches!(name.parse::<Method>(), Err(MethodError::Top(_))), "{name}");
        }
    }
}
