//! Words of GMAT that the catalogue lacks: commands, options, values, parameters of a spacecraft.
//!
//! Only information is derived from these lists, never a verdict. A list that is not complete
//! raises false alarms, so a field is listed here only if all of its words are known.

/// Commands, and the words that open, divide and close blocks.
const COMMANDS: [&str; 56] = [
    "Achieve",
    "BeginFileThrust",
    "BeginFiniteBurn",
    "BeginMissionSequence",
    "BeginScript",
    "CallGmatFunction",
    "CallMatlabFunction",
    "CallPythonFunction",
    "ClearPlot",
    "Collocate",
    "CommandEcho",
    "Create",
    "Else",
    "ElseIf",
    "EndFileThrust",
    "EndFiniteBurn",
    "EndFor",
    "EndIf",
    "EndOptimize",
    "EndScript",
    "EndTarget",
    "EndWhile",
    "FindEvents",
    "For",
    "GMAT",
    "Global",
    "If",
    "ManageObject",
    "Maneuver",
    "MarkPoint",
    "Minimize",
    "NoOp",
    "NonlinearConstraint",
    "Optimize",
    "PenDown",
    "PenUp",
    "Plot",
    "Propagate",
    "Report",
    "RunEstimator",
    "RunSimulator",
    "RunSmoother",
    "Save",
    "SaveMission",
    "ScriptEvent",
    "Set",
    "SetSeed",
    "Stop",
    "Target",
    "Toggle",
    "UpdateDynamicData",
    "Vary",
    "While",
    "Write",
    "function",
    "#Include",
];

/// Words that are commands only where a block of theirs is open.
const DIVIDERS: [&str; 8] =
    ["Else", "ElseIf", "EndFor", "EndIf", "EndOptimize", "EndScript", "EndTarget", "EndWhile"];

/// Time systems and formats of an epoch.
const EPOCH_FORMATS: &[&str] = &[
    "A1Gregorian",
    "A1ModJulian",
    "TAIGregorian",
    "TAIModJulian",
    "TDBGregorian",
    "TDBModJulian",
    "TTGregorian",
    "TTModJulian",
    "UTCGregorian",
    "UTCModJulian",
];

const STATE_TYPES: &[&str] = &[
    "AlternateEquinoctial",
    "BrouwerMeanLong",
    "BrouwerMeanShort",
    "Cartesian",
    "Delaunay",
    "Equinoctial",
    "IncomingAsymptote",
    "Keplerian",
    "ModifiedEquinoctial",
    "ModifiedKeplerian",
    "OutgoingAsymptote",
    "Planetodetic",
    "SphericalAZFPA",
    "SphericalRADEC",
];

const AXES: &[&str] = &["-N", "-R", "-V", "N", "R", "V"];

/// Type, field and every word the field takes. Types are the canonical ones.
const VALUES: [(&str, &str, &[&str]); 25] = [
    ("Spacecraft", "DateFormat", EPOCH_FORMATS),
    ("Spacecraft", "DisplayStateType", STATE_TYPES),
    ("Spacecraft", "StateType", STATE_TYPES),
    (
        "Spacecraft",
        "Attitude",
        &[
            "CCSDS-AEM",
            "CommandableNadirPointing",
            "CoordinateSystemFixed",
            "NadirPointing",
            "PrecessingSpinner",
            "SpiceAttitude",
            "Spinner",
            "ThreeAxisKinematic",
        ],
    ),
    (
        "Spacecraft",
        "AttitudeDisplayStateType",
        &["DirectionCosineMatrix", "EulerAngles", "MRPs", "Quaternion"],
    ),
    ("Spacecraft", "AttitudeRateDisplayStateType", &["AngularVelocity", "EulerAngleRates"]),
    (
        "Spacecraft",
        "EulerAngleSequence",
        &["121", "123", "131", "132", "212", "213", "231", "232", "312", "313", "321", "323"],
    ),
    (
        "PropSetup",
        "Type",
        &[
            "AdamsBashforthMoulton",
            "BulirschStoer",
            "CCSDS-OEM",
            "Code500",
            "PrinceDormand45",
            "PrinceDormand78",
            "PrinceDormand853",
            "RungeKutta4",
            "RungeKutta56",
            "RungeKutta68",
            "RungeKutta89",
            "SPICESGP4",
            "SPK",
            "STK",
            "TLE",
        ],
    ),
    ("PropSetup", "EpochFormat", EPOCH_FORMATS),
    ("ForceModel", "ErrorControl", &["LargestState", "LargestStep", "None", "RSSState", "RSSStep"]),
    (
        "ForceModel",
        "Drag",
        &[
            "Exponential",
            "JacchiaRoberts",
            "MSISE86",
            "MSISE90",
            "MarsGRAM2005",
            "NRLMSISE00",
            "None",
        ],
    ),
    ("CoordinateSystem", "XAxis", AXES),
    ("CoordinateSystem", "YAxis", AXES),
    ("CoordinateSystem", "ZAxis", AXES),
    ("DifferentialCorrector", "Algorithm", &["Broyden", "ModifiedBroyden", "NewtonRaphson"]),
    (
        "DifferentialCorrector",
        "DerivativeMethod",
        &["BackwardDifference", "CentralDifference", "ForwardDifference"],
    ),
    ("LibrationPoint", "Point", &["L1", "L2", "L3", "L4", "L5"]),
    ("OrbitView", "ViewUpAxis", &["-X", "-Y", "-Z", "X", "Y", "Z"]),
    ("OpenGLPlot", "ViewUpAxis", &["-X", "-Y", "-Z", "X", "Y", "Z"]),
    ("Enhanced3DView", "ViewUpAxis", &["-X", "-Y", "-Z", "X", "Y", "Z"]),
    ("SolarPowerSystem", "EpochFormat", EPOCH_FORMATS),
    ("ContactLocator", "InputEpochFormat", EPOCH_FORMATS),
    ("EclipseLocator", "InputEpochFormat", EPOCH_FORMATS),
    ("IntrusionLocator", "InputEpochFormat", EPOCH_FORMATS),
    ("AcceptFilter", "EpochFormat", EPOCH_FORMATS),
];

/// What the options in braces of a command are called.
const OPTIONS: [(&str, &[&str]); 8] = [
    ("Achieve", &["Tolerance"]),
    ("Collocate", &["ExitMode", "ShowProgressWindow", "SolveMode"]),
    ("FindEvents", &["Append"]),
    ("Optimize", &["ExitMode", "ShowProgressWindow", "SolveMode"]),
    ("RunEstimator", &["SolveMode"]),
    ("Target", &["ApplyCorrections", "ExitMode", "ShowProgressWindow", "SolveMode"]),
    (
        "Vary",
        &[
            "AdditiveScaleFactor",
            "Lower",
            "MaxStep",
            "MultiplicativeScaleFactor",
            "Perturbation",
            "Upper",
        ],
    ),
    ("Write", &["LogFile", "MessageWindow", "ReportFile", "Style"]),
];

/// The words that some options take.
const OPTION_VALUES: [(&str, &[&str]); 3] = [
    ("ExitMode", &["DiscardAndContinue", "SaveAndContinue", "Stop"]),
    ("SolveMode", &["RunInitialGuess", "RunCorrected", "Solve"]),
    ("Style", &["Concise", "Matlab", "Script", "Verbose"]),
];

/// What a force model has below its fields.
const FORCE_PATHS: [&str; 26] = [
    "Degree",
    "Order",
    "PotentialFile",
    "StmLimit",
    "TideFile",
    "TideModel",
    "EarthTideModel",
    "AtmosphereModel",
    "CSSISpaceWeatherFile",
    "DensityModel",
    "DragModel",
    "F107",
    "F107A",
    "HistoricWeatherSource",
    "InputFile",
    "InputSource",
    "MagneticIndex",
    "PredictedWeatherSource",
    "SchattenErrorModel",
    "SchattenFile",
    "SchattenTimingModel",
    "Flux",
    "Flux_Pressure",
    "Nominal_Sun",
    "SRPModel",
    "SolidTides",
];

/// What can be asked of a spacecraft and is not a field of it.
const PARAMETERS: [&str; 50] = [
    "A1Gregorian",
    "A1ModJulian",
    "Acceleration",
    "AccelerationX",
    "AccelerationY",
    "AccelerationZ",
    "Altitude",
    "Apoapsis",
    "AtmosDensity",
    "BdotR",
    "BdotT",
    "BetaAngle",
    "BVectorAngle",
    "BVectorMag",
    "C3Energy",
    "CurrA1MJD",
    "DLA",
    "EA",
    "ElapsedDays",
    "ElapsedSecs",
    "Energy",
    "HA",
    "HMAG",
    "HX",
    "HY",
    "HZ",
    "Latitude",
    "Local",
    "Longitude",
    "LST",
    "MA",
    "MHA",
    "MM",
    "OrbitPeriod",
    "OrbitSTMA",
    "OrbitSTMB",
    "OrbitTime",
    "Penumbra",
    "Periapsis",
    "RLA",
    "TAIGregorian",
    "TAIModJulian",
    "TDBGregorian",
    "TDBModJulian",
    "TTGregorian",
    "TTModJulian",
    "UTCGregorian",
    "UTCModJulian",
    "VelApoapsis",
    "VelPeriapsis",
];

/// Whether `word` is a command or opens, divides or closes a block.
pub(in crate::gmat) fn is_command(word: &[u8]) -> bool {
    COMMANDS.iter().any(|known| known.as_bytes() == word)
}

/// Whether `word` needs an open block.
pub(in crate::gmat) fn is_divider(word: &str) -> bool {
    DIVIDERS.contains(&word)
}

pub(in crate::gmat) fn commands() -> impl Iterator<Item = &'static str> {
    COMMANDS.into_iter()
}

/// Every word that `field` of a resource of this canonical type takes; `None` if they are not known.
pub(in crate::gmat) fn values(kind: &str, field: &str) -> Option<&'static [&'static str]> {
    VALUES.iter().find(|row| row.0 == kind && row.1 == field).map(|row| row.2)
}

/// The options that `command` takes in braces.
pub(in crate::gmat) fn options(command: &str) -> Option<&'static [&'static str]> {
    OPTIONS.iter().find(|row| row.0 == command).map(|row| row.1)
}

/// Every word that an option takes; `None` if they are not known.
pub(in crate::gmat) fn option_values(option: &str) -> Option<&'static [&'static str]> {
    OPTION_VALUES.iter().find(|row| row.0 == option).map(|row| row.1)
}

/// The last steps of the paths of a force model.
pub(in crate::gmat) fn force_paths() -> impl Iterator<Item = &'static str> {
    FORCE_PATHS.into_iter()
}

/// What can be asked of a spacecraft beside its fields.
pub(in crate::gmat) fn parameters() -> impl Iterator<Item = &'static str> {
    PARAMETERS.into_iter()
}
