//! The rules by name, how severe each is, and what each means to the author of a script.
//!
//! Rules of severity info are shown and never block, so they are not in `blocking_rules`, whatever
//! the script does.

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
    /// GMAT has no such command.
    UnknownCommand,
    /// A type has no such field.
    UnknownField,
    /// A statement names a resource that is never created.
    UnknownName,
    /// A resource has no such parameter.
    UnknownParameter,
    /// GMAT has no such type.
    UnknownResourceType,
    /// A value or an option is not among the words that are known.
    UnknownValue,
    /// A resource is created and never used.
    UnusedResource,
    /// A command names a resource of the wrong type.
    WrongResource,
}

impl Rule {
    /// Every rule, sorted by name.
    pub const ALL: [Self; 14] = [
        Self::DuplicateName,
        Self::EnumViolation,
        Self::RefTargetMismatch,
        Self::SyntaxError,
        Self::TypeMismatch,
        Self::UndeclaredReference,
        Self::UnknownCommand,
        Self::UnknownField,
        Self::UnknownName,
        Self::UnknownParameter,
        Self::UnknownResourceType,
        Self::UnknownValue,
        Self::UnusedResource,
        Self::WrongResource,
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
            Self::UnknownCommand => "unknown-command",
            Self::UnknownField => "unknown-field",
            Self::UnknownName => "unknown-name",
            Self::UnknownParameter => "unknown-parameter",
            Self::UnknownResourceType => "unknown-resource-type",
            Self::UnknownValue => "unknown-value",
            Self::UnusedResource => "unused-resource",
            Self::WrongResource => "wrong-resource",
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
            Self::UnknownCommand
            | Self::UnknownName
            | Self::UnknownParameter
            | Self::UnknownValue
            | Self::UnusedResource
            | Self::WrongResource => Severity::Info,
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
                "The text is not a GMAT script from here on. For a score nothing else counts until this is repaired,\n\
                 and no directive can silence it. `lint` goes on at the next line that looks like a statement. The message says what would have been right at this place;\n\
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
            Self::UnknownCommand => {
                "The statement starts with a word that is neither a command of GMAT nor a function the script creates,\n\
                 or with `EndIf` and the like where no such block is open. This is information: it does not change\n\
                 a score, but GMAT would stop here.\n\n\
                 \x20   Propgate Prop(Sat)   % unknown-command: Propagate"
            }
            Self::UnknownField => {
                "The type of this resource has no field of that name. Case matters. Paths of several steps\n\
                 (`FM.GravityField.Earth.Degree`) are not checked.\n\n\
                 \x20   Create Spacecraft Sat\n\
                 \x20   Sat.DriMass = 850   % unknown-field: DryMass"
            }
            Self::UnknownName => {
                "A command, a condition, an assignment or a field names a resource that no `Create` makes and that is\n\
                 not built into GMAT. Scripts with `#Include` and function files are not checked: their names may come\n\
                 from elsewhere. This is information: it does not change a score, but GMAT would stop here.\n\n\
                 \x20   Maneuver NoSuchBurn(Sat)   % unknown-name"
            }
            Self::UnknownParameter => {
                "The resource exists, but has neither a field nor a parameter of that name; one with a similar name\n\
                 exists. Case matters. This is information: it does not change a score.\n\n\
                 \x20   Propagate Prop(Sat) {Sat.ElapsedDay = 1}   % unknown-parameter: ElapsedDays"
            }
            Self::UnknownResourceType => {
                "`Create` names a type that neither GMAT nor a known plugin has. Case matters.\n\n\
                 \x20   Create Satellite Sat   % unknown-resource-type: Spacecraft"
            }
            Self::UnknownValue => {
                "The field or option takes one of a fixed list of words, and the value is not one of them; or a command\n\
                 has no such option. Like `enum-violation`, for lists that do not count in a score: this is information.\n\n\
                 \x20   Create Spacecraft Sat\n\
                 \x20   Sat.DateFormat = UTCGregorain   % unknown-value: UTCGregorian"
            }
            Self::UnusedResource => {
                "The resource is created and its name appears nowhere else, as a value, an operand or a word of a\n\
                 script block. Resources that act by existing (reports, plots) are not meant. This is information\n\
                 and never fails a script.\n\n\
                 \x20   Create ImpulsiveBurn Spare   % unused-resource"
            }
            Self::WrongResource => {
                "A command names a resource that exists but is of a type the command does not take.\n\
                 This is information: it does not change a score, but GMAT would stop here.\n\n\
                 \x20   Create FiniteBurn Burn\n\
                 \x20   Maneuver Burn(Sat)   % wrong-resource: an impulsive burn is expected"
            }
        }
    }
}

/// A set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RuleSet(u32);

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
