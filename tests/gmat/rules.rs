//! The rules: what fires, where, and what keeps silent.

use gmat_leaderboard::gmat::{Rule, Script};

const RESOURCES: &str = "\
Create Spacecraft Sat
Create Propagator Prop
Create ChemicalTank Tank
Create ChemicalThruster Thr
Create ImpulsiveBurn Burn
Create CoordinateSystem CS
";

fn rules(statement: &str) -> Vec<&'static str> {
    let text = format!("{RESOURCES}{statement}");
    let script = Script::parse(&text);
    assert_eq!(script.syntax_error(), None, "{statement:?}");
    script.blocking_rules()
}

fn silent(statements: &[&str]) {
    for statement in statements {
        assert!(rules(statement).is_empty(), "{statement:?}: {:?}", rules(statement));
    }
}

fn fires(rule: &str, statements: &[&str]) {
    for statement in statements {
        assert_eq!(rules(statement), [rule], "{statement:?}");
    }
}

#[test]
fn a_type_must_be_known_to_gmat_or_to_a_plugin() {
    fires("unknown-resource-type", &["Create Satellite s", "Create spacecraft s", "Create If s"]);
    silent(&["Create ODEModel m", "Create SNOPT s\ns.Anything = {1}", "Create MJ2000Eq m"]);
}

#[test]
fn a_name_is_given_once() {
    fires("duplicate-name", &["Create Spacecraft Sat", "Create Array Sat", "Create Array x x"]);
    silent(&["BeginMissionSequence\nCreate Spacecraft Sat", "If a\nCreate Spacecraft Sat\nEndIf"]);
}

#[test]
fn a_field_must_be_one_of_the_type() {
    fires(
        "unknown-field",
        &["Sat.sma = 1", "GMAT Sat.Bogus = 1", "'l' Sat(1).Bogus = 1", "Prop.Bogus = 1"],
    );
    silent(&["Sat.SMA = 1", "Sat.Bogus.Deep = 1", "Sat.Bogus(1) = 1", "No.Bogus = 1", "Sat = 1"]);
}

#[test]
fn the_form_of_a_value_must_not_contradict_its_field() {
    fires("type-mismatch", &["Sat.SMA = 'x'", "Sat.SMA = true", "Sat.SMA = {1}", "Sat.SMA = [1]"]);
    fires(
        "type-mismatch",
        &["Burn.DecrementMass = 1", "Burn.DecrementMass = -1", "Burn.DecrementMass = 'true'"],
    );
    fires("type-mismatch", &["Sat.CoordinateSystem = 5", "Sat.Tanks = true", "Sat.Tanks = - -5"]);
    silent(&[
        "Sat.SMA = x",
        "Sat.SMA = True",
        "Sat.SMA = (1)",
        "Sat.SMA = -x",
        "Sat.SMA = 1 + 'x'",
        "Sat.SMA = ''",
    ]);
    silent(&[
        "Burn.DecrementMass = yes",
        "Burn.DecrementMass = -(1)",
        "Sat.Tanks = {5}",
        "Sat.SMA = a b 'c'",
    ]);
}

#[test]
fn an_enumerated_field_takes_its_words_only() {
    fires(
        "enum-violation",
        &["Burn.Axes = VBN", "Burn.Axes = 'vnb'", "Burn.Axes = VNB.x", "Burn.Axes = ...\n''"],
    );
    silent(&[
        "Burn.Axes = VNB",
        "Burn.Axes = 'VNB'",
        "Burn.Axes = 5",
        "Burn.Axes = {Bad}",
        "Burn.Axes = Bad + 1",
    ]);
    silent(&[
        "Burn.Axes = (Bad)",
        "Burn.Axes = Bad(1)",
        "Burn.Axes = Bad Word",
        "Burn.Axes = true",
        "Burn.Axes = ''",
    ]);
}

#[test]
fn a_named_resource_must_exist() {
    fires(
        "undeclared-reference",
        &["Sat.CoordinateSystem = No", "Sat.CoordinateSystem = No.X", "Sat.Tanks = {Tank, No}"],
    );
    fires(
        "undeclared-reference",
        &["Sat.Tanks = {No(1).X}", "CS.Axes = Bad", "Sat.Tanks = {1 No}"],
    );
    silent(&[
        "Sat.CoordinateSystem = EarthFixed",
        "Sat.CoordinateSystem = Spacecraft",
        "Sat.CoordinateSystem = SNOPT",
    ]);
    silent(&[
        "Sat.CoordinateSystem = 'No'",
        "Sat.CoordinateSystem = No(1)",
        "Sat.Tanks = {No = 1, 'No', {No}, No(1), No + 1, -No}",
    ]);
    silent(&[
        "Sat.Tanks = [No]",
        "Sat.Tanks = {No} + 1",
        "Sat.Tanks = {true, false.x}",
        "Sat.Tanks = f({No})",
    ]);
}

#[test]
fn a_named_resource_must_be_of_a_fitting_type() {
    fires(
        "ref-target-mismatch",
        &["Sat.Tanks = {Thr}", "Sat.CoordinateSystem = Tank", "Sat.Thrusters = Tank.x"],
    );
    silent(&[
        "Sat.Tanks = {Tank Tank}",
        "Sat.Thrusters = {Thr}",
        "Sat.CoordinateSystem = CS",
        "Create SNOPT s\nSat.Tanks = s",
    ]);
}

#[test]
fn a_directive_silences_by_line_of_the_token() {
    fires(
        "unknown-field",
        &["Sat.Bogus = 1\n% gmat-script: disable", "% gmat-script: disable-line\nSat.Bogus = 1"],
    );
    fires("unknown-field", &["Sat. ...\nBogus = ...\n1 % gmat-script: disable-line"]);
    silent(&[
        "Sat. ...\nBogus = 1 % gmat-script: disable-line",
        "% gmat-script: disable\nSat.Bogus = 1",
    ]);
    silent(&[
        "Sat.SMA = ...\n'x' % gmat-script: disable-line=type-mismatch",
        "BeginScript\n% gmat-script: disable\nEndScript\nSat.Bogus = 1",
    ]);
    let broken = Script::parse("% gmat-script: disable\nx = (");
    assert_eq!(broken.blocking_rules(), ["syntax-error"]);
}

#[test]
fn several_broken_rules_come_once_each_and_sorted() {
    assert_eq!(
        rules("Sat.Bogus = 1\nSat.SMA = 'x'\nSat.Bad = 1\nCreate Array Sat2 Sat2\nCreate No n"),
        ["duplicate-name", "type-mismatch", "unknown-field", "unknown-resource-type"]
    );
}

#[test]
fn diagnostics_come_in_order_with_place_message_and_suggestion() {
    let text = "Create Spacecraft Sat % é\nCreate Satelite S2\nSat.DriMass = 1; Sat.SMA = 'é'\n\
                Create ChemicalTank Tank Sat\nSat.Tanks = {Tnk, Sat}\nBeginMissionSequence\nStop S2";
    let found: Vec<_> = Script::parse(text)
        .diagnostics()
        .into_iter()
        .map(|d| {
            let meant = d.suggestion.map(|s| format!(" ({s}?)")).unwrap_or_default();
            format!(
                "{}:{}+{} {} {}{meant}",
                d.position.line,
                d.position.column,
                d.width,
                d.rule.name(),
                d.message
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            "2:8+8 unknown-resource-type GMAT has no resource type `Satelite`",
            "3:5+7 unknown-field ChemicalTank `Sat` has no field `DriMass`",
            "3:22+3 unknown-field ChemicalTank `Sat` has no field `SMA`",
            "4:21+4 unused-resource resource `Tank` is created and never used",
            "4:26+3 duplicate-name resource `Sat` is already created on line 1",
            "5:5+5 unknown-field ChemicalTank `Sat` has no field `Tanks`",
        ]
    );
}

#[test]
fn a_misspelt_name_gets_the_nearest_of_its_closed_list() {
    for (statement, meant) in [
        ("Create Spacecaft s", "Spacecraft"),
        ("Create propagator s", "Propagator"),
        ("Sat.DryMas = 1", "DryMass"),
        ("Burn.Axes = VNb", "VNB"),
        ("Burn.Axes = 'LVHL'", "LVLH"),
        ("Sat.Tanks = {Tnk}", "Tank"),
        ("Sat.CoordinateSystem = EarthMJ2000EQ", "EarthMJ2000Eq"),
    ] {
        let text = format!("{RESOURCES}{statement}");
        let diagnostics = Script::parse(&text).diagnostics();
        let blocking = diagnostics.iter().find(|d| d.rule.is_blocking()).expect(statement);
        assert_eq!(blocking.suggestion.as_deref(), Some(meant), "{statement}");
    }
}

#[test]
fn a_resource_is_unused_when_nothing_but_itself_names_it() {
    let unused = |text: &str| {
        Script::parse(text).diagnostics().iter().any(|d| d.rule == Rule::UnusedResource)
    };
    for rest in [
        "",
        "a.X = 1",
        "a.X = 'a'",
        "a(b).X = 1",
        "x = y.a",
        "x = 1\nIf z\na.X = 1\nEndIf",
        "BeginMissionSequence\nCreate Array a\nF y.a 'a' % a",
        "F z(a).b",
        "BeginScript\nab _a aé\nEndScript",
        "#Include 'a'",
    ] {
        assert!(unused(&format!("Create ImpulsiveBurn a\n{rest}")), "{rest:?}");
    }
    for rest in [
        "x = a",
        "x = f({b, a.c})",
        "x = [a]",
        "F a.X",
        "a",
        "z(a)",
        "F z(1)(a)",
        "For a = 1:2\nEndFor",
        "[a] = F",
        "function a",
        "x = {a = 1}",
        "If z\nElse\nF a\nEndIf",
        "BeginMissionSequence\na.X = 1",
        "BeginScript\nx = (a)\nEndScript",
        "x = c d/a",
        "F y.a.b",
    ] {
        assert!(!unused(&format!("Create ImpulsiveBurn a\n{rest}")), "{rest:?}");
    }
    assert!(!unused("Create EclipseLocator a"));
    assert!(!unused("Create ReportFile a") && !unused("Create SNOPT a") && !unused("Create No a"));
    assert!(unused("Create Array true\nx = true"));
    assert!(!unused("Create Array a % gmat-script: disable-line=unused-resource"));
    assert!(Script::parse("Create Array a").blocking_rules().is_empty());
}

/// What `diagnostics` says of a script after these resources, as `line rule word`.
fn said(rest: &str) -> Vec<String> {
    const CREATED: &str = "Create Spacecraft Sat; Create Propagator Prop; Create ForceModel FM; \
        Create ImpulsiveBurn IB; Create FiniteBurn FB; Create DifferentialCorrector DC; \
        Create ReportFile RF; Create Variable v; Create CoordinateSystem CS; Create GmatFunction Fn\n";
    let text = format!("{CREATED}{rest}");
    let found = Script::parse(&text).diagnostics().into_iter();
    found
        .filter(|it| it.rule != Rule::UnusedResource)
        .map(|it| {
            let meant = it.suggestion.map(|name| format!(" ({name}?)")).unwrap_or_default();
            let (line, column) = (it.position.line, it.position.column);
            let source = text.lines().nth(line - 1).unwrap_or_default();
            let word: String = source.chars().skip(column - 1).take(it.width).collect();
            format!("{line} {} {word}{meant}", it.rule.name())
        })
        .collect()
}

#[test]
fn the_mission_sequence_is_looked_at_for_information() {
    for (statement, expected) in [
        ("Propgate Prop(Sat)", "3 unknown-command Propgate (Propagate?)"),
        ("propagate Prop(Sat)", "3 unknown-command propagate (Propagate?)"),
        ("Nothing(Sat)", "3 unknown-command Nothing"),
        ("EndIf", "3 unknown-command EndIf"),
        ("BeginScript\nManeuvre IB(Sat)\nEndScript", "4 unknown-command Maneuvre (Maneuver?)"),
        ("Maneuver NoSuchBurn(Sat)", "3 unknown-name NoSuchBurn"),
        ("Maneuver IB(Sta)", "3 unknown-name Sta (Sat?)"),
        ("Maneuver FB(Sat)", "3 wrong-resource FB"),
        ("Propagate Porp(Sat)", "3 unknown-name Porp (Prop?)"),
        ("Propagate 'label' BackProp Prop(Sat, Ghost)", "3 unknown-name Ghost"),
        ("Propagate Prop(IB)", "3 wrong-resource IB"),
        (
            "Propagate Prop(Sat) {Sat.ElapsedDay = 1}",
            "3 unknown-parameter ElapsedDay (ElapsedDays?)",
        ),
        ("Propagate Prop(Sat) {Sat.Erth.Periapsis}", "3 unknown-name Erth (Earth?)"),
        ("BeginFiniteBurn IB(Sat)", "3 wrong-resource IB"),
        ("Target DCC\nEndTarget", "3 unknown-name DCC (DC?)"),
        ("Target DC {SolveMode = Slove}\nEndTarget", "3 unknown-value Slove (Solve?)"),
        ("Vary DC(IB.Elemnt1 = 1)", "3 unknown-parameter Elemnt1 (Element1?)"),
        (
            "Vary DC(IB.Element1 = 1, {Perturbaton = 1})",
            "3 unknown-value Perturbaton (Perturbation?)",
        ),
        ("Achieve DC(Sat.CS.RMAGG = 1)", "3 unknown-parameter RMAGG (RMAG?)"),
        ("Report RFF Sat.X", "3 unknown-name RFF (RF?)"),
        ("Report Sat Sat.X", "3 wrong-resource Sat"),
        ("Report RF Nope.Thing", "3 unknown-name Nope"),
        ("Save Satt", "3 unknown-name Satt (Sat?)"),
        ("If Sta.SMA > 1\nEndIf", "3 unknown-name Sta (Sat?)"),
        ("While vv < 1\nEndWhile", "3 unknown-name vv"),
        ("For n = 1:3\nEndFor", "3 unknown-name n"),
        ("v = Sta.SMA / 2", "3 unknown-name Sta (Sat?)"),
        ("GMAT Sta.SMA = 1", "3 unknown-name Sta (Sat?)"),
        ("Sat.SMA = Sta.SMA", "3 unknown-name Sta (Sat?)"),
    ] {
        assert_eq!(said(&format!("BeginMissionSequence\n{statement}")), [expected], "{statement}");
        assert!(
            Script::parse(&format!("BeginMissionSequence\n{statement}"))
                .blocking_rules()
                .is_empty()
        );
    }
    for statement in [
        "Propagate Synchronized Prop(Sat) {Sat.Earth.Periapsis, OrbitColor = [1 2 3]}",
        "Propagate -Prop(Sat, 'STM') {Sat.ElapsedSecs = v, StopTolerance = 1e-5}",
        "Vary 'l' DC(IB.Element1 = v, {Perturbation = 1, MaxStep = v, Lower = -1, Upper = 1})",
        "NonlinearConstraint DC(Sat.Luna.SMA = 2300, Tolerance = 200)",
        "Toggle RF Off",
        "Set Sat RF (Data = {'All'})",
        "Fn",
        "Fn(Sat, v)",
        "[v] = Fn(Sat)",
        "v = sin(Sat.Earth.TA) + v(1)",
        "Python.time.sleep(1)",
        "Sat.DateFormat = Anything",
        "BeginScript\n  v = 1\nEndScript",
        "Create Variable w\nw = 1",
        "Propgate Prop(Sat) % gmat-script: disable-line=unknown-command",
    ] {
        assert_eq!(said(&format!("BeginMissionSequence\n{statement}")), [""; 0], "{statement}");
    }
    // Names may come from elsewhere.
    assert_eq!(said("#Include 'x'\nBeginMissionSequence\nPropagate P(S)\nF(1)"), [""; 0]);
}

#[test]
fn closed_lists_beyond_the_catalogue_are_information() {
    for (statement, expected) in [
        ("Sat.DateFormat = UTCGregorain", "2 unknown-value UTCGregorain (UTCGregorian?)"),
        ("Sat.DisplayStateType = 'Keplerain'", "2 unknown-value Keplerain (Keplerian?)"),
        ("Sat.Attitude = Spiner", "2 unknown-value Spiner (Spinner?)"),
        ("Prop.Type = RungeKuta89", "2 unknown-value RungeKuta89 (RungeKutta89?)"),
        ("Prop.FM = F2", "2 unknown-name F2"),
        ("FM.SRP = Yes", "2 unknown-value Yes"),
        ("FM.ErrorControl = RSStep", "2 unknown-value RSStep (RSSStep?)"),
        ("FM.PointMasses = {Luna, Sunn}", "2 unknown-name Sunn (Sun?)"),
        ("FM.GravityField.Earth.Degre = 4", "2 unknown-parameter Degre (Degree?)"),
        ("CS.Origin = Erth", "2 unknown-name Erth (Earth?)"),
        ("IB.DecrementMass = yes", "2 unknown-value yes"),
        ("Sta.SMA = 1", "2 unknown-name Sta (Sat?)"),
        ("BeginMissionSequnce", "2 unknown-command BeginMissionSequnce (BeginMissionSequence?)"),
    ] {
        assert_eq!(said(statement), [expected], "{statement}");
        assert!(Script::parse(statement).blocking_rules().is_empty(), "{statement}");
    }
    for statement in [
        "Sat.DateFormat = 'UTCGregorian'",
        "FM.Drag = None",
        "RF.WriteHeaders = Off",
        "Sat.Epoch.UTCGregorian = 1",
        "Earth.Mu = 1; SolarSystem.X = 1",
    ] {
        assert_eq!(said(statement), [""; 0], "{statement}");
    }
}

#[test]
fn reading_goes_on_after_a_syntax_error() {
    assert_eq!(
        said(
            "Sat.SMA = (7000\nSat.DriMass = 1\nSat.Tanks = {A,\n  B C = }\nSat.ECC = 'x\nCreate Array Odd.\nv = Odd"
        ),
        [
            "3 syntax-error S",
            "3 unknown-field DriMass (DryMass?)",
            "5 syntax-error }",
            "6 syntax-error '",
            "7 syntax-error .",
        ]
    );
    // The word that closes the outer block shows where the inner one should end.
    let text = "If 1\nTarget DC\nStop\nEndIf\nWhile 1\nBeginScript\n x";
    let found = Script::parse(text).diagnostics();
    let found: Vec<_> = found.iter().filter(|it| it.rule == Rule::SyntaxError).collect();
    let lines: Vec<usize> = found.iter().map(|it| it.position.line).collect();
    assert_eq!(lines, [4, 7, 7]);
    for (it, words) in
        found.iter().zip(["`Target` on line 2", "`BeginScript` on line 6", "`While` on line 5"])
    {
        assert!(it.message.contains(words), "{}", it.message);
    }
    let error = Script::parse(text).syntax_error().expect("an error");
    assert_eq!(error.position.line, 7, "the score sees the first error of a strict reading");
}
