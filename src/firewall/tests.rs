//! Every disguise finds its gold; nothing ordinary is taken for one.

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use proptest::prelude::*;

use super::*;
use crate::domain::{Code, Finding};
use crate::json;
use crate::replay::{Prompt, Spec};

const GOLD: &str =
    "Raise the \"Perigee\" of a 51.6° orbit\nto 7000 km with two burns, then report.";
const ORIGIN: Origin<'static> = Origin { file: "held/m1/prompts.json", number: 3 };

fn prompt(request: &'static str) -> Prompt<'static> {
    let spec = Spec {
        types: vec!["Spacecraft", "ImpulsiveBurn", "DifferentialCorrector"],
        fields: vec![("Spacecraft", vec!["SMA", "ECC"])],
        commands: vec!["Target", "Achieve"],
    };
    Prompt { id: "perigee_raise_x", request, intent: "e", tier: "easy", spec }
}

fn exempt() -> Exempt {
    let keys = ["public_set", "held_out_set", "note", "store", "entries", "model", "judge_model"];
    Exempt::new(keys.into_iter().chain(["easy", "hard", "provider", "by_tier"]))
}

fn canonical(value: &serde_json::Value) -> String {
    String::from_utf8(json::pretty(value)).expect("UTF-8")
}

fn board(note: &str, store: &str) -> String {
    let board = serde_json::json!({
        "entries": [{"by_tier": {"easy": 0.5, "hard": null}, "model": "demo/alpha", "provider": "demo",
            "recorded_bundle_sha16": "a0cab7b3f7de44b4"}],
        "held_out_set": {"store": store},
        "judge_model": "openai/gpt-4.1-mini",
        "public_set": {"note": note,
            "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        "ranking": crate::board::RANKING,
        "status": crate::board::PENDING,
    });
    canonical(&board)
}

fn found(text: &str, prompt: &Prompt<'_>) -> Vec<Finding> {
    let document = json::parse(text.as_bytes()).expect("JSON");
    let mut outgoing = Outgoing::new(exempt());
    outgoing.add_board("board.json", &document);
    outgoing.findings(&outgoing.search_prompt(&ORIGIN, prompt))
}

/// Place and dress of the findings; no finding repeats the gold.
fn reported(text: &str, request: &'static str) -> Vec<(String, String)> {
    let tell = |finding: Finding| {
        let shown = format!("{finding:?}");
        assert!(finding.published.is_none() && finding.rebuilt.is_none());
        assert!(!shown.contains("erigee") && !shown.contains("7000"), "{shown}");
        let dress =
            finding.what.split_once('(').map_or("", |(_, dress)| dress.trim_end_matches(')'));
        (finding.path, dress.to_owned())
    };
    found(text, &prompt(request)).into_iter().filter(|f| f.code == Code::LText).map(tell).collect()
}

fn rot(text: &str) -> String {
    text.chars().map(rolling::rot13).collect()
}

fn back(text: &str) -> String {
    text.chars().rev().collect()
}

fn each_byte(text: &str, write: fn(u8) -> String) -> String {
    text.bytes().map(write).collect::<Vec<_>>().concat()
}

fn percent(text: &str) -> String {
    each_byte(text, |byte| format!("%{byte:02X}"))
}

fn entities(text: &str) -> String {
    let entity = |character| format!("&#x{:x};", u32::from(character));
    text.chars().map(entity).collect::<Vec<_>>().concat()
}

fn base64(text: &str, url: bool) -> String {
    if url { BASE64_URL_SAFE_NO_PAD.encode(text) } else { BASE64_STANDARD.encode(text) }
}

fn swap(letter: char) -> char {
    if letter.is_ascii_lowercase() {
        letter.to_ascii_uppercase()
    } else {
        letter.to_ascii_lowercase()
    }
}

fn spaced(text: &str, with: &str) -> String {
    text.chars().flat_map(|character| [character.to_string(), with.to_owned()]).collect()
}

/// Letters moved on by `places`.
fn moved(text: &str, places: u8) -> String {
    let place = |it: u8, first: u8| char::from(first + (it - first + places) % 26);
    let letter = |it: char| match it {
        'a'..='z' => place(it as u8, b'a'),
        'A'..='Z' => place(it as u8, b'A'),
        _ => it,
    };
    text.chars().map(letter).collect()
}

fn base32(text: &str) -> String {
    let bits: String = each_byte(text, |byte| format!("{byte:08b}"));
    let digit = |bits: &[u8]| {
        let value = bits.iter().fold(0, |all, bit| all * 2 + usize::from(bit - b'0'));
        char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[value])
    };
    bits.as_bytes().chunks_exact(5).map(digit).collect()
}

fn base85(text: &str, alphabet: usize) -> String {
    let group = |bytes: &[u8]| {
        let mut value = bytes.iter().fold(0, |all, byte| all * 256 + usize::from(*byte));
        let mut digits = [' '; 5];
        for digit in digits.iter_mut().rev() {
            *digit = char::from(decode::ALPHABETS[alphabet][value % 85]);
            value /= 85;
        }
        digits
    };
    text.as_bytes().chunks_exact(4).flat_map(group).collect()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut packed, text.as_bytes()).expect("packed");
    packed.finish().expect("packed")
}

fn zlib(text: &str) -> Vec<u8> {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut packed, text.as_bytes()).expect("packed");
    packed.finish().expect("packed")
}

#[test]
fn every_disguise_is_seen_through() {
    let json = serde_json::to_string(GOLD).expect("JSON");
    let points: Vec<String> = GOLD.chars().map(|c| u32::from(c).to_string()).collect();
    let cases = [
        ("D01", GOLD.to_owned(), ""),
        ("D02", GOLD.chars().take(40).collect(), ""),
        ("D03", GOLD.to_uppercase(), ""),
        ("D04 white space", GOLD.replace(' ', " \t\n  "), ""),
        ("D05", base64(GOLD, false), "base64"),
        ("D05 url-safe", base64(GOLD, true), "base64"),
        ("D05 shifted", base64(&format!("x{GOLD}"), true), "base64"),
        ("D05 after a word", format!("see {}", base64(GOLD, false)), "base64"),
        ("D05 in lines", base64(GOLD, false).replace('V', "V\n"), "base64"),
        ("D06", hex::encode(GOLD), "hex"),
        ("D06 upper case", hex::encode_upper(GOLD), "hex"),
        ("D06 shifted", format!("a{}", hex::encode(GOLD)), "hex"),
        ("D06 as bytes", each_byte(GOLD, |byte| format!("0x{byte:02x}, ")), "hex"),
        ("D07", percent(GOLD), "URL escapes"),
        ("D07 partly", GOLD.replace(' ', "%20"), "URL escapes"),
        ("D08 HTML", entities(GOLD), "HTML escapes"),
        ("D08 JSON", json.clone(), "JSON escapes"),
        ("D09", back(GOLD), "reversed"),
        ("D10", rot(GOLD), "rot13"),
        ("D11", spaced(GOLD, "\u{200d}"), ""),
        ("D11 dotted", spaced(GOLD, "."), ""),
        ("D12 full width", GOLD.replace('e', "ｅ").replace('r', "ｒ"), ""),
        ("D12 look-alikes", GOLD.replace('e', "е").replace('o', "о"), ""),
        ("D12 accents", GOLD.replace('e', "é"), ""),
        ("D14", GOLD.replace(|c: char| !c.is_alphanumeric(), ""), ""),
        ("D15 as text", points.join(","), "code points"),
        ("base64 of reversed", base64(&back(GOLD), false), "base64, reversed"),
        ("base64 of base64", base64(&base64(GOLD, true), true), "base64, base64"),
        ("URL of base64", percent(&base64(GOLD, false)), "URL escapes, base64"),
        ("HTML of URL", entities(&percent(GOLD)), "HTML escapes, URL escapes"),
        ("URL of URL", percent(&percent(GOLD)), "URL escapes, URL escapes"),
        ("reversed base64", back(&base64(GOLD, false)), "reversed, base64"),
        ("rot13 hex", rot(&hex::encode(GOLD)), "rot13, hex"),
        ("hex of rot13", hex::encode(rot(GOLD)), "hex, rot13"),
        ("rot13 reversed", rot(&back(GOLD)), "reversed rot13"),
        ("letters moved", moved(GOLD, 3), "shifted letters"),
        ("letters moved back", moved(&back(GOLD), 25), "reversed shifted letters"),
        ("base64 of moved", base64(&moved(GOLD, 7), true), "base64, shifted letters"),
        ("base32", base32(GOLD), "base32"),
        ("base32 in lines", base32(GOLD).to_lowercase().replace('a', "a "), "base32"),
        (
            "base64 in swapped case",
            base64(GOLD, true).chars().map(swap).collect(),
            "base64 in swapped case",
        ),
        ("base85 of Adobe", format!("<~{}~>", base85(GOLD, 0)), "base85"),
        ("base85 of RFC 1924", base85(GOLD, 1), "base85"),
        ("base85 of ZeroMQ", base85(GOLD, 2), "base85"),
        ("base64 of gzip", BASE64_STANDARD.encode(gzip(GOLD)), "base64"),
        ("hex of zlib", hex::encode(zlib(GOLD)), "hex"),
        (
            "base64 of zlib of base64",
            BASE64_STANDARD.encode(zlib(&base64(GOLD, true))),
            "base64, base64",
        ),
    ];
    for (name, note, dress) in cases {
        let reported = reported(&board(&format!("A note. {note}"), "synthetic"), GOLD);
        // Some disguises leave a plain part; then the place is named once, plainly.
        let expected = ("public_set.note".to_owned(), dress.to_owned());
        let partly = ("public_set.note".to_owned(), String::new());
        assert!(reported.len() == 1, "{name}: {reported:?}");
        assert!(reported[0] == expected || reported[0] == partly, "{name}: {reported:?}");
    }
}

#[test]
fn a_gold_in_many_fields_is_named_in_each() {
    let text = board(GOLD, GOLD);
    let paths: Vec<String> = reported(&text, GOLD).into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["held_out_set.store", "public_set.note"]);
}

#[test]
fn a_gold_split_over_fields_is_joined_again() {
    const SHORT: &str = "Raise the perigee to seven thousand kilometres";
    let (head, tail) = SHORT.split_at(22);
    for (note, store) in [(head, tail), (tail, head)] {
        assert!(!reported(&board(note, store), SHORT).is_empty(), "{note} | {store}");
    }
    // Down a column, a few letters a row, and in encoded form.
    let rows = |text: &str| {
        let letters: Vec<char> = text.chars().collect();
        let row = |part: &[char]| serde_json::json!({"model": String::from_iter(part), "provider": "demo"});
        canonical(&serde_json::json!({"entries": letters.chunks(6).map(row).collect::<Vec<_>>()}))
    };
    for text in [SHORT.to_owned(), back(SHORT), base64(SHORT, true), hex::encode(SHORT)] {
        assert!(!reported(&rows(&text), SHORT).is_empty(), "{text}");
    }
}

#[test]
fn a_gold_that_is_a_key_is_found_and_not_shown() {
    let text = canonical(&serde_json::json!({"entries": [{"by_tier": {GOLD: 1.0}}]}));
    let reported = reported(&text, GOLD);
    assert_eq!(reported, [("entries[0].by_tier[key number 1]".to_owned(), String::new())]);
}

#[test]
fn ids_and_spec_parts_count_as_whole_fields_only() {
    for whole in ["perigee_raise_x", "Perigee Raise X", "cGVyaWdlZV9yYWlzZV94", "Target", "tegraT"]
    {
        assert_eq!(reported(&board(whole, "x"), "-").len(), 1, "{whole}");
    }
    for part in ["not perigee_raise_x alone", "Target practice", "e", "E."] {
        assert!(reported(&board(part, "x"), "-").is_empty(), "{part}");
    }
    let spec = r#"{"required_types": ["Spacecraft", "ImpulsiveBurn", "DifferentialCorrector"]}"#;
    assert_eq!(reported(&board(spec, "x"), "-").len(), 1);
}

#[test]
fn an_exempt_word_is_no_secret() {
    let mut hard = prompt("-");
    hard.id = "hard";
    hard.intent = "judge_model";
    assert_eq!(found(&board("hard", "x"), &hard), []);
}

#[test]
fn ordinary_boards_pass() {
    // Shares 20 characters with the gold: "Raise the Perigee of a 5" is 18 letters and digits.
    let text = board("Raise the Perigee of a 5-degree orbit", "private dataset, see the docs");
    assert_eq!(found(&text, &prompt(GOLD)), []);
    let zeros = board(&"0".repeat(64), "x");
    assert_eq!(found(&zeros, &prompt("a matrix of 00000000000000000000000000000000000")), []);
}

#[test]
fn a_completion_and_a_canary_are_secrets_and_the_public_half_is_none() {
    const CANARY: &str = "gmat-leaderboard:heldout:v1:0b9c1f6e-7a55-4a0e-9d53-2f2f6f1f0c11";
    let search = |note: &str| {
        let text = board(note, "x");
        let document = json::parse(text.as_bytes()).expect("JSON");
        let mut outgoing = Outgoing::new(exempt());
        outgoing.add_board("board.json", &document);
        let script = "Create Spacecraft Sat;\nSat.SMA = 7191.938817629;";
        let origin = Origin { file: "held/m1/completions.json", number: 0 };
        let hits = [outgoing.search_text(&origin, script), outgoing.search_canary(&origin, CANARY)];
        outgoing.findings(&hits.concat())
    };
    for note in
        [CANARY, "0B9C1F6E 7A55 4A0E 9D53 2F2F6F1F0C11", "Create Spacecraft Sat; Sat.SMA = 7191"]
    {
        assert_eq!(search(note).len(), 1, "{note}");
    }
    let whole_file = "contains text of `held/m1/completions.json`";
    assert_eq!(search(CANARY)[0].what, whole_file);
    assert_eq!(search("gmat-leaderboard:heldout:v1:<uuid>"), []);
}

#[test]
fn a_page_is_searched_by_line_and_the_public_set_is_exempt() {
    const PUBLIC: &str =
        "Put a spacecraft in a circular low-Earth orbit and propagate it for one day";
    let page = format!("<p>{PUBLIC}</p>\n<td>\n<p>{}</p>\n", GOLD.replace('"', "&quot;"));
    let mut exempt = exempt();
    exempt.add_text(format!("[{{\"request\": \"{PUBLIC}\"}}]"));
    let mut outgoing = Outgoing::new(exempt);
    outgoing.add_page("index.html", &page);
    let one = outgoing.findings(&outgoing.search_text(&ORIGIN, GOLD));
    assert_eq!(one.iter().map(|finding| &*finding.path).collect::<Vec<_>>(), ["line 3"]);
    assert_eq!(outgoing.search_text(&ORIGIN, PUBLIC), []);
    let tagged = spaced(GOLD, "<i></i>");
    outgoing.add_page("tags.html", &tagged);
    outgoing.add_page("again.html", &page);
    let all = outgoing.findings(&outgoing.search_text(&ORIGIN, GOLD));
    let files: Vec<&str> = all.iter().map(|finding| &*finding.file).collect();
    assert_eq!(files, ["again.html", "index.html", "tags.html"]);
}

#[test]
fn words_in_another_order_are_a_note_unless_they_are_common() {
    const REQUEST: &str = "Perigee raising with hydrazine thrusters near Ganymede at 51.6 degrees";
    let note = "thrusters Ganymede hydrazine: degrees 51.6, perigee";
    let finding = &found(&board(note, "x"), &prompt(REQUEST))[0];
    assert_eq!(
        (finding.code, finding.decides(), &*finding.path),
        (Code::LWords, false, "public_set.note")
    );
    let what = "contains rare words of held-out prompt 3 of `held/m1/prompts.json`";
    assert_eq!(finding.what, what);
    let text = board(note, "x");
    let document = json::parse(text.as_bytes()).expect("JSON");
    let mut exempt = exempt();
    exempt.add_text("the perigee of Ganymede in degrees");
    let mut outgoing = Outgoing::new(exempt);
    outgoing.add_board("board.json", &document);
    assert_eq!(outgoing.search_prompt(&ORIGIN, &prompt(REQUEST)), []);
}

fn disguise(which: usize, text: &str) -> String {
    match which {
        0 => text.to_owned(),
        1 => text.to_uppercase(),
        2 => back(text),
        3 => rot(text),
        4 => percent(text),
        5 => entities(text),
        6 => base64(text, false),
        7 => base64(text, true),
        8 => hex::encode(text),
        9 => spaced(text, "\u{200b}"),
        10 => serde_json::to_string(text).expect("JSON"),
        _ => text.replace(|c: char| !c.is_alphanumeric(), "-"),
    }
}

#[test]
fn a_short_word_is_not_read_into_digits() {
    // Reversed, from hexadecimal digits and turned by thirteen letters, this says `ECC`.
    assert_eq!(reported(&board("", "E402a566"), GOLD), []);
    assert_eq!(reported(&board("", "ECC"), GOLD).len(), 1);
}

/// What the decoders look for, whole and broken off.
const PIECES: [&str; 24] = [
    "\\", "\\u", "\\u{", "\\ud83d", "\\udef0", "\\x4", "&", "&#", "&#x", "&amp;", "%", "%u", "%4",
    "<", "<!", ">", "\"", "{", "[", "00e9", "é", "🛰", "a b", "\n",
];

proptest! {
    #![proptest_config(crate::testing::proptest_config(100))]

    #[test]
    fn any_gold_in_any_two_disguises_is_found_in_any_text(
        gold in "[a-zA-Z0-9 ,.°\"é]{0,20}[a-z]{5}[a-z0-9]{30}[a-zA-Z0-9 ,.\n]{0,40}",
        before in r"\PC{0,30}", after in r"\PC{0,30}", inner in 0..12_usize, outer in 0..12_usize,
    ) {
        // Upper case and broken words destroy what a case-sensitive encoding says.
        let destroys = |which| matches!(which, 1 | 11);
        let encodes = |which| matches!(which, 4..=8 | 10);
        prop_assume!(!(destroys(outer) && encodes(inner)));
        let turns = |which| matches!(which, 2 | 3);
        let text = disguise(outer, &disguise(inner, &gold));
        prop_assume!(!(turns(inner) && turns(outer)) || inner == outer || text != gold);
        let note = format!("{before} {text} {after}");
        let text = board(&note, "x");
        let document = json::parse(text.as_bytes()).expect("JSON");
        let mut outgoing = Outgoing::new(exempt());
        outgoing.add_board("board.json", &document);
        let hits = outgoing.search_text(&ORIGIN, &gold);
        prop_assert!(!outgoing.findings(&hits).is_empty(), "{inner} in {outer}");
    }

    #[test]
    fn any_file_can_be_searched(
        pieces in prop::collection::vec(prop::sample::select(&PIECES), 0..40), bytes in any::<Vec<u8>>(),
    ) {
        let mut prompts = HeldOutPrompts::new([]);
        prompts.add_prompt(&ORIGIN, &prompt(GOLD));
        let text = pieces.concat();
        let mut outgoing = Outgoing::new(exempt());
        outgoing.add_page("page.html", &text);
        prop_assert_eq!(outgoing.findings(&outgoing.search_prompt(&ORIGIN, &prompt(GOLD))), []);
        for file in [text.as_bytes(), &bytes, &[text.as_bytes(), &bytes].concat()] {
            prop_assert!(prompts.finding("file", &String::from_utf8_lossy(file)).is_none());
        }
    }

    #[test]
    fn any_board_without_gold_passes(
        note in r"\PC{0,300}", store in "[A-Za-z0-9+/=%&;# ]{0,300}",
    ) {
        let text = board(&note, &store);
        prop_assert_eq!(reported(&text, GOLD), []);
    }
}
