//! What GMAT itself knows: resource types, their fields, and the names that need no `Create`.
//!
//! Everything here is a table the compiler builds, but for two indices; nothing is loaded or parsed
//! when the program runs, and nothing here looks at a script. Names are exact: GMAT does not fold case.
//!
//! A type name in a script may be an alias (`Propagator` is `PropSetup`), and reference targets may
//! name a category (`SpacePoint`) that no `Create` can write; `accepts` is the only place that
//! knows how the two meet.

#[rustfmt::skip]
mod facts;
pub(super) mod words;

use std::sync::LazyLock;

use facts::{ALIASES, TYPES};

/// The release of GMAT the catalogue describes.
pub const RELEASE: &str = facts::RELEASE;

/// What a field holds, as far as a script can show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    BoolArray,
    Color,
    /// One of these words; an empty list means that the words are not known.
    Enum(&'static [&'static str]),
    Filename,
    Integer,
    IntegerArray,
    Matrix,
    /// A resource of this type or category; empty when the target is not known.
    Object(&'static str),
    /// Several resources of this type or category; empty when the target is not known.
    ObjectArray(&'static str),
    OnOff,
    Real,
    RealArray,
    String,
    StringArray,
}

/// A resource type.
pub(super) struct Type {
    pub(super) name: &'static str,
    pub(super) category: &'static str,
    pub(super) fields: &'static [(&'static str, Kind)],
}

/// A resource type of the catalogue, by its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TypeId(u8);

/// Types of optional plugins: accepted in a `Create`, their fields unknown.
const PLUGIN_TYPES: [&str; 19] = [
    "OpenFramesView",
    "OpenFramesInterface",
    "OpenFramesVector",
    "OpenFramesSensorMask",
    "EMTGSpacecraft",
    "DynamicsConfiguration",
    "Trajectory",
    "Phase",
    "OptimalControlGuess",
    "OptimalControlFunction",
    "CustomLinkageConstraint",
    "VF13ad",
    "SNOPT",
    "MatlabFunction",
    "Plate",
    "ProcessNoiseModel",
    "EstimatedParameter",
    "Smoother",
    "PlanetographicRegion",
];

/// Objects every mission has without a `Create`.
const BUILTINS: [&str; 20] = [
    "Sun",
    "Mercury",
    "Venus",
    "Earth",
    "Luna",
    "Mars",
    "Jupiter",
    "Saturn",
    "Uranus",
    "Neptune",
    "Pluto",
    "SolarSystemBarycenter",
    "EarthMoonBarycenter",
    "EarthMJ2000Eq",
    "EarthMJ2000Ec",
    "EarthFixed",
    "EarthICRF",
    "EarthFK5",
    "Local",
    "Lagrange",
];

/// For a reference target that is not itself a type: which types or categories serve.
const SUBTYPES: [(&str, &[&str]); 6] = [
    ("FuelTank", &["ChemicalTank", "ElectricTank"]),
    ("Thruster", &["ChemicalThruster", "ElectricThruster"]),
    ("PowerSystem", &["SolarPowerSystem", "NuclearPowerSystem"]),
    ("MeasurementModel", &["TrackingFileSet"]),
    (
        "SpacePoint",
        &[
            "Spacecraft",
            "CelestialBody",
            "CalculatedPoint",
            "Barycenter",
            "LibrationPoint",
            "Formation",
        ],
    ),
    ("PropSetup", &["Spacecraft"]),
];

/// The type a script means by `name`, also under its other spelling.
pub(super) fn resolve(name: &[u8]) -> Option<TypeId> {
    let mut slot = place(name, TYPE_SEED, TYPE_SLOTS);
    loop {
        let (spelling, id) = TYPE_INDEX[slot]?;
        if spelling.as_bytes() == name {
            return Some(TypeId(id));
        }
        slot = (slot + 1) % TYPE_SLOTS;
    }
}

/// Whether `name` is a type of an optional plugin.
pub(super) fn is_plugin_type(name: &[u8]) -> bool {
    PLUGIN_TYPES.iter().any(|known| known.as_bytes() == name)
}

/// Whether `name` means something although no `Create` declares it.
pub(super) fn is_predefined(name: &[u8]) -> bool {
    BUILTINS.iter().any(|known| known.as_bytes() == name)
        || is_plugin_type(name)
        || resolve(name).is_some()
}

/// Every name a `Create` may use as its type.
pub(super) fn type_names() -> impl Iterator<Item = &'static str> {
    let aliases = ALIASES.iter().map(|&(alias, _)| alias);
    TYPES.iter().map(|t| t.name).chain(aliases).chain(PLUGIN_TYPES)
}

/// Every name that means an object although no `Create` declares it, types left out.
pub(super) fn builtins() -> impl Iterator<Item = &'static str> {
    BUILTINS.into_iter()
}

impl TypeId {
    fn row(self) -> &'static Type {
        &TYPES[usize::from(self.0)]
    }

    /// Its name; an alias has that of the type it stands for.
    pub(super) fn name(self) -> &'static str {
        self.row().name
    }

    /// The kind of object GMAT counts this type among.
    pub(super) fn category(self) -> &'static str {
        self.row().category
    }

    /// The names of its fields, sorted.
    pub(super) fn field_names(self) -> impl Iterator<Item = &'static str> {
        self.row().fields.iter().map(|&(name, _)| name).filter(|name| !name.is_empty())
    }

    /// What the field `name` holds; `None` when the type has no such field.
    pub(super) fn field(self, name: &[u8]) -> Option<Kind> {
        let mut slot = place(name, u64::from(self.0), FIELD_SLOTS);
        loop {
            let [owner, row] = FIELD_INDEX[slot];
            if owner == self.0 {
                let (known, kind) = self.row().fields[usize::from(row)];
                if known.as_bytes() == name {
                    return Some(kind);
                }
            } else if owner == NO_TYPE {
                return None;
            }
            slot = (slot + 1) % FIELD_SLOTS;
        }
    }
}

/// Whether a resource created with the type `actual` may stand where `target` is wanted.
///
/// A type the catalogue does not know is never refused: nothing is known against it.
pub(super) fn accepts(target: &str, actual: &str) -> bool {
    let Some(id) = resolve(actual.as_bytes()) else { return true };
    target == "Parameter"
        || target == actual
        || resolve(target.as_bytes()) == Some(id)
        || target == id.category()
        || SUBTYPES.iter().any(|&(name, members)| {
            name == target && members.iter().any(|&m| m == actual || m == id.category())
        })
}

// The two indices are open-addressing hash tables, filled on first use: as data of the module for
// browsers they would not compress. Both are kept less than half full, so a search ends after a step or two and always at an
// empty slot.

const TYPE_SLOTS: usize = 512;
const TYPE_SEED: u64 = 0xFF;
const FIELD_SLOTS: usize = 8192;
/// Stands in an empty slot; the table of types is shorter.
const NO_TYPE: u8 = u8::MAX;

static TYPE_INDEX: LazyLock<[Option<(&str, u8)>; TYPE_SLOTS]> = LazyLock::new(type_index);
/// For each slot a type and one of its rows.
static FIELD_INDEX: LazyLock<[[u8; 2]; FIELD_SLOTS]> = LazyLock::new(field_index);

#[expect(clippy::cast_possible_truncation, reason = "the table has fewer than 256 types")]
fn type_index() -> [Option<(&'static str, u8)>; TYPE_SLOTS] {
    let mut index = [None; TYPE_SLOTS];
    for (id, known) in TYPES.iter().enumerate() {
        let aliases = ALIASES.iter().filter(|(_, name)| *name == known.name);
        for name in aliases.map(|(alias, _)| *alias).chain([known.name]) {
            let mut slot = place(name.as_bytes(), TYPE_SEED, TYPE_SLOTS);
            while index[slot].is_some() {
                slot = (slot + 1) % TYPE_SLOTS;
            }
            index[slot] = Some((name, id as u8));
        }
    }
    index
}

#[expect(clippy::cast_possible_truncation, reason = "no type has more than 256 fields")]
fn field_index() -> [[u8; 2]; FIELD_SLOTS] {
    let mut index = [[NO_TYPE, 0]; FIELD_SLOTS];
    for (id, known) in TYPES.iter().enumerate() {
        for (row, (name, _)) in known.fields.iter().enumerate() {
            let mut slot = place(name.as_bytes(), id as u64, FIELD_SLOTS);
            while index[slot][0] != NO_TYPE {
                slot = (slot + 1) % FIELD_SLOTS;
            }
            index[slot] = [id as u8, row as u8];
        }
    }
    index
}

/// The slot at which the search for `name` starts.
const fn place(name: &[u8], seed: u64, slots: usize) -> usize {
    (crate::gmat::index::hash(name, seed) >> 40) as usize % slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_and_field_of_the_facts_is_found_again() {
        let mut fields = 0;
        for (number, row) in TYPES.iter().enumerate() {
            let id = resolve(row.name.as_bytes()).expect(row.name);
            assert_eq!(usize::from(id.0), number);
            for &(name, kind) in row.fields {
                assert_eq!(id.field(name.as_bytes()), Some(kind), "{}.{name}", row.name);
                fields += 1;
            }
        }
        assert_eq!((TYPES.len(), fields), (102, 2614));
    }

    #[test]
    fn an_alias_is_the_type_it_stands_for_and_names_are_exact() {
        assert_eq!(resolve(b"Propagator"), resolve(b"PropSetup"));
        assert_eq!(resolve(b"ODEModel"), resolve(b"ForceModel"));
        assert_eq!(resolve(b"spacecraft"), None);
        assert_eq!(resolve(b""), None);
        let craft = resolve(b"Spacecraft").expect("a type");
        assert_eq!(craft.field(b"SMA"), Some(Kind::Real));
        assert_eq!(craft.field(b"sma"), None);
        let repeated = words::parameters().find(|word| craft.field(word.as_bytes()).is_some());
        assert_eq!(repeated, None, "a parameter is not a field");
    }

    #[test]
    fn a_target_takes_its_own_type_its_category_its_subtypes_and_anything_unknown() {
        assert!(accepts("Spacecraft", "Spacecraft"));
        assert!(accepts("PropSetup", "Propagator"));
        assert!(accepts("Hardware", "ChemicalTank"));
        assert!(accepts("FuelTank", "ElectricTank"));
        assert!(accepts("SpacePoint", "Asteroid"));
        assert!(accepts("FuelTank", "SNOPT"));
        assert!(accepts("Parameter", "ReportFile"));
        assert!(!accepts("FuelTank", "ChemicalThruster"));
        assert!(!accepts("CoordinateSystem", "Spacecraft"));
    }

    #[test]
    fn a_predefined_name_is_a_builtin_a_plugin_type_or_a_type() {
        for name in ["Earth", "SNOPT", "MJ2000Eq", "Propagator"] {
            assert!(is_predefined(name.as_bytes()), "{name}");
        }
        assert!(!is_predefined(b"earth"));
    }
}
