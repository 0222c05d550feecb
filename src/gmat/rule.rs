//! The rules by name, how severe each is, and what each means to the author of a script.
//!
//! `unused-resource` is information. It is shown and never blocks, so it is not in
//! `blocking_rules`, whatever the script does.

/// How much a diagnostic weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// The script cannot mean what it says.
    Error,
    /// The script most likely does not mean what it says.
    Warning,
    /// Worth knowing, never blocking.
    Info,
}

impl Severity {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A rule a script can break, ordered by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rule {
    /// Two resources have one name.
    DuplicateName,
    /// A value is not among the allowed words of its field.
    EnumViolation,
    /// A field points at a resource of the wrong type.
    RefTargetMismatch,
    /// The text is not a GMAT script.
    SyntaxError,
    /// The form of a value contradicts its field.
    TypeMismatch,
    /// A field points at a resource that is never created.
    UndeclaredReference,
    /// A type has no such field.
    UnknownField,
    /// GMAT has no such type.
    UnknownResourceType,
    /// A resource is created and never used.
    UnusedResource,
}

impl Rule {
    /// Every rule, sorted by name.
    pub const ALL: [Self; 9] = [
        Self::DuplicateName,
        Self::EnumViolation,
        Self::RefTargetMismatch,
        Self::SyntaxError,
        Self::TypeMismatch,
        Self::UndeclaredReference,
        Self::UnknownField,
        Self::UnknownResourceType,
        Self::UnusedResource,
    ];

    /// The rule called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// The name directives and reports use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DuplicateName => "duplicate-name",
            Self::EnumViolation => "enum-violation",
            Self::RefTargetMismatch => "ref-target-mismatch",
            Self::SyntaxError => "syntax-error",
            Self::TypeMismatch => "type-mismatch",
            Self::UndeclaredReference => "undeclared-reference",
            Self::UnknownField => "unknown-field",
            Self::UnknownResourceType => "unknown-resource-type",
            Self::UnusedResource => "unused-resource",
        }
    }

    /// How much breaking it weighs.
    pub const fn severity(self) -> Severity {
        match self {
            Self::DuplicateName
            | Self::SyntaxError
            | Self::UndeclaredReference
            | Self::UnknownResourceType => Severity::Error,
            Self::EnumViolation
            | Self::RefTargetMismatch
            | Self::TypeMismatch
            | Self::UnknownField => Severity::Warning,
            Self::UnusedResource => Severity::Info,
        }
    }

    /// Whether breaking it fails a script.
    pub const fn is_blocking(self) -> bool {
        !matches!(self.severity(), Severity::Info)
    }

    /// What the rule asks, why, and what to do about it, in Markdown.
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::DuplicateName => {
                "A `Create` gives a resource a name that an earlier `Create` already uses.\n\
                 GMAT keeps only the last one, so fields set on the first are lost. Rename one of them.\n\n\
                 \x20   Create Spacecraft Sat\n\
                 \x20   Create ChemicalTank Sat   % duplicate-name"
            }
            Self::EnumViolation => {
                "The field takes one of a fixed list of words, and the value, quoted or not, is not one of them.\n\
                 Case matters. Numbers, lists and expressions are not checked.\n\n\
                 \x20   Create ImpulsiveBurn Burn\n\
                 \x20   Burn.Axes = VBN   % enum-violation: VNB, LVLH, MJ2000Eq or SpacecraftBody"
            }
            Self::RefTargetMismatch => {
                "The field names a resource that exists but is of a type the field does not take.\n\n\
                 \x20   Create Spacecraft Sat\n\
                 \x20   Create ChemicalThruster Thr\n\
                 \x20   Sat.Tanks = {Thr}   % ref-target-mismatch: a FuelTank is wanted"
            }
            Self::SyntaxError => {
                "The text is not a GMAT script from here on. Nothing else is checked until this is repaired,\n\
                 and no directive can silence it. The message says what would have been right at this place;\n\
                 the mistake itself may be a little earlier (an open bracket, a missing quote).\n\n\
                 \x20   Sat.SMA = (7000   % syntax-error: the bracket is never closed"
            }
            Self::TypeMismatch => {
                "The form of the value contradicts the field: text, a truth value or a list where a number belongs,\n\
                 anything but `true` or `false` where a truth value belongs, a number where a resource belongs.\n\
                 References and expressions are never refused.\n\n\
                 \x20   Create Spacecraft Sat\n\
                 \x20   Sat.SMA = 'high'   % type-mismatch: SMA is a number"
            }
            Self::UndeclaredReference => {
                "The field names a resource that no `Create` in the configuration makes and that is not built into GMAT.\n\
                 Create it before `BeginMissionSequence`, or correct the name.\n\n\
                 \x20   Create Spacecraft Sat\n\
                 \x20   Sat.CoordinateSystem = MoonFixed   % undeclared-reference"
            }
            Self::UnknownField => {
                "The type of this resource has no field of that name. Case matters. Paths of several steps\n\
                 (`FM.GravityField.Earth.Degree`) are not checked.\n\n\
                 \x20   Create Spacecraft Sat\n\
                 \x20   Sat.DriMass = 850   % unknown-field: DryMass"
            }
            Self::UnknownResourceType => {
                "`Create` names a type that neither GMAT nor a known plugin has. Case matters.\n\n\
                 \x20   Create Satellite Sat   % unknown-resource-type: Spacecraft"
            }
            Self::UnusedResource => {
                "The resource is created and its name appears nowhere else, as a value, an operand or a word of a\n\
                 script block. Resources that act by existing (reports, plots) are not meant. This is information\n\
                 and never fails a script.\n\n\
                 \x20   Create ImpulsiveBurn Spare   % unused-resource"
            }
        }
    }
}

/// A set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RuleSet(u16);

impl RuleSet {
    pub(super) const ALL: Self = Self((1 << Rule::ALL.len()) - 1);

    pub(super) fn insert(&mut self, rule: Rule) {
        self.0 |= 1 << rule as u8;
    }

    pub(super) fn contains(self, rule: Rule) -> bool {
        self.0 & 1 << rule as u8 != 0
    }

    /// The rules of the set, sorted by name.
    pub(super) fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.into_iter().filter(move |&rule| self.contains(rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_ordered_by_name_and_found_by_it() {
        assert!(Rule::ALL.is_sorted_by_key(|rule| rule.name()));
        assert!(Rule::ALL.is_sorted());
        for rule in Rule::ALL {
            assert_eq!(Rule::named(rule.name()), Some(rule));
            assert!(RuleSet::ALL.contains(rule));
        }
        assert_eq!(Rule::named("Unknown-Field"), None);
    }
}
