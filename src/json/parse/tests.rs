//! What is read, what is refused, and where a fault is said to be.

use proptest::prelude::*;

use super::*;

fn fault(text: &str) -> (Fault, String) {
    let error = parse(text.as_bytes()).expect_err(text);
    (error.fault, format!("{} {}", error.location, error.location.path))
}

#[test]
fn a_repeated_key_is_refused_with_its_path_sorted_or_not() {
    let dup = |key: &str| Fault::DuplicateKey(key.to_owned());
    assert_eq!(fault(r#"{"a":{"b":1,"b":2}}"#), (dup("b"), "1:13 a".into()));
    assert_eq!(fault(r#"[{"z":1,"a":2,"z":3}]"#), (dup("z"), "1:15 [0]".into()));
    assert_eq!(fault(r#"{"a":1,"\u0061":2}"#), (dup("a"), "1:8 ".into()));
}

#[test]
fn a_fault_names_line_column_and_path() {
    let text = "{\n \"entries\": [\n  {\"no word\": NaN}]}";
    assert_eq!(fault(text), (Fault::Number("NaN".into()), "3:15 entries[0][\"no word\"]".into()));
}

#[test]
fn a_number_is_refused_where_it_is_not_finite_however_it_is_written() {
    for (digits, exponent, is_finite) in [
        (200, "", true),
        (309, "", true),
        (310, "", false),
        (200, "e109", true),
        (200, "e110", false),
    ] {
        let text = format!("1{}.5{exponent}", "0".repeat(digits - 1));
        assert_eq!(parse(text.as_bytes()).is_ok(), is_finite, "{digits} digits and {exponent}");
    }
}

#[test]
fn a_fault_deep_inside_counts_only_its_own_neighbours() {
    let text = "[0, [1, 2], {\"k\": [3, [4, 5, x]]}]";
    assert_eq!(fault(text).1, "1:30 [2].k[1][2]");
}

#[test]
fn what_is_not_strict_json_is_refused() {
    for text in [
        "",
        " \n",
        "\u{feff}{}",
        "{}x",
        "[1,]",
        "{\"a\":1,}",
        "[01]",
        "[1.]",
        "[.5]",
        "[1e]",
        "[+1]",
        "['a']",
        "[\"\t\"]",
        "[\"\\x\"]",
        "[\"\\ud800\"]",
        "[\"\\udc00\"]",
        "[1e999]",
        "[-1e999]",
        "[9007199254740993]",
        "[\"a",
        "[",
        "{\"a\"",
        "{\"a\":",
        "tru",
        "[\"\\u12\"]",
    ] {
        assert!(parse(text.as_bytes()).is_err(), "{text}");
    }
    assert_eq!(parse(b"[\xff]").expect_err("bytes").fault, Fault::Utf8(1));
}

#[test]
fn depth_is_limited_and_a_million_brackets_are_no_danger() {
    let nested = |n: usize| [vec![b'['; n], vec![b']'; n]].concat();
    assert!(parse(&nested(32)).is_ok());
    assert_eq!(parse(&nested(33)).expect_err("deep").fault, Fault::Depth(32));
    assert_eq!(parse(&nested(1_000_000)).expect_err("deep").fault, Fault::Depth(32));
}

#[test]
fn members_come_one_by_one_and_still_know_their_place() {
    let text = "{\"a\": [1],\n \"b\": {\"c\": {\"d\": 2}}}";
    let mut taken = Vec::new();
    let rest = parse_members(text.as_bytes(), |document| {
        let (key, node) = document.root.object().expect("an object").iter().next().expect("one");
        let inner = node.object().ok().and_then(|node| node.get("c")).map_or(node.at, |c| c.at);
        let place = document.locate(inner);
        taken.push(format!("{key} {place} {}", place.path));
    });
    assert_eq!(taken, ["a 1:7 a", "b 2:13 b.c"]);
    let rest = rest.expect("good").root;
    assert!(rest.object().expect("an object").iter().all(|(_, node)| node.is_null()));

    let mut count = 0;
    assert!(parse_members(b"[{\"a\": 1}]", |_| count += 1).is_ok());
    assert_eq!(count, 0, "only the root's own members are taken");
    let twice = parse_members(b"{\"b\": 1, \"a\": 2, \"b\": 3}", |_| count += 1);
    assert_eq!(twice.expect_err("twice").fault, Fault::DuplicateKey("b".into()));
    assert_eq!(count, 2);
}

#[test]
fn a_value_can_be_located_after_parsing() {
    let document = parse(b"{\"a\": [1,\n {\"b\": true}]}").expect("good");
    let node = &document.root.required("a").and_then(Node::array).expect("array")[1];
    let flag = node.required("b").expect("b");
    let place = document.locate(flag.number().expect_err("not a number").at);
    assert_eq!((place.line, place.column, place.path.as_str()), (2, 8, "a[1].b"));
}

fn same(ours: &Node<'_>, theirs: &serde_json::Value) -> bool {
    match (&ours.value, theirs) {
        (Value::Null, serde_json::Value::Null) => true,
        (Value::Bool(a), serde_json::Value::Bool(b)) => a == b,
        (Value::Number(a), serde_json::Value::Number(b)) => {
            b.as_f64().is_some_and(|b| b.to_bits() == a.as_f64().to_bits())
        }
        (Value::String(a), serde_json::Value::String(b)) => a == b,
        (Value::Array(a), serde_json::Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), serde_json::Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(&**key).is_some_and(|b| same(a, b)))
        }
        _ => false,
    }
}

proptest! {
    #![proptest_config(crate::testing::proptest_config(2000))]

    #[test]
    fn what_it_accepts_serde_json_reads_the_same(
        text in r#"([\[\]{},: \n]|"(a|b|\\n|\\u00e9|é|\\ud83d\\ude00|\\)*"|-?[0-9.eE+-]{1,6}|true|null){0,12}"#
    ) {
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        match parse(text.as_bytes()) {
            Ok(document) => prop_assert!(same(&document.root, &theirs.expect("valid for both"))),
            Err(JsonError { fault: Fault::DuplicateKey(_) | Fault::Number(_), .. }) => {}
            Err(error) => prop_assert!(theirs.is_err(), "{error} in {text}"),
        }
    }

    #[test]
    fn any_bytes_give_a_document_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes);
    }
}
