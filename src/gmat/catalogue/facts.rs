//! The facts of GMAT R2026a: 102 resource types with 2614 fields, and two other spellings.
//!
//! Written by `scripts/make-catalogue` and by nothing else: an edit by hand is lost the next time.
//! Rows are sorted by name, and types with the same fields share one table, named after the first of
//! them. Four types really have a field with an empty name; no script can write it, and it is kept
//! because the count of fields is a fact too.

use super::Kind::{
    Bool, BoolArray, Color, Enum, Filename, Integer, IntegerArray, Matrix, Object, ObjectArray,
    OnOff, Real, RealArray, String, StringArray,
};
use super::{Kind, Type};

/// The release of GMAT these facts describe.
pub(super) const RELEASE: &str = "R2026a";

/// Other spellings a script may use, each with the type it stands for.
pub(super) const ALIASES: [(&str, &str); 2] = [("ODEModel", "ForceModel"), ("Propagator", "PropSetup")];

/// Every type: its name, its category, its fields.
pub(super) static TYPES: [Type; 102] = [
    Type { name: "AcceptFilter", category: "DataFilter", fields: &ACCEPTFILTER },
    Type { name: "Antenna", category: "Hardware", fields: &ANTENNA },
    Type { name: "Array", category: "Parameter", fields: &ARRAY },
    Type { name: "Asteroid", category: "CelestialBody", fields: &ASTEROID },
    Type { name: "Barycenter", category: "CalculatedPoint", fields: &BARYCENTER },
    Type { name: "BatchEstimator", category: "Solver", fields: &BATCHESTIMATOR },
    Type { name: "BatchEstimatorInv", category: "Solver", fields: &BATCHESTIMATOR },
    Type { name: "BodyFixed", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "BodyInertial", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "BodySpinSun", category: "AxisSystem", fields: &BODYSPINSUN },
    Type { name: "CCSDS-AEM", category: "Attitude", fields: &CCSDS_AEM },
    Type { name: "ChemicalTank", category: "Hardware", fields: &CHEMICALTANK },
    Type { name: "ChemicalThruster", category: "Hardware", fields: &CHEMICALTHRUSTER },
    Type { name: "Comet", category: "CelestialBody", fields: &ASTEROID },
    Type { name: "CommandableNadirPointing", category: "Attitude", fields: &CCSDS_AEM },
    Type { name: "ConicalFOV", category: "FieldOfView", fields: &CONICALFOV },
    Type { name: "ContactLocator", category: "EventLocator", fields: &CONTACTLOCATOR },
    Type { name: "CoordinateSystem", category: "CoordinateSystem", fields: &COORDINATESYSTEM },
    Type { name: "CoordinateSystemFixed", category: "Attitude", fields: &CCSDS_AEM },
    Type { name: "CustomFOV", category: "FieldOfView", fields: &CUSTOMFOV },
    Type { name: "DifferentialCorrector", category: "Solver", fields: &DIFFERENTIALCORRECTOR },
    Type { name: "DragForce", category: "PhysicalModel", fields: &DRAGFORCE },
    Type { name: "DynamicDataDisplay", category: "Subscriber", fields: &DYNAMICDATADISPLAY },
    Type { name: "EclipseLocator", category: "EventLocator", fields: &ECLIPSELOCATOR },
    Type { name: "ElectricTank", category: "Hardware", fields: &ELECTRICTANK },
    Type { name: "ElectricThruster", category: "Hardware", fields: &ELECTRICTHRUSTER },
    Type { name: "Enhanced3DView", category: "Subscriber", fields: &ENHANCED3DVIEW },
    Type { name: "EphemerisFile", category: "Subscriber", fields: &EPHEMERISFILE },
    Type { name: "Equator", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "ErrorModel", category: "ErrorModel", fields: &ERRORMODEL },
    Type { name: "Exponential", category: "Atmosphere", fields: &EXPONENTIAL },
    Type { name: "ExtendedKalmanFilter", category: "Solver", fields: &EXTENDEDKALMANFILTER },
    Type { name: "FileInterface", category: "Interface", fields: &FILEINTERFACE },
    Type { name: "FiniteBurn", category: "Burn", fields: &FINITEBURN },
    Type { name: "FiniteThrust", category: "PhysicalModel", fields: &FINITETHRUST },
    Type { name: "ForceModel", category: "ODEModel", fields: &FORCEMODEL },
    Type { name: "Formation", category: "Formation", fields: &FORMATION },
    Type { name: "FuelTank", category: "Hardware", fields: &CHEMICALTANK },
    Type { name: "GSE", category: "AxisSystem", fields: &BODYSPINSUN },
    Type { name: "GSM", category: "AxisSystem", fields: &BODYSPINSUN },
    Type { name: "GmatFunction", category: "Function", fields: &GMATFUNCTION },
    Type { name: "GravityField", category: "PhysicalModel", fields: &GRAVITYFIELD },
    Type { name: "GroundStation", category: "SpacePoint", fields: &GROUNDSTATION },
    Type { name: "GroundTrack", category: "Subscriber", fields: &GROUNDTRACK },
    Type { name: "GroundTrackPlot", category: "Subscriber", fields: &GROUNDTRACK },
    Type { name: "ICRF", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "Imager", category: "Hardware", fields: &IMAGER },
    Type { name: "ImpulsiveBurn", category: "Burn", fields: &IMPULSIVEBURN },
    Type { name: "IntrusionLocator", category: "EventLocator", fields: &INTRUSIONLOCATOR },
    Type { name: "JacchiaRoberts", category: "Atmosphere", fields: &EXPONENTIAL },
    Type { name: "LibrationPoint", category: "CalculatedPoint", fields: &LIBRATIONPOINT },
    Type { name: "LocalAlignedConstrained", category: "AxisSystem", fields: &LOCALALIGNEDCONSTRAINED },
    Type { name: "MJ2000Ec", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "MJ2000Eq", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "MODEc", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "MODEq", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "MOEEc", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "MOEEq", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "MSISE90", category: "Atmosphere", fields: &EXPONENTIAL },
    Type { name: "MessageWindow", category: "Subscriber", fields: &MESSAGEWINDOW },
    Type { name: "Moon", category: "CelestialBody", fields: &ASTEROID },
    Type { name: "NRLMSISE00", category: "Atmosphere", fields: &EXPONENTIAL },
    Type { name: "NadirPointing", category: "Attitude", fields: &CCSDS_AEM },
    Type { name: "NuclearPowerSystem", category: "Hardware", fields: &NUCLEARPOWERSYSTEM },
    Type { name: "ObjectReferenced", category: "AxisSystem", fields: &BODYSPINSUN },
    Type { name: "OpenGLPlot", category: "Subscriber", fields: &ENHANCED3DVIEW },
    Type { name: "OrbitView", category: "Subscriber", fields: &ENHANCED3DVIEW },
    Type { name: "OwnedPlot", category: "Subscriber", fields: &OWNEDPLOT },
    Type { name: "Planet", category: "CelestialBody", fields: &PLANET },
    Type { name: "PointMassForce", category: "PhysicalModel", fields: &POINTMASSFORCE },
    Type { name: "PrecessingSpinner", category: "Attitude", fields: &CCSDS_AEM },
    Type { name: "PropSetup", category: "PropSetup", fields: &PROPSETUP },
    Type { name: "Receiver", category: "Hardware", fields: &RECEIVER },
    Type { name: "RectangularFOV", category: "FieldOfView", fields: &RECTANGULARFOV },
    Type { name: "RejectFilter", category: "DataFilter", fields: &REJECTFILTER },
    Type { name: "RelativisticCorrection", category: "PhysicalModel", fields: &RELATIVISTICCORRECTION },
    Type { name: "ReportFile", category: "Subscriber", fields: &REPORTFILE },
    Type { name: "SPICE", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "Simulator", category: "Solver", fields: &SIMULATOR },
    Type { name: "SolarPowerSystem", category: "Hardware", fields: &SOLARPOWERSYSTEM },
    Type { name: "SolarRadiationPressure", category: "PhysicalModel", fields: &SOLARRADIATIONPRESSURE },
    Type { name: "Spacecraft", category: "Spacecraft", fields: &SPACECRAFT },
    Type { name: "SpiceAttitude", category: "Attitude", fields: &SPICEATTITUDE },
    Type { name: "Spinner", category: "Attitude", fields: &CCSDS_AEM },
    Type { name: "String", category: "Parameter", fields: &STRING },
    Type { name: "TEME", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "TODEc", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "TODEq", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "TOEEc", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "TOEEq", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "TextEphemFile", category: "Subscriber", fields: &REPORTFILE },
    Type { name: "ThreeAxisKinematic", category: "Attitude", fields: &CCSDS_AEM },
    Type { name: "ThrustHistoryFile", category: "Interface", fields: &THRUSTHISTORYFILE },
    Type { name: "ThrustSegment", category: "Interface", fields: &THRUSTSEGMENT },
    Type { name: "Thruster", category: "Hardware", fields: &CHEMICALTHRUSTER },
    Type { name: "Topocentric", category: "AxisSystem", fields: &BODYFIXED },
    Type { name: "TrackingFileSet", category: "MeasurementModel", fields: &TRACKINGFILESET },
    Type { name: "Transmitter", category: "Hardware", fields: &TRANSMITTER },
    Type { name: "Transponder", category: "Hardware", fields: &TRANSPONDER },
    Type { name: "Variable", category: "Parameter", fields: &STRING },
    Type { name: "XYPlot", category: "Subscriber", fields: &XYPLOT },
    Type { name: "Yukon", category: "Solver", fields: &YUKON },
];

static ACCEPTFILTER: [(&str, Kind); 12] = [
    ("Covariance", Matrix), ("DataTypes", StringArray), ("EpochFormat", String),
    ("FileNames", StringArray), ("FinalEpoch", String), ("InitialEpoch", String),
    ("ObservedObjects", ObjectArray("")), ("RecordNumbers", StringArray), ("Strands", StringArray),
    ("ThinMode", String), ("ThinningFrequency", Integer), ("Trackers", ObjectArray("")),
];

static ANTENNA: [(&str, Kind); 30] = [
    ("Coordinates", String), ("Covariance", Matrix), ("Delay", Real), ("DirectionX", Real),
    ("DirectionY", Real), ("DirectionZ", Real), ("FieldOfView", Object("")),
    ("HWOriginInBCSX", Real), ("HWOriginInBCSY", Real), ("HWOriginInBCSZ", Real),
    ("MaskClockAngles", RealArray), ("MaskConeAngles", RealArray), ("NAIFId", Integer),
    ("PhaseCenterLocation1", Real), ("PhaseCenterLocation2", Real), ("PhaseCenterLocation3", Real),
    ("R_SB11", Real), ("R_SB12", Real), ("R_SB13", Real), ("R_SB21", Real), ("R_SB22", Real),
    ("R_SB23", Real), ("R_SB31", Real), ("R_SB32", Real), ("R_SB33", Real),
    ("RotationMatrix", Matrix), ("RotationOption", String), ("SecondDirectionX", Real),
    ("SecondDirectionY", Real), ("SecondDirectionZ", Real),
];

static ARRAY: [(&str, Kind); 15] = [
    ("ColValue", RealArray), ("Color", Integer), ("Covariance", Matrix), ("DepObject", String),
    ("Description", String), ("Expression", String), ("InitialValue", String),
    ("InitialValueType", Integer), ("NumCols", Integer), ("NumRows", Integer),
    ("Object", Object("")), ("RmatValue", Matrix), ("RowValue", RealArray), ("SingleValue", String),
    ("Unit", String),
];

static ASTEROID: [(&str, Kind); 61] = [
    ("3DModelFile", Filename), ("3DModelFileFullPath", Filename), ("3DModelOffsetX", Real),
    ("3DModelOffsetY", Real), ("3DModelOffsetZ", Real), ("3DModelRotationX", Real),
    ("3DModelRotationY", Real), ("3DModelRotationZ", Real), ("3DModelScale", Real),
    ("A1Epoch", Real), ("AOP", Real), ("AngularVelocity", RealArray),
    ("AtmosphereModelName", String), ("BodyNumber", Integer), ("BodyType", String),
    ("CentralBody", String), ("Covariance", Matrix), ("DSNMediaFileDirectories", StringArray),
    ("DateFormat", String), ("Degree", Integer), ("ECC", Real), ("EquatorialRadius", Real),
    ("Flattening", Real), ("FrameSpiceKernelName", StringArray), ("HourAngle", Real), ("INC", Real),
    ("InitialEpoch", Real), ("J2000BodyName", String), ("Mass", Real), ("Mu", Real),
    ("NAIFId", Integer), ("NAIFIdReferenceFrame", Integer), ("OrbitColor", Color),
    ("OrbitSpiceKernelName", StringArray), ("Order", Integer), ("OrientationDateFormat", String),
    ("OrientationEpoch", Real), ("PlanetarySpiceKernelName", StringArray), ("PolarRadius", Real),
    ("PosVelSource", String), ("PotentialFileName", Filename), ("RAAN", Real),
    ("RefBodyNumber", Integer), ("RotationConstant", Real), ("RotationDataSource", String),
    ("RotationRate", Real), ("SCClockSpiceKernelName", StringArray), ("SMA", Real),
    ("SpiceFrameId", String), ("SpinAxisDECConstant", Real), ("SpinAxisDECRate", Real),
    ("SpinAxisRAConstant", Real), ("SpinAxisRARate", Real), ("State", RealArray),
    ("StateTime", Real), ("StateType", String), ("TA", Real), ("TargetColor", Color),
    ("TextureMapFileName", Filename), ("TextureMapFullPath", Filename),
    ("UsePotentialFileFlag", Bool),
];

static BARYCENTER: [(&str, Kind); 14] = [
    ("A1Epoch", Real), ("AttitudeSpiceKernelName", StringArray), ("BodyNames", ObjectArray("")),
    ("Covariance", Matrix), ("FrameSpiceKernelName", StringArray), ("J2000BodyName", String),
    ("NAIFId", Integer), ("NAIFIdReferenceFrame", Integer), ("NumberOfBodies", Integer),
    ("OrbitColor", Color), ("OrbitSpiceKernelName", StringArray),
    ("SCClockSpiceKernelName", StringArray), ("SpiceFrameId", String), ("TargetColor", Color),
];

static BATCHESTIMATOR: [(&str, Kind); 46] = [
    ("AbsoluteTol", Real), ("AddPredictToMatlabFile", Bool), ("AddResidualsPlot", StringArray),
    ("AddSolveFor", StringArray), ("AllowRangeSettings", Bool), ("AllowScaleSetting", Bool),
    ("AllowStepsizeSetting", Bool), ("AllowVariablePertSetting", Bool),
    ("ConvergentStatus", String), ("Covariance", Matrix), ("DataFile", Filename),
    ("DataFileStyle", String), ("DataFilters", StringArray), ("EstimationEpoch", String),
    ("EstimationEpochFormat", String), ("ExitMode", String), ("FreezeIteration", Integer),
    ("FreezeMeasurementEditing", Bool), ("ILSEMaximumIterations", Integer),
    ("ILSEMultiplicativeConstant", Real), ("IntegerSolverStatus", Integer),
    ("InversionAlgorithm", String), ("MatlabFile", Filename),
    ("MaxConsecutiveDivergences", Integer), ("MaximumIterations", Integer),
    ("Measurements", ObjectArray("MeasurementModel")), ("Nested", Bool),
    ("NumberOfVariables", Integer), ("OLSEAdditiveConstant", Real), ("OLSEInitialRMSSigma", Real),
    ("OLSEMultiplicativeConstant", Real), ("OLSEUseRMSP", Bool), ("PredictTimeSpan", Real),
    ("Propagator", ObjectArray("PropSetup")), ("RegisteredComponents", Integer),
    ("RegisteredVariables", Integer), ("RelativeTol", Real), ("ReportFile", Filename),
    ("ReportStyle", Enum(&["Normal", "Concise", "Verbose", "Debug"])),
    ("ResetBestRMSIfDiverging", Bool), ("ShowAllResiduals", OnOff), ("ShowProgress", Bool),
    ("SolverMode", String), ("UseInitialCovariance", Bool), ("UseInnerLoopEditing", Bool),
    ("Variables", StringArray),
];

static BODYFIXED: [(&str, Kind); 6] = [
    ("Covariance", Matrix), ("Epoch", Real), ("J2000Body", Object("")), ("Origin", Object("")),
    ("OverrideOriginInterval", Bool), ("UpdateInterval", Real),
];

static BODYSPINSUN: [(&str, Kind); 11] = [
    ("Covariance", Matrix), ("Epoch", Real), ("J2000Body", Object("")), ("Origin", Object("")),
    ("OverrideOriginInterval", Bool), ("Primary", Object("")), ("Secondary", Object("")),
    ("UpdateInterval", Real), ("XAxis", Enum(&[])), ("YAxis", Enum(&[])), ("ZAxis", Enum(&[])),
];

static CCSDS_AEM: [(&str, Kind); 51] = [
    ("AngularVelocityX", Real), ("AngularVelocityY", Real), ("AngularVelocityZ", Real),
    ("AttitudeConstraintType", String), ("AttitudeCoordinateSystem", Object("CoordinateSystem")),
    ("AttitudeDisplayStateType", String), ("AttitudeFileName", String),
    ("AttitudeRateDisplayStateType", String), ("AttitudeReferenceBody", Object("CelestialBody")),
    ("BodyAlignmentVectorX", Real), ("BodyAlignmentVectorY", Real), ("BodyAlignmentVectorZ", Real),
    ("BodyConstraintVectorX", Real), ("BodyConstraintVectorY", Real),
    ("BodyConstraintVectorZ", Real), ("BodySpinAxisX", Real), ("BodySpinAxisY", Real),
    ("BodySpinAxisZ", Real), ("Covariance", Matrix), ("DCM11", Real), ("DCM12", Real),
    ("DCM13", Real), ("DCM21", Real), ("DCM22", Real), ("DCM23", Real), ("DCM31", Real),
    ("DCM32", Real), ("DCM33", Real), ("Epoch", Real), ("EulerAngle1", Real), ("EulerAngle2", Real),
    ("EulerAngle3", Real), ("EulerAngleRate1", Real), ("EulerAngleRate2", Real),
    ("EulerAngleRate3", Real), ("EulerAngleSequence", String), ("InitialPrecessionAngle", Real),
    ("InitialSpinAngle", Real), ("MRP1", Real), ("MRP2", Real), ("MRP3", Real),
    ("NutationAngle", Real), ("NutationReferenceVectorX", Real), ("NutationReferenceVectorY", Real),
    ("NutationReferenceVectorZ", Real), ("PrecessionRate", Real), ("Q1", Real), ("Q2", Real),
    ("Q3", Real), ("Q4", Real), ("SpinRate", Real),
];

static CHEMICALTANK: [(&str, Kind); 49] = [
    ("AllowNegativeFuelMass", Bool), ("Coordinates", String), ("Covariance", Matrix),
    ("DirectionX", Real), ("DirectionY", Real), ("DirectionZ", Real), ("FuelCenterOfMassX", Real),
    ("FuelCenterOfMassX_BCS", Real), ("FuelCenterOfMassY", Real), ("FuelCenterOfMassY_BCS", Real),
    ("FuelCenterOfMassZ", Real), ("FuelCenterOfMassZ_BCS", Real), ("FuelDensity", Real),
    ("FuelMass", Real), ("FuelMomentOfInertiaXX", Real), ("FuelMomentOfInertiaXX_BCS", Real),
    ("FuelMomentOfInertiaXY", Real), ("FuelMomentOfInertiaXY_BCS", Real),
    ("FuelMomentOfInertiaXZ", Real), ("FuelMomentOfInertiaXZ_BCS", Real),
    ("FuelMomentOfInertiaYY", Real), ("FuelMomentOfInertiaYY_BCS", Real),
    ("FuelMomentOfInertiaYZ", Real), ("FuelMomentOfInertiaYZ_BCS", Real),
    ("FuelMomentOfInertiaZZ", Real), ("FuelMomentOfInertiaZZ_BCS", Real), ("HWOriginInBCSX", Real),
    ("HWOriginInBCSY", Real), ("HWOriginInBCSZ", Real), ("Pressure", Real),
    ("PressureModel", Enum(&["PressureRegulated", "BlowDown"])), ("PressureRegulated", Bool),
    ("R_SB11", Real), ("R_SB12", Real), ("R_SB13", Real), ("R_SB21", Real), ("R_SB22", Real),
    ("R_SB23", Real), ("R_SB31", Real), ("R_SB32", Real), ("R_SB33", Real),
    ("RefTemperature", Real), ("RotationMatrix", Matrix), ("RotationOption", String),
    ("SecondDirectionX", Real), ("SecondDirectionY", Real), ("SecondDirectionZ", Real),
    ("Temperature", Real), ("Volume", Real),
];

static CHEMICALTHRUSTER: [(&str, Kind); 70] = [
    ("", Integer), ("Axes", Enum(&["VNB", "LVLH", "MJ2000Eq", "SpacecraftBody"])), ("C1", Real),
    ("C10", Real), ("C11", Real), ("C12", Real), ("C13", Real), ("C14", Real), ("C15", Real),
    ("C16", Real), ("C2", Real), ("C3", Real), ("C4", Real), ("C5", Real), ("C6", Real),
    ("C7", Real), ("C8", Real), ("C9", Real), ("C_UNITS", StringArray),
    ("CoordinateSystem", Object("CoordinateSystem")), ("Coordinates", String),
    ("Covariance", Matrix), ("DecrementMass", Bool), ("DutyCycle", Real),
    ("GravitationalAccel", Real), ("HWOriginInBCSX", Real), ("HWOriginInBCSY", Real),
    ("HWOriginInBCSZ", Real), ("IsFiring", Bool), ("Isp", Real), ("K1", Real), ("K10", Real),
    ("K11", Real), ("K12", Real), ("K13", Real), ("K14", Real), ("K15", Real), ("K16", Real),
    ("K2", Real), ("K3", Real), ("K4", Real), ("K5", Real), ("K6", Real), ("K7", Real),
    ("K8", Real), ("K9", Real), ("K_UNITS", StringArray), ("MassFlowRate", Real),
    ("MixRatio", RealArray), ("Origin", Object("CelestialBody")), ("R_SB11", Real),
    ("R_SB12", Real), ("R_SB13", Real), ("R_SB21", Real), ("R_SB22", Real), ("R_SB23", Real),
    ("R_SB31", Real), ("R_SB32", Real), ("R_SB33", Real), ("RotationMatrix", Matrix),
    ("RotationOption", String), ("SecondDirectionX", Real), ("SecondDirectionY", Real),
    ("SecondDirectionZ", Real), ("Tank", ObjectArray("FuelTank")), ("Thrust", Real),
    ("ThrustDirection1", Real), ("ThrustDirection2", Real), ("ThrustDirection3", Real),
    ("ThrustScaleFactor", Real),
];

static CONICALFOV: [(&str, Kind); 4] = [
    ("Alpha", Integer), ("Color", Color), ("Covariance", Matrix), ("FieldOfViewAngle", Real),
];

static CONTACTLOCATOR: [(&str, Kind); 20] = [
    ("Covariance", Matrix), ("Filename", Filename), ("FinalEpoch", String),
    ("InitialEpoch", String), ("InputEpochFormat", String), ("IntervalStepSize", Real),
    ("LeftJustified", Bool), ("LightTimeDirection", Enum(&["Transmit", "Receive"])),
    ("Observers", ObjectArray("SpacePoint")), ("OccultingBodies", ObjectArray("CelestialBody")),
    ("ReportFormat", String), ("ReportPrecision", Integer), ("ReportTimeFormat", String),
    ("RunMode", Enum(&["Automatic", "Manual", "Disabled"])), ("StepSize", Real),
    ("Target", Object("")), ("UseEntireInterval", Bool), ("UseLightTimeDelay", Bool),
    ("UseStellarAberration", Bool), ("WriteReport", Bool),
];

static COORDINATESYSTEM: [(&str, Kind); 24] = [
    ("AlignmentVectorX", Real), ("AlignmentVectorY", Real), ("AlignmentVectorZ", Real),
    ("Axes", Object("AxisSystem")), ("ConstraintCoordinateSystem", Object("")),
    ("ConstraintReferenceVectorX", Real), ("ConstraintReferenceVectorY", Real),
    ("ConstraintReferenceVectorZ", Real), ("ConstraintVectorX", Real), ("ConstraintVectorY", Real),
    ("ConstraintVectorZ", Real), ("Covariance", Matrix), ("Epoch", Real), ("J2000Body", Object("")),
    ("Origin", Object("")), ("OverrideOriginInterval", Bool), ("Primary", Object("")),
    ("ReferenceObject", Object("")), ("Secondary", Object("")), ("SpiceFrameId", String),
    ("UpdateInterval", Real), ("XAxis", Enum(&[])), ("YAxis", Enum(&[])), ("ZAxis", Enum(&[])),
];

static CUSTOMFOV: [(&str, Kind); 9] = [
    ("Alpha", Integer), ("Azimuth", RealArray), ("ClockAngles", RealArray), ("Color", Color),
    ("ConeAngles", RealArray), ("Covariance", Matrix), ("Elevation", RealArray),
    ("FOVFileName", Filename), ("InterpolationStepSize", Real),
];

static DIFFERENTIALCORRECTOR: [(&str, Kind); 20] = [
    ("Algorithm", Enum(&[])), ("AllowRangeSettings", Bool), ("AllowScaleSetting", Bool),
    ("AllowStepsizeSetting", Bool), ("AllowVariablePertSetting", Bool), ("Covariance", Matrix),
    ("DerivativeMethod", Enum(&[])), ("ExitMode", String), ("Goals", StringArray),
    ("IntegerSolverStatus", Integer), ("MaximumIterations", Integer), ("Nested", Bool),
    ("NumberOfVariables", Integer), ("RegisteredComponents", Integer),
    ("RegisteredVariables", Integer), ("ReportFile", Filename),
    ("ReportStyle", Enum(&["Normal", "Concise", "Verbose", "Debug"])), ("ShowProgress", Bool),
    ("SolverMode", String), ("Variables", StringArray),
];

static DRAGFORCE: [(&str, Kind); 23] = [
    ("AngularMomentumUpdateInterval", Real), ("AtmosphereBody", String),
    ("AtmosphereModel", Object("")), ("BodyName", Object("")), ("CSSISpaceWeatherFile", String),
    ("Covariance", Matrix), ("DensityModel", String), ("DerivativeID", Integer),
    ("DragModel", String), ("ElapsedSeconds", Real), ("Epoch", Real), ("F107", Real),
    ("F107A", Real), ("FixedCoordinateSystem", String), ("HistoricWeatherSource", String),
    ("InputFile", String), ("InputSource", String), ("KpToApMethod", Integer),
    ("MagneticIndex", Real), ("PredictedWeatherSource", String), ("SchattenErrorModel", String),
    ("SchattenFile", String), ("SchattenTimingModel", String),
];

static DYNAMICDATADISPLAY: [(&str, Kind); 16] = [
    ("AddParameters", ObjectArray("")), ("BackgroundColor", StringArray), ("Covariance", Matrix),
    ("CritBounds", StringArray), ("CritColor", Color), ("Maximized", Bool), ("Minimized", Bool),
    ("RelativeZOrder", Integer), ("RowTextColors", StringArray), ("Size", RealArray),
    ("SolverIterations", Enum(&["All", "Current", "None"])), ("TargetStatus", OnOff),
    ("TextColor", StringArray), ("UpperLeft", RealArray), ("WarnBounds", StringArray),
    ("WarnColor", Color),
];

static ECLIPSELOCATOR: [(&str, Kind); 14] = [
    ("Covariance", Matrix), ("EclipseTypes", StringArray), ("Filename", Filename),
    ("FinalEpoch", String), ("InitialEpoch", String), ("InputEpochFormat", String),
    ("OccultingBodies", ObjectArray("CelestialBody")),
    ("RunMode", Enum(&["Automatic", "Manual", "Disabled"])), ("Spacecraft", Object("")),
    ("StepSize", Real), ("UseEntireInterval", Bool), ("UseLightTimeDelay", Bool),
    ("UseStellarAberration", Bool), ("WriteReport", Bool),
];

static ELECTRICTANK: [(&str, Kind); 42] = [
    ("AllowNegativeFuelMass", Bool), ("Coordinates", String), ("Covariance", Matrix),
    ("DirectionX", Real), ("DirectionY", Real), ("DirectionZ", Real), ("FuelCenterOfMassX", Real),
    ("FuelCenterOfMassX_BCS", Real), ("FuelCenterOfMassY", Real), ("FuelCenterOfMassY_BCS", Real),
    ("FuelCenterOfMassZ", Real), ("FuelCenterOfMassZ_BCS", Real), ("FuelMass", Real),
    ("FuelMomentOfInertiaXX", Real), ("FuelMomentOfInertiaXX_BCS", Real),
    ("FuelMomentOfInertiaXY", Real), ("FuelMomentOfInertiaXY_BCS", Real),
    ("FuelMomentOfInertiaXZ", Real), ("FuelMomentOfInertiaXZ_BCS", Real),
    ("FuelMomentOfInertiaYY", Real), ("FuelMomentOfInertiaYY_BCS", Real),
    ("FuelMomentOfInertiaYZ", Real), ("FuelMomentOfInertiaYZ_BCS", Real),
    ("FuelMomentOfInertiaZZ", Real), ("FuelMomentOfInertiaZZ_BCS", Real), ("HWOriginInBCSX", Real),
    ("HWOriginInBCSY", Real), ("HWOriginInBCSZ", Real), ("R_SB11", Real), ("R_SB12", Real),
    ("R_SB13", Real), ("R_SB21", Real), ("R_SB22", Real), ("R_SB23", Real), ("R_SB31", Real),
    ("R_SB32", Real), ("R_SB33", Real), ("RotationMatrix", Matrix), ("RotationOption", String),
    ("SecondDirectionX", Real), ("SecondDirectionY", Real), ("SecondDirectionZ", Real),
];

static ELECTRICTHRUSTER: [(&str, Kind); 53] = [
    ("", Integer), ("Axes", Enum(&["VNB", "LVLH", "MJ2000Eq", "SpacecraftBody"])),
    ("ConstantThrust", Real), ("CoordinateSystem", Object("CoordinateSystem")),
    ("Coordinates", String), ("Covariance", Matrix), ("DecrementMass", Bool), ("DutyCycle", Real),
    ("FixedEfficiency", Real), ("GravitationalAccel", Real), ("HWOriginInBCSX", Real),
    ("HWOriginInBCSY", Real), ("HWOriginInBCSZ", Real), ("IsFiring", Bool), ("Isp", Real),
    ("MF_UNITS", StringArray), ("MassFlowCoeff1", Real), ("MassFlowCoeff2", Real),
    ("MassFlowCoeff3", Real), ("MassFlowCoeff4", Real), ("MassFlowCoeff5", Real),
    ("MassFlowRate", Real), ("MaximumUsablePower", Real), ("MinimumUsablePower", Real),
    ("MixRatio", RealArray), ("Origin", Object("CelestialBody")), ("R_SB11", Real),
    ("R_SB12", Real), ("R_SB13", Real), ("R_SB21", Real), ("R_SB22", Real), ("R_SB23", Real),
    ("R_SB31", Real), ("R_SB32", Real), ("R_SB33", Real), ("RotationMatrix", Matrix),
    ("RotationOption", String), ("SecondDirectionX", Real), ("SecondDirectionY", Real),
    ("SecondDirectionZ", Real), ("T_UNITS", StringArray), ("Tank", ObjectArray("FuelTank")),
    ("Thrust", Real), ("ThrustCoeff1", Real), ("ThrustCoeff2", Real), ("ThrustCoeff3", Real),
    ("ThrustCoeff4", Real), ("ThrustCoeff5", Real), ("ThrustDirection1", Real),
    ("ThrustDirection2", Real), ("ThrustDirection3", Real),
    ("ThrustModel", Enum(&["ThrustMassPolynomial", "ConstantThrustAndIsp", "FixedEfficiency"])),
    ("ThrustScaleFactor", Real),
];

static ENHANCED3DVIEW: [(&str, Kind); 48] = [
    ("Add", ObjectArray("SpacePoint")), ("Axes", OnOff), ("CelestialPlane", OnOff),
    ("CoordinateSystem", Object("")), ("Covariance", Matrix), ("DataCollectFrequency", Integer),
    ("DrawObject", BoolArray), ("EarthSunLines", OnOff), ("EclipticPlane", OnOff),
    ("EnableConstellations", OnOff), ("EnableStars", OnOff), ("Grid", OnOff),
    ("InitialFOV", Integer), ("MaxFOV", Integer), ("MaxPlotPoints", Integer), ("Maximized", Bool),
    ("MinFOV", Integer), ("Minimized", Bool), ("NumPointsToRedraw", Integer),
    ("OrbitColor", IntegerArray), ("Overlap", OnOff), ("RelativeZOrder", Integer),
    ("ShowLabels", Bool), ("ShowPlot", Bool), ("Size", RealArray),
    ("SolverIterations", Enum(&["All", "Current", "None"])), ("StarCount", Integer),
    ("SunLine", OnOff), ("TargetColor", IntegerArray), ("TargetStatus", OnOff),
    ("UpdatePlotFrequency", Integer), ("UpperLeft", RealArray), ("UseInitialView", OnOff),
    ("ViewDirection", Object("")), ("ViewDirectionType", String),
    ("ViewDirectionVector", RealArray), ("ViewPointRef", Object("")), ("ViewPointRefType", String),
    ("ViewPointRefVector", RealArray), ("ViewPointReference", Object("")),
    ("ViewPointVector", Object("")), ("ViewPointVectorType", String),
    ("ViewPointVectorVector", RealArray), ("ViewScaleFactor", Real), ("ViewUpAxis", Enum(&[])),
    ("ViewUpCoordinateSystem", Object("")), ("WireFrame", OnOff), ("XYPlane", OnOff),
];

static EPHEMERISFILE: [(&str, Kind); 29] = [
    ("AddingAccelerationOption", Bool), ("AddingCovarianceOption", Bool),
    ("CoordinateSystem", Object("CoordinateSystem")), ("Covariance", Matrix),
    ("DistanceUnit", Enum(&["Kilometers", "Meters"])),
    ("EpochFormat", Enum(&["UTCGregorian", "UTCModJulian", "TAIGregorian", "TAIModJulian", "TTGregorian", "TTModJulian", "A1Gregorian", "A1ModJulian"])),
    ("FileFormat", Enum(&["CCSDS-OEM", "SPK", "CK", "Code-500", "STK-TimePosVel"])),
    ("FileFormatVersion", String), ("FileName", String), ("Filename", Filename),
    ("FinalEpoch", Enum(&["FinalSpacecraftEpoch"])), ("FullPathFileName", Filename),
    ("IncludeCovariance", Enum(&["None", "Position", "PositionAndVelocity"])),
    ("IncludeEventBoundaries", Bool), ("InitialEpoch", Enum(&["InitialSpacecraftEpoch"])),
    ("InterpolationOrder", Integer), ("Interpolator", Object("Interpolator")), ("Maximized", Bool),
    ("Minimized", Bool), ("OutputFormat", Enum(&["LittleEndian", "BigEndian"])),
    ("RelativeZOrder", Integer), ("Size", RealArray),
    ("SolverIterations", Enum(&["All", "Current", "None"])), ("Spacecraft", Object("Spacecraft")),
    ("StateType", Enum(&["Cartesian", "Quaternion"])), ("StepSize", Enum(&["IntegratorSteps"])),
    ("TargetStatus", OnOff), ("UpperLeft", RealArray), ("WriteEphemeris", Bool),
];

static ERRORMODEL: [(&str, Kind); 8] = [
    ("Bias", Real), ("BiasSigma", Real), ("Covariance", Matrix), ("Id", String),
    ("NoiseSigma", Real), ("PassBiases", RealArray), ("SolveFors", StringArray), ("Type", String),
];

static EXPONENTIAL: [(&str, Kind); 6] = [
    ("CSSISpaceWeatherFile", String), ("Covariance", Matrix), ("F107", Real), ("F107A", Real),
    ("MagneticIndex", Real), ("SchattenFile", String),
];

static EXTENDEDKALMANFILTER: [(&str, Kind); 39] = [
    ("AddPredictToMatlabFile", Bool), ("AddResidualsPlot", StringArray),
    ("AddSolveFor", StringArray), ("AllowRangeSettings", Bool), ("AllowScaleSetting", Bool),
    ("AllowStepsizeSetting", Bool), ("AllowVariablePertSetting", Bool), ("Covariance", Matrix),
    ("DataFile", Filename), ("DataFileStyle", String), ("DataFilters", StringArray),
    ("DelayRectifyTimeSpan", Real), ("EstimationEpoch", String), ("EstimationEpochFormat", String),
    ("ExitMode", String), ("InputWarmStartFile", String), ("IntegerSolverStatus", Integer),
    ("MatlabFile", Filename), ("MaximumIterations", Integer), ("MeasDeweightingCoefficient", Real),
    ("MeasDeweightingSigmaThreshold", Real), ("Measurements", ObjectArray("MeasurementModel")),
    ("Nested", Bool), ("NumberOfVariables", Integer), ("OutputWarmStartFile", String),
    ("PredictTimeSpan", Real), ("ProcessNoiseTimeStep", Real),
    ("Propagator", ObjectArray("PropSetup")), ("RegisteredComponents", Integer),
    ("RegisteredVariables", Integer), ("ReportFile", Filename),
    ("ReportStyle", Enum(&["Normal", "Concise", "Verbose", "Debug"])),
    ("ScaledResidualThreshold", Real), ("ShowAllResiduals", OnOff), ("ShowProgress", Bool),
    ("SolverMode", String), ("Variables", StringArray), ("WarmStartEpoch", String),
    ("WarmStartEpochFormat", String),
];

static FILEINTERFACE: [(&str, Kind); 5] = [
    ("Covariance", Matrix), ("Filename", Filename), ("Format", Enum(&["TVHF_ASCII"])),
    ("SelectedFields", StringArray), ("SupportedFields", StringArray),
];

static FINITEBURN: [(&str, Kind); 13] = [
    ("Axes", Enum(&["VNB", "LVLH", "MJ2000Eq", "SpacecraftBody"])), ("BurnScaleFactor", Real),
    ("CoordinateSystem", Object("")), ("Covariance", Matrix), ("Element1", Real),
    ("Element2", Real), ("Element3", Real), ("Origin", Object("")), ("SpacecraftName", Object("")),
    ("Tanks", ObjectArray("FuelTank")), ("ThrottleLogicAlgorithm", String),
    ("Thrusters", ObjectArray("Thruster")), ("VectorFormat", Enum(&[])),
];

static FINITETHRUST: [(&str, Kind); 5] = [
    ("BodyName", Object("")), ("Covariance", Matrix), ("DerivativeID", Integer),
    ("ElapsedSeconds", Real), ("Epoch", Real),
];

static FORCEMODEL: [(&str, Kind); 21] = [
    ("BodyDensity", Real), ("BodyName", Object("")), ("CentralBody", Object("")),
    ("CoordinateSystemList", ObjectArray("")), ("Covariance", Matrix),
    ("CreateForceBody", Object("")), ("DerivativeID", Integer), ("DerivativesFunction", String),
    ("Drag", Object("")), ("ElapsedSeconds", Real), ("Epoch", Real), ("ErrorControl", Enum(&[])),
    ("External", String), ("PointMasses", ObjectArray("")), ("PolyhedralBodies", ObjectArray("")),
    ("PrimaryBodies", ObjectArray("")), ("RelativisticCorrection", OnOff), ("SRP", OnOff),
    ("SRPModel", Enum(&["Spherical", "SPADFile", "NPlate"])), ("ShapeFileName", Filename),
    ("UserDefined", ObjectArray("")),
];

static FORMATION: [(&str, Kind); 17] = [
    ("A1Epoch", Real), ("Add", ObjectArray("")), ("AttitudeSpiceKernelName", StringArray),
    ("CartesianState", Real), ("Clear", Bool), ("Covariance", Matrix),
    ("FrameSpiceKernelName", StringArray), ("J2000BodyName", String), ("NAIFId", Integer),
    ("NAIFIdReferenceFrame", Integer), ("OrbitColor", Color), ("OrbitSpiceKernelName", StringArray),
    ("Remove", Object("")), ("SCClockSpiceKernelName", StringArray), ("STM", Matrix),
    ("SpiceFrameId", String), ("TargetColor", Color),
];

static GMATFUNCTION: [(&str, Kind); 5] = [
    ("Covariance", Matrix), ("FunctionName", String), ("FunctionPath", Filename),
    ("Input", StringArray), ("Output", StringArray),
];

static GRAVITYFIELD: [(&str, Kind); 20] = [
    ("A", Real), ("BodyName", Object("")), ("Covariance", Matrix), ("Degree", Integer),
    ("DerivativeID", Integer), ("ElapsedSeconds", Real), ("Epoch", Real),
    ("FixedCoordinateSystem", String), ("InputCoordinateSystem", String), ("MaxDegree", Integer),
    ("MaxOrder", Integer), ("Mu", Real), ("Order", Integer), ("PotentialFile", Filename),
    ("PotentialFileFullPath", Filename), ("StmLimit", Integer), ("TargetCoordinateSystem", String),
    ("TideFile", Filename), ("TideFileFullPath", Filename), ("TideModel", String),
];

static GROUNDSTATION: [(&str, Kind); 38] = [
    ("", String), ("A1Epoch", Real), ("AddHardware", ObjectArray("")), ("Altitude", Real),
    ("AttitudeSpiceKernelName", StringArray), ("CentralBody", Object("CelestialBody")),
    ("Covariance", Matrix), ("DataSource", String), ("ErrorModels", ObjectArray("")),
    ("FrameSpiceKernelName", StringArray), ("HorizonMaskFileName", Filename),
    ("HorizonReference", Enum(&["Sphere", "Ellipsoid"])), ("Humidity", Real), ("Id", String),
    ("IonosphereModel", String), ("J2000BodyName", String), ("LOCATION_LABEL_1", String),
    ("LOCATION_LABEL_2", String), ("LOCATION_LABEL_3LOCATION_UNITS_1", String),
    ("LOCATION_UNITS_2", String), ("LOCATION_UNITS_3", String), ("Latitude", Real),
    ("Location1", Real), ("Location2", Real), ("Location3", Real), ("Longitude", Real),
    ("MinimumElevationAngle", Real), ("NAIFId", Integer), ("NAIFIdReferenceFrame", Integer),
    ("OrbitColor", Color), ("OrbitSpiceKernelName", StringArray), ("Pressure", Real),
    ("SCClockSpiceKernelName", StringArray), ("SpiceFrameId", String),
    ("StateType", Enum(&["Cartesian", "Spherical"])), ("TargetColor", Color), ("Temperature", Real),
    ("TroposphereModel", String),
];

static GROUNDTRACK: [(&str, Kind); 22] = [
    ("Add", ObjectArray("")), ("CentralBody", Object("")), ("Covariance", Matrix),
    ("DataCollectFrequency", Integer), ("LatitudeLineCount", Integer), ("LineWidth", Integer),
    ("LongitudeLineCount", Integer), ("MaxPlotPoints", Integer), ("Maximized", Bool),
    ("Minimized", Bool), ("NumPointsToRedraw", Integer), ("RelativeZOrder", Integer),
    ("ShowFootPrints", String), ("ShowName", BoolArray), ("ShowPlot", Bool), ("Size", RealArray),
    ("SolverIterations", Enum(&["All", "Current", "None"])), ("TargetStatus", OnOff),
    ("TextureMap", Filename), ("UpdatePlotFrequency", Integer), ("UpperLeft", RealArray),
    ("UseGrid", Bool),
];

static IMAGER: [(&str, Kind); 26] = [
    ("Coordinates", String), ("Covariance", Matrix), ("DirectionX", Real), ("DirectionY", Real),
    ("DirectionZ", Real), ("FieldOfView", Object("")), ("HWOriginInBCSX", Real),
    ("HWOriginInBCSY", Real), ("HWOriginInBCSZ", Real), ("MaskClockAngles", RealArray),
    ("MaskConeAngles", RealArray), ("NAIFId", Integer), ("R_SB11", Real), ("R_SB12", Real),
    ("R_SB13", Real), ("R_SB21", Real), ("R_SB22", Real), ("R_SB23", Real), ("R_SB31", Real),
    ("R_SB32", Real), ("R_SB33", Real), ("RotationMatrix", Matrix), ("RotationOption", String),
    ("SecondDirectionX", Real), ("SecondDirectionY", Real), ("SecondDirectionZ", Real),
];

static IMPULSIVEBURN: [(&str, Kind); 14] = [
    ("Axes", Enum(&["VNB", "LVLH", "MJ2000Eq", "SpacecraftBody"])),
    ("CoordinateSystem", Object("")), ("Covariance", Matrix), ("DecrementMass", Bool),
    ("DeltaTankMass", Real), ("Element1", Real), ("Element2", Real), ("Element3", Real),
    ("GravitationalAccel", Real), ("Isp", Real), ("Origin", Object("")),
    ("SpacecraftName", Object("")), ("Tank", ObjectArray("FuelTank")), ("VectorFormat", Enum(&[])),
];

static INTRUSIONLOCATOR: [(&str, Kind); 19] = [
    ("CentralBody", Object("CelestialBody")), ("Covariance", Matrix), ("Filename", Filename),
    ("FinalEpoch", String), ("InitialEpoch", String), ("InputEpochFormat", String),
    ("IntrudingBodies", ObjectArray("SpacePoint")), ("MinimumPhase", Real),
    ("OccultingBodies", ObjectArray("CelestialBody")), ("ReportCoordinates", String),
    ("RunMode", Enum(&["Automatic", "Manual", "Disabled"])), ("Sensors", ObjectArray("Hardware")),
    ("Spacecraft", Object("")), ("SpiceGridFrameFile", String), ("StepSize", Real),
    ("UseEntireInterval", Bool), ("UseLightTimeDelay", Bool), ("UseStellarAberration", Bool),
    ("WriteReport", Bool),
];

static LIBRATIONPOINT: [(&str, Kind); 17] = [
    ("A1Epoch", Real), ("AttitudeSpiceKernelName", StringArray), ("BodyNames", ObjectArray("")),
    ("Covariance", Matrix), ("FrameSpiceKernelName", StringArray), ("J2000BodyName", String),
    ("NAIFId", Integer), ("NAIFIdReferenceFrame", Integer), ("NumberOfBodies", Integer),
    ("OrbitColor", Color), ("OrbitSpiceKernelName", StringArray), ("Point", Enum(&[])),
    ("Primary", Object("")), ("SCClockSpiceKernelName", StringArray), ("Secondary", Object("")),
    ("SpiceFrameId", String), ("TargetColor", Color),
];

static LOCALALIGNEDCONSTRAINED: [(&str, Kind); 17] = [
    ("AlignmentVectorX", Real), ("AlignmentVectorY", Real), ("AlignmentVectorZ", Real),
    ("ConstraintCoordinateSystem", Object("")), ("ConstraintReferenceVectorX", Real),
    ("ConstraintReferenceVectorY", Real), ("ConstraintReferenceVectorZ", Real),
    ("ConstraintVectorX", Real), ("ConstraintVectorY", Real), ("ConstraintVectorZ", Real),
    ("Covariance", Matrix), ("Epoch", Real), ("J2000Body", Object("")), ("Origin", Object("")),
    ("OverrideOriginInterval", Bool), ("ReferenceObject", Object("")), ("UpdateInterval", Real),
];

static MESSAGEWINDOW: [(&str, Kind); 9] = [
    ("Covariance", Matrix), ("Dec", Integer), ("Maximized", Bool), ("Minimized", Bool),
    ("RelativeZOrder", Integer), ("Size", RealArray),
    ("SolverIterations", Enum(&["All", "Current", "None"])), ("TargetStatus", OnOff),
    ("UpperLeft", RealArray),
];

static NUCLEARPOWERSYSTEM: [(&str, Kind); 33] = [
    ("AnnualDecayRate", Real), ("BusCoeff1", Real), ("BusCoeff2", Real), ("BusCoeff3", Real),
    ("Coordinates", String), ("Covariance", Matrix), ("DirectionX", Real), ("DirectionY", Real),
    ("DirectionZ", Real), ("EpochFormat", String), ("HWOriginInBCSX", Real),
    ("HWOriginInBCSY", Real), ("HWOriginInBCSZ", Real), ("InitialEpoch", String),
    ("InitialMaxPower", Real), ("Margin", Real), ("R_SB11", Real), ("R_SB12", Real),
    ("R_SB13", Real), ("R_SB21", Real), ("R_SB22", Real), ("R_SB23", Real), ("R_SB31", Real),
    ("R_SB32", Real), ("R_SB33", Real), ("RequiredBusPower", Real), ("RotationMatrix", Matrix),
    ("RotationOption", String), ("SecondDirectionX", Real), ("SecondDirectionY", Real),
    ("SecondDirectionZ", Real), ("ThrustPowerAvailable", Real), ("TotalPowerAvailable", Real),
];

static OWNEDPLOT: [(&str, Kind); 18] = [
    ("Add", ObjectArray("")), ("Covariance", Matrix), ("DataCollectFrequency", Integer),
    ("DefaultColor", Integer), ("Grid", OnOff), ("LineStyle", Integer), ("LineWidth", Integer),
    ("Marker", Integer), ("MarkerSize", Integer), ("PlotTitle", String), ("ShowLegend", Bool),
    ("ShowPlot", Bool), ("UpdatePlotFrequency", Integer), ("UseHiLow", Bool), ("UseLines", Bool),
    ("UseMarkers", Bool), ("XAxisTitle", String), ("YAxisTitle", String),
];

static PLANET: [(&str, Kind); 63] = [
    ("3DModelFile", Filename), ("3DModelFileFullPath", Filename), ("3DModelOffsetX", Real),
    ("3DModelOffsetY", Real), ("3DModelOffsetZ", Real), ("3DModelRotationX", Real),
    ("3DModelRotationY", Real), ("3DModelRotationZ", Real), ("3DModelScale", Real),
    ("A1Epoch", Real), ("AOP", Real), ("AngularVelocity", RealArray),
    ("AtmosphereModelName", String), ("BodyNumber", Integer), ("BodyType", String),
    ("CentralBody", String), ("Covariance", Matrix), ("DSNMediaFileDirectories", StringArray),
    ("DateFormat", String), ("Degree", Integer), ("ECC", Real), ("EopFileName", String),
    ("EquatorialRadius", Real), ("Flattening", Real), ("FrameSpiceKernelName", StringArray),
    ("HourAngle", Real), ("INC", Real), ("InitialEpoch", Real), ("J2000BodyName", String),
    ("Mass", Real), ("Mu", Real), ("NAIFId", Integer), ("NAIFIdReferenceFrame", Integer),
    ("NutationUpdateInterval", Real), ("OrbitColor", Color), ("OrbitSpiceKernelName", StringArray),
    ("Order", Integer), ("OrientationDateFormat", String), ("OrientationEpoch", Real),
    ("PlanetarySpiceKernelName", StringArray), ("PolarRadius", Real), ("PosVelSource", String),
    ("PotentialFileName", Filename), ("RAAN", Real), ("RefBodyNumber", Integer),
    ("RotationConstant", Real), ("RotationDataSource", String), ("RotationRate", Real),
    ("SCClockSpiceKernelName", StringArray), ("SMA", Real), ("SpiceFrameId", String),
    ("SpinAxisDECConstant", Real), ("SpinAxisDECRate", Real), ("SpinAxisRAConstant", Real),
    ("SpinAxisRARate", Real), ("State", RealArray), ("StateTime", Real), ("StateType", String),
    ("TA", Real), ("TargetColor", Color), ("TextureMapFileName", Filename),
    ("TextureMapFullPath", Filename), ("UsePotentialFileFlag", Bool),
];

static POINTMASSFORCE: [(&str, Kind); 9] = [
    ("BodyName", Object("")), ("Covariance", Matrix), ("DerivativeID", Integer),
    ("ElapsedSeconds", Real), ("Epoch", Real), ("EstimateMethod", Real), ("GravConst", Real),
    ("PrimaryBody", Bool), ("Radius", Real),
];

static PROPSETUP: [(&str, Kind); 20] = [
    ("Accuracy", Real), ("CentralBody", Object("")), ("Covariance", Matrix),
    ("EpochFormat", String), ("ErrorThreshold", Real), ("FM", Object("")),
    ("InitialStepSize", Real), ("LowerError", Real), ("MaxStep", Real),
    ("MaxStepAttempts", Integer), ("MaximumReduction", Real), ("MinStep", Real),
    ("MinimumReduction", Real), ("MinimumTolerance", Real), ("SmallestInterval", Real),
    ("StartEpoch", String), ("StepSize", Real), ("StopIfAccuracyIsViolated", Bool),
    ("TargetError", Real), ("Type", Object("")),
];

static RECEIVER: [(&str, Kind); 34] = [
    ("Bandwidth", Real), ("CenterFrequency", Real), ("Coordinates", String), ("Covariance", Matrix),
    ("DirectionX", Real), ("DirectionY", Real), ("DirectionZ", Real),
    ("ErrorModels", ObjectArray("")), ("FieldOfView", Object("")), ("FrequencyModel", String),
    ("HWOriginInBCSX", Real), ("HWOriginInBCSY", Real), ("HWOriginInBCSZ", Real),
    ("HardwareDelay", Real), ("Id", String), ("MaskClockAngles", RealArray),
    ("MaskConeAngles", RealArray), ("NAIFId", Integer), ("PrimaryAntenna", Object("Antenna")),
    ("R_SB11", Real), ("R_SB12", Real), ("R_SB13", Real), ("R_SB21", Real), ("R_SB22", Real),
    ("R_SB23", Real), ("R_SB31", Real), ("R_SB32", Real), ("R_SB33", Real),
    ("RotationMatrix", Matrix), ("RotationOption", String), ("SecondDirectionX", Real),
    ("SecondDirectionY", Real), ("SecondDirectionZ", Real), ("SensorID", String),
];

static RECTANGULARFOV: [(&str, Kind); 5] = [
    ("Alpha", Integer), ("AngleHeight", Real), ("AngleWidth", Real), ("Color", Color),
    ("Covariance", Matrix),
];

static REJECTFILTER: [(&str, Kind); 10] = [
    ("Covariance", Matrix), ("DataTypes", StringArray), ("EpochFormat", String),
    ("FileNames", StringArray), ("FinalEpoch", String), ("InitialEpoch", String),
    ("ObservedObjects", ObjectArray("")), ("RecordNumbers", StringArray), ("Strands", StringArray),
    ("Trackers", ObjectArray("")),
];

static RELATIVISTICCORRECTION: [(&str, Kind); 7] = [
    ("BodyName", Object("")), ("Covariance", Matrix), ("DerivativeID", Integer),
    ("ElapsedSeconds", Real), ("Epoch", Real), ("Mu", Real), ("Radius", Real),
];

static REPORTFILE: [(&str, Kind); 20] = [
    ("Add", ObjectArray("")), ("AppendToExistingFile", Bool), ("ColumnWidth", Integer),
    ("Covariance", Matrix), ("Delimiter", String), ("Filename", Filename), ("FixedWidth", Bool),
    ("FullPathFileName", Filename), ("LeftJustify", OnOff), ("Maximized", Bool),
    ("Minimized", Bool), ("Precision", Integer), ("RelativeZOrder", Integer), ("Size", RealArray),
    ("SolverIterations", Enum(&["All", "Current", "None"])), ("TargetStatus", OnOff),
    ("UpperLeft", RealArray), ("WriteHeaders", Bool), ("WriteReport", Bool), ("ZeroFill", OnOff),
];

static SIMULATOR: [(&str, Kind); 24] = [
    ("AddData", ObjectArray("MeasurementModel")), ("AddNoise", OnOff), ("AllowRangeSettings", Bool),
    ("AllowScaleSetting", Bool), ("AllowStepsizeSetting", Bool), ("AllowVariablePertSetting", Bool),
    ("Covariance", Matrix),
    ("EpochFormat", Enum(&["A1ModJulian", "TAIModJulian", "UTCModJulian", "TDBModJulian", "TTModJulian", "A1Gregorian", "TAIGregorian", "UTCGregorian", "TDBGregorian", "TTGregorian"])),
    ("ExitMode", String), ("FinalEpoch", String), ("InitialEpoch", String),
    ("IntegerSolverStatus", Integer), ("MaximumIterations", Integer), ("MeasurementTimeStep", Real),
    ("Nested", Bool), ("NumberOfVariables", Integer), ("Propagator", ObjectArray("PropSetup")),
    ("RegisteredComponents", Integer), ("RegisteredVariables", Integer), ("ReportFile", Filename),
    ("ReportStyle", Enum(&["Normal", "Concise", "Verbose", "Debug"])), ("ShowProgress", Bool),
    ("SolverMode", String), ("Variables", StringArray),
];

static SOLARPOWERSYSTEM: [(&str, Kind); 40] = [
    ("AnnualDecayRate", Real), ("BusCoeff1", Real), ("BusCoeff2", Real), ("BusCoeff3", Real),
    ("Coordinates", String), ("Covariance", Matrix), ("DirectionX", Real), ("DirectionY", Real),
    ("DirectionZ", Real), ("EpochFormat", String), ("HWOriginInBCSX", Real),
    ("HWOriginInBCSY", Real), ("HWOriginInBCSZ", Real), ("InitialEpoch", String),
    ("InitialMaxPower", Real), ("Margin", Real), ("R_SB11", Real), ("R_SB12", Real),
    ("R_SB13", Real), ("R_SB21", Real), ("R_SB22", Real), ("R_SB23", Real), ("R_SB31", Real),
    ("R_SB32", Real), ("R_SB33", Real), ("RequiredBusPower", Real), ("RotationMatrix", Matrix),
    ("RotationOption", String), ("SecondDirectionX", Real), ("SecondDirectionY", Real),
    ("SecondDirectionZ", Real), ("ShadowBodies", StringArray), ("ShadowModel", String),
    ("SolarCoeff1", Real), ("SolarCoeff2", Real), ("SolarCoeff3", Real), ("SolarCoeff4", Real),
    ("SolarCoeff5", Real), ("ThrustPowerAvailable", Real), ("TotalPowerAvailable", Real),
];

static SOLARRADIATIONPRESSURE: [(&str, Kind); 21] = [
    ("Area", Real), ("BodyName", Object("")), ("BodyRadius", Real), ("CR", Real),
    ("Covariance", Matrix), ("DerivativeID", Integer), ("ElapsedSeconds", Real), ("Epoch", Real),
    ("ExtraShadowBodies", StringArray), ("Flux", Real), ("Flux_Pressure", Real), ("Mass", Real),
    ("Nominal_Sun", Real), ("PCBrad", Real), ("PercentSun", Real),
    ("SRPModel", Enum(&["Spherical", "SPADFile", "NPlate"])), ("ShadowModel", Integer),
    ("SunRadius", Real), ("Sun_Distance", Real), ("UseAnalytic", Bool), ("VectorModel", Integer),
];

static SPACECRAFT: [(&str, Kind); 236] = [
    ("A1Epoch", Real), ("AOP", Real), ("AZI", Real), ("AddHardware", ObjectArray("")),
    ("AddPlates", ObjectArray("")), ("AltEquinoctialP", Real), ("AltEquinoctialQ", Real),
    ("AngularVelocityX", Real), ("AngularVelocityY", Real), ("AngularVelocityZ", Real),
    ("AnomalyType", Enum(&[])), ("AtmosDensityScaleFactor", Real),
    ("AtmosDensityScaleFactorSigma", Real), ("AtmosDensity_Epsilon", Real),
    ("Attitude", Object("")), ("AttitudeConstraintType", String),
    ("AttitudeCoordinateSystem", Object("CoordinateSystem")), ("AttitudeDisplayStateType", String),
    ("AttitudeFileName", String), ("AttitudeKernelName", StringArray),
    ("AttitudeRateDisplayStateType", String), ("AttitudeReferenceBody", Object("CelestialBody")),
    ("AttitudeSpiceKernelName", StringArray), ("BodyAlignmentVectorX", Real),
    ("BodyAlignmentVectorY", Real), ("BodyAlignmentVectorZ", Real), ("BodyConstraintVectorX", Real),
    ("BodyConstraintVectorY", Real), ("BodyConstraintVectorZ", Real), ("BodySpinAxisX", Real),
    ("BodySpinAxisY", Real), ("BodySpinAxisZ", Real), ("BrouwerLongAOP", Real),
    ("BrouwerLongECC", Real), ("BrouwerLongINC", Real), ("BrouwerLongMA", Real),
    ("BrouwerLongRAAN", Real), ("BrouwerLongSMA", Real), ("BrouwerShortAOP", Real),
    ("BrouwerShortECC", Real), ("BrouwerShortINC", Real), ("BrouwerShortMA", Real),
    ("BrouwerShortRAAN", Real), ("BrouwerShortSMA", Real), ("CartesianVX", Real),
    ("CartesianVY", Real), ("CartesianVZ", Real), ("CartesianX", Real), ("CartesianY", Real),
    ("CartesianZ", Real), ("Cd", Real), ("CdSigma", Real), ("Cd_Epsilon", Real),
    ("CenterOfMassOffsetX", Real), ("CenterOfMassOffsetY", Real), ("CenterOfMassOffsetZ", Real),
    ("CenterOfMassTableFileName", String), ("CoordinateSystem", Object("CoordinateSystem")),
    ("Covariance", Matrix), ("Cr", Real), ("CrSigma", Real), ("Cr_Epsilon", Real), ("DCM11", Real),
    ("DCM12", Real), ("DCM13", Real), ("DCM21", Real), ("DCM22", Real), ("DCM23", Real),
    ("DCM31", Real), ("DCM32", Real), ("DCM33", Real), ("DEC", Real), ("DECV", Real),
    ("DateFormat", Enum(&[])), ("DelaunayG", Real), ("DelaunayH", Real), ("DelaunayL", Real),
    ("Delaunayg", Real), ("Delaunayh", Real), ("Delaunayl", Real), ("DisplayStateType", Enum(&[])),
    ("DragArea", Real), ("DryCenterOfMassX", Real), ("DryCenterOfMassY", Real),
    ("DryCenterOfMassZ", Real), ("DryMass", Real), ("DryMomentOfInertiaXX", Real),
    ("DryMomentOfInertiaXY", Real), ("DryMomentOfInertiaXZ", Real), ("DryMomentOfInertiaYY", Real),
    ("DryMomentOfInertiaYZ", Real), ("DryMomentOfInertiaZZ", Real), ("ECC", Real),
    ("Element1Units", String), ("Element2Units", String), ("Element3Units", String),
    ("Element4Units", String), ("Element5Units", String), ("Element6Units", String),
    ("EphemerisName", String), ("Epoch", String), ("EquinoctialH", Real), ("EquinoctialK", Real),
    ("EquinoctialP", Real), ("EquinoctialQ", Real), ("EstimationStateType", String),
    ("EulerAngle1", Real), ("EulerAngle2", Real), ("EulerAngle3", Real), ("EulerAngleRate1", Real),
    ("EulerAngleRate2", Real), ("EulerAngleRate3", Real), ("EulerAngleSequence", String),
    ("ExtendedMassPropertiesModel", String), ("ExtendedMassPropertiesModelType", String),
    ("FPA", Real), ("FrameKernelName", StringArray), ("FrameSpiceKernelName", StringArray),
    ("FullAMatrix", Matrix), ("FullSTM", Matrix), ("FullSTMRowCount", Integer), ("INC", Real),
    ("Id", String), ("IncomingBVAZI", Real), ("IncomingC3Energy", Real), ("IncomingDHA", Real),
    ("IncomingRHA", Real), ("IncomingRadPer", Real), ("InitialPrecessionAngle", Real),
    ("InitialSpinAngle", Real), ("J2000BodyName", String), ("MLONG", Real), ("MRP1", Real),
    ("MRP2", Real), ("MRP3", Real), ("MassFlow", Real), ("MassPropertiesTableFilePath", String),
    ("ModEquinoctialF", Real), ("ModEquinoctialG", Real), ("ModEquinoctialH", Real),
    ("ModEquinoctialK", Real), ("ModelFile", Filename), ("ModelFileFullPath", Filename),
    ("ModelOffsetX", Real), ("ModelOffsetY", Real), ("ModelOffsetZ", Real),
    ("ModelRotationX", Real), ("ModelRotationY", Real), ("ModelRotationZ", Real),
    ("ModelScale", Real), ("MomentOfInertiaOffsetXX", Real), ("MomentOfInertiaOffsetXY", Real),
    ("MomentOfInertiaOffsetXZ", Real), ("MomentOfInertiaOffsetYY", Real),
    ("MomentOfInertiaOffsetYZ", Real), ("MomentOfInertiaOffsetZZ", Real),
    ("MomentOfInertiaTableFileName", String), ("NAIFId", Integer),
    ("NAIFIdReferenceFrame", Integer), ("NPlateSRPAddEqualityConstraint", StringArray),
    ("NPlateSRPEquateAreaCoefficients", StringArray), ("NutationAngle", Real),
    ("NutationReferenceVectorX", Real), ("NutationReferenceVectorY", Real),
    ("NutationReferenceVectorZ", Real), ("OrbitAMatrix", Matrix), ("OrbitColor", Color),
    ("OrbitErrorCovariance", Matrix), ("OrbitSTM", Matrix), ("OrbitSpiceKernelName", StringArray),
    ("OutgoingBVAZI", Real), ("OutgoingC3Energy", Real), ("OutgoingDHA", Real),
    ("OutgoingRHA", Real), ("OutgoingRadPer", Real), ("PlanetodeticAZI", Real),
    ("PlanetodeticHFPA", Real), ("PlanetodeticLAT", Real), ("PlanetodeticLON", Real),
    ("PlanetodeticRMAG", Real), ("PlanetodeticVMAG", Real), ("PowerSystem", Object("PowerSystem")),
    ("PrecessionRate", Real), ("ProcessNoiseModel", Object("")), ("Q1", Real), ("Q2", Real),
    ("Q3", Real), ("Q4", Real), ("RA", Real), ("RAAN", Real), ("RAV", Real), ("RMAG", Real),
    ("RadApo", Real), ("RadPer", Real), ("SCClockKernelName", StringArray),
    ("SCClockSpiceKernelName", StringArray), ("SMA", Real), ("SPADDragFile", Filename),
    ("SPADDragFileFullPath", Filename),
    ("SPADDragInterpolationMethod", Enum(&["Bilinear", "Bicubic"])), ("SPADDragScaleFactor", Real),
    ("SPADDragScaleFactorSigma", Real), ("SPADSRPFile", Filename),
    ("SPADSRPFileFullPath", Filename),
    ("SPADSRPInterpolationMethod", Enum(&["Bilinear", "Bicubic"])), ("SPADSRPScaleFactor", Real),
    ("SPADSRPScaleFactorSigma", Real), ("SRPArea", Real), ("SemilatusRectum", Real),
    ("SolveFors", StringArray), ("SpiceFrameId", String), ("SpinRate", Real),
    ("StateType", Enum(&[])), ("StmElementNames", StringArray), ("SystemCenterOfMassX", Real),
    ("SystemCenterOfMassY", Real), ("SystemCenterOfMassZ", Real), ("SystemMomentOfInertiaXX", Real),
    ("SystemMomentOfInertiaXY", Real), ("SystemMomentOfInertiaXZ", Real),
    ("SystemMomentOfInertiaYY", Real), ("SystemMomentOfInertiaYZ", Real),
    ("SystemMomentOfInertiaZZ", Real), ("TA", Real), ("TLONG", Real),
    ("Tanks", ObjectArray("FuelTank")), ("TargetColor", Color),
    ("Thrusters", ObjectArray("Thruster")), ("TotalMass", Real), ("VMAG", Real), ("VX", Real),
    ("VY", Real), ("VZ", Real), ("X", Real), ("Y", Real), ("Z", Real),
];

static SPICEATTITUDE: [(&str, Kind); 54] = [
    ("AngularVelocityX", Real), ("AngularVelocityY", Real), ("AngularVelocityZ", Real),
    ("AttitudeConstraintType", String), ("AttitudeCoordinateSystem", Object("CoordinateSystem")),
    ("AttitudeDisplayStateType", String), ("AttitudeFileName", String),
    ("AttitudeKernelName", StringArray), ("AttitudeRateDisplayStateType", String),
    ("AttitudeReferenceBody", Object("CelestialBody")), ("BodyAlignmentVectorX", Real),
    ("BodyAlignmentVectorY", Real), ("BodyAlignmentVectorZ", Real), ("BodyConstraintVectorX", Real),
    ("BodyConstraintVectorY", Real), ("BodyConstraintVectorZ", Real), ("BodySpinAxisX", Real),
    ("BodySpinAxisY", Real), ("BodySpinAxisZ", Real), ("Covariance", Matrix), ("DCM11", Real),
    ("DCM12", Real), ("DCM13", Real), ("DCM21", Real), ("DCM22", Real), ("DCM23", Real),
    ("DCM31", Real), ("DCM32", Real), ("DCM33", Real), ("Epoch", Real), ("EulerAngle1", Real),
    ("EulerAngle2", Real), ("EulerAngle3", Real), ("EulerAngleRate1", Real),
    ("EulerAngleRate2", Real), ("EulerAngleRate3", Real), ("EulerAngleSequence", String),
    ("FrameKernelName", StringArray), ("InitialPrecessionAngle", Real), ("InitialSpinAngle", Real),
    ("MRP1", Real), ("MRP2", Real), ("MRP3", Real), ("NutationAngle", Real),
    ("NutationReferenceVectorX", Real), ("NutationReferenceVectorY", Real),
    ("NutationReferenceVectorZ", Real), ("PrecessionRate", Real), ("Q1", Real), ("Q2", Real),
    ("Q3", Real), ("Q4", Real), ("SCClockKernelName", StringArray), ("SpinRate", Real),
];

static STRING: [(&str, Kind); 8] = [
    ("Color", Integer), ("Covariance", Matrix), ("DepObject", String), ("Description", String),
    ("Expression", String), ("InitialValue", String), ("Object", Object("")), ("Unit", String),
];

static THRUSTHISTORYFILE: [(&str, Kind); 3] = [
    ("AddThrustSegment", StringArray), ("Covariance", Matrix), ("FileName", Filename),
];

static THRUSTSEGMENT: [(&str, Kind); 15] = [
    ("ApplyThrustScaleToMassFlow", Bool), ("Covariance", Matrix), ("EndEpoch", Real),
    ("MassFlowScaleFactor", Real), ("MassSource", StringArray), ("SolveFors", StringArray),
    ("StartEpoch", Real), ("TSF_Epsilon", Real), ("ThrustAngle1", RealArray),
    ("ThrustAngle1Sigma", RealArray), ("ThrustAngle2", RealArray), ("ThrustAngle2Sigma", RealArray),
    ("ThrustAngleConstraintVector", RealArray), ("ThrustScaleFactor", Real),
    ("ThrustScaleFactorSigma", Real),
];

static TRACKINGFILESET: [(&str, Kind); 19] = [
    ("AberrationCorrection", String), ("AddTrackingConfig", StringArray),
    ("ApiGetCalculated", Real), ("ApiGetConfigCount", Integer), ("Covariance", Matrix),
    ("DataFilters", ObjectArray("DataFilter")), ("FileName", StringArray),
    ("MaxCentralAngleOfRayPath", Real), ("MinHeightOfRayPath", Real), ("RampTable", StringArray),
    ("SimDopplerCountInterval", Real), ("SimRangeModuloConstant", Real),
    ("SimTDRSServiceAccessList", StringArray), ("SimTDRSSmarId", Integer),
    ("SimTDRSTrackerType", Integer), ("TimeGapForPassBreak", Real), ("UseETminusTAI", Bool),
    ("UseLightTime", Bool), ("UseRelativityCorrection", Bool),
];

static TRANSMITTER: [(&str, Kind); 37] = [
    ("Coordinates", String), ("Covariance", Matrix), ("DirectionX", Real), ("DirectionY", Real),
    ("DirectionZ", Real), ("EpochFormat", String), ("FieldOfView", Object("")), ("Frequency", Real),
    ("FrequencyBand", String), ("FrequencyBias", RealArray), ("FrequencyBiasSigma", RealArray),
    ("FrequencyModel", String), ("HWOriginInBCSX", Real), ("HWOriginInBCSY", Real),
    ("HWOriginInBCSZ", Real), ("HardwareDelay", Real), ("MaskClockAngles", RealArray),
    ("MaskConeAngles", RealArray), ("NAIFId", Integer), ("PrimaryAntenna", Object("Antenna")),
    ("R_SB11", Real), ("R_SB12", Real), ("R_SB13", Real), ("R_SB21", Real), ("R_SB22", Real),
    ("R_SB23", Real), ("R_SB31", Real), ("R_SB32", Real), ("R_SB33", Real),
    ("ReferenceEpoch", String), ("RotationMatrix", Matrix), ("RotationOption", String),
    ("SecondDirectionX", Real), ("SecondDirectionY", Real), ("SecondDirectionZ", Real),
    ("SensorID", String), ("SolveFors", StringArray),
];

static TRANSPONDER: [(&str, Kind); 34] = [
    ("Coordinates", String), ("Covariance", Matrix), ("DirectionX", Real), ("DirectionY", Real),
    ("DirectionZ", Real), ("FieldOfView", Object("")), ("HWOriginInBCSX", Real),
    ("HWOriginInBCSY", Real), ("HWOriginInBCSZ", Real), ("HardwareDelay", Real),
    ("InputBandwidth", Real), ("InputCenterFrequency", Real), ("InputFrequencyModel", String),
    ("MaskClockAngles", RealArray), ("MaskConeAngles", RealArray), ("NAIFId", Integer),
    ("OutputFrequencyModel", String), ("PrimaryAntenna", Object("Antenna")), ("R_SB11", Real),
    ("R_SB12", Real), ("R_SB13", Real), ("R_SB21", Real), ("R_SB22", Real), ("R_SB23", Real),
    ("R_SB31", Real), ("R_SB32", Real), ("R_SB33", Real), ("RotationMatrix", Matrix),
    ("RotationOption", String), ("SecondDirectionX", Real), ("SecondDirectionY", Real),
    ("SecondDirectionZ", Real), ("SensorID", String), ("TurnAroundRatio", String),
];

static XYPLOT: [(&str, Kind); 18] = [
    ("Add", ObjectArray("Parameter")), ("Covariance", Matrix), ("DataCollectFrequency", Integer),
    ("Drawing", Bool), ("Grid", OnOff), ("IndVar", Object("Parameter")), ("Maximized", Bool),
    ("Minimized", Bool), ("RelativeZOrder", Integer), ("ShowGrid", Bool), ("ShowPlot", Bool),
    ("Size", RealArray), ("SolverIterations", Enum(&["All", "Current", "None"])),
    ("TargetStatus", OnOff), ("UpdatePlotFrequency", Integer), ("UpperLeft", RealArray),
    ("XVariable", Object("Parameter")), ("YVariables", ObjectArray("Parameter")),
];

static YUKON: [(&str, Kind); 32] = [
    ("AllowRangeSettings", Bool), ("AllowScaleSetting", Bool), ("AllowStepsizeSetting", Bool),
    ("AllowVariablePertSetting", Bool), ("CheckPhysicalTolerances", Bool), ("Covariance", Matrix),
    ("EqualityConstraintNames", StringArray), ("ExitMode", String), ("FeasibilityTolerance", Real),
    ("FunctionTolerance", Real), ("HessianUpdateMethod", Enum(&["DampedBFGS", "SelfScaledBFGS"])),
    ("InequalityConstraintNames", StringArray), ("IntegerSolverStatus", Integer),
    ("MaximumElasticWeight", Integer), ("MaximumFunctionEvals", Integer),
    ("MaximumIterations", Integer), ("Nested", Bool), ("NumberOfVariables", Integer),
    ("ObjectiveFunction", String), ("OptimalityTolerance", Real), ("PlotCost", Bool),
    ("RegisteredComponents", Integer), ("RegisteredVariables", Integer), ("ReportFile", Filename),
    ("ReportStyle", Enum(&["Normal", "Concise", "Verbose", "Debug"])), ("ShowProgress", Bool),
    ("SolverMode", String), ("SourceType", String), ("Tolerance", Real),
    ("UseCentralDifferences", Bool), ("Variables", StringArray), ("goalName", String),
];
