//! The template engine, set up in one place: strict about names, escaping everywhere.
//!
//! Numbers, options and booleans never reach `{{ }}`. Views hold final strings; anything else in
//! the output is an error, not the word "None" on a page.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Rest, Serde, StringInput, ValueKind, ValueOrKwargs};
use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value, filters,
};
use serde::Serialize;

use crate::domain::nearest;

use super::SiteError;
use super::assets::Assets;

/// Steps that one page may take; a page of a thousand rows needs about a hundredth of it.
const STEPS: u64 = 50_000_000;
/// Size limit of one page.
const PAGE_LIMIT: usize = 64 << 20;
/// The largest width that `indent` and `format` pad to.
const WIDEST: usize = 1000;

pub(super) struct Engine<'a> {
    environment: Environment<'a>,
    overridden: BTreeSet<String>,
    site: Value,
    /// Leads to the top from any depth: the base URL, else the root of the host.
    top: String,
}

/// What every template sees.
#[derive(Serialize)]
struct Context<'p, T> {
    root: &'p str,
    here: &'p str,
    site: &'p Value,
    page: &'p T,
}

impl<'a> Engine<'a> {
    /// The engine with every template loaded; `site` is what all pages share.
    pub(super) fn new(assets: &'a Assets<'_>, site: &impl Serialize) -> Result<Self, SiteError> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.set_formatter(write_escaped);
        environment.set_debug(true); // errors then know the expression
        environment.set_syntax(layout());
        environment.set_fuel(Some(STEPS));
        environment.add_filter("indent", indent);
        environment.add_filter("format", format);
        let published: BTreeMap<String, String> = assets.published().clone();
        environment.add_function("asset", move |name: &str| {
            published.get(name).cloned().ok_or_else(|| {
                Error::new(ErrorKind::InvalidOperation, format!("there is no static file `{name}`"))
            })
        });
        let site = Value::from(Serde(site));
        let base = site.get_attr("base_url").ok().and_then(|url| url.as_str().map(str::to_owned));
        let top = base.filter(|url| !url.is_empty()).unwrap_or_else(|| "/".to_owned());
        let mut engine = Self { environment, overridden: BTreeSet::new(), site, top };
        for name in Assets::templates() {
            let Some((text, overridden)) = assets.template(&name)? else { continue };
            if overridden {
                engine.overridden.insert(name.clone());
            }
            engine
                .environment
                .add_template_owned(name.clone(), text)
                .map_err(|error| engine.fault(&name, &error, &serde_json::Value::Null))?;
        }
        Ok(engine)
    }

    /// Renders `page` with `template`; `root` leads from `here`, the page's path, to the top.
    pub(super) fn page<T: Serialize>(
        &self,
        template: &str,
        here: &str,
        page: &T,
    ) -> Result<Vec<u8>, SiteError> {
        let root = match here {
            // A host shows this page at any path.
            "404.html" => &self.top,
            _ if here.contains('/') => "../",
            _ => "",
        };
        let context = Context { root, here, site: &self.site, page };
        let mut bytes = Bounded(Vec::new());
        let rendered = self.environment.get_template(template).and_then(|loaded| {
            loaded.render_captured_to(Value::from(Serde(&context)), &mut bytes).map(drop)
        });
        rendered.map(|()| bytes.0).map_err(|error| {
            self.fault(template, &error, &serde_json::to_value(&context).unwrap_or_default())
        })
    }

    fn fault(&self, template: &str, error: &Error, context: &serde_json::Value) -> SiteError {
        let template = error.name().unwrap_or(template).to_owned();
        let expression = (error.kind() == ErrorKind::UndefinedError)
            .then(|| error.template_source()?.get(error.range()?).map(str::to_owned))
            .flatten();
        let known = expression.as_deref().map(|name| names_near(name, context)).unwrap_or_default();
        SiteError::Template {
            overridden: self.overridden.contains(&template),
            line: error.line().unwrap_or(1),
            reason: reason(error),
            template,
            expression,
            known,
        }
    }
}

/// Why a template cannot be rendered: what a write that failed says, or the engine's own words.
fn reason(error: &Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) if error.kind() == ErrorKind::WriteFailure => cause.to_string(),
        _ => error.detail().map_or_else(|| error.to_string(), str::to_owned),
    }
}

/// The bytes of a page, up to the limit.
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > PAGE_LIMIT {
            return Err(io::Error::other(format!("the page is longer than {PAGE_LIMIT} bytes")));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The engine's own filter, with a limit: a width is memory.
fn indent(
    value: StringInput<'_>,
    width: Option<usize>,
    first: Option<bool>,
    blank: Option<bool>,
    named: Kwargs,
) -> Result<Value, Error> {
    let asked = match width {
        Some(width) => width,
        None => named.get::<Option<usize>>("width")?.unwrap_or_default(),
    };
    if asked > WIDEST {
        return Err(too_wide());
    }
    filters::indent(value, width, first, blank, named)
}

/// The engine's own filter, with a limit: `%999999999d` is a gigabyte.
fn format(
    state: &mut State<'_, '_>,
    text: &Value,
    values: Rest<ValueOrKwargs>,
) -> Result<Value, Error> {
    let spec = text.as_str().unwrap_or_default();
    let mut numbers = spec.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    if spec.contains('*') || !numbers.all(|it| it.parse().is_ok_and(|it: usize| it <= WIDEST)) {
        return Err(too_wide());
    }
    filters::format(state, text, values)
}

fn too_wide() -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("a width is at most {WIDEST}"))
}

/// A tag on a line of its own leaves no blank line behind.
fn layout() -> SyntaxConfig {
    let layout = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    layout.expect("the standard delimiters are valid")
}

/// The names of the object that has the name nearest to the last part of `expression`.
fn names_near(expression: &str, context: &serde_json::Value) -> Vec<String> {
    let wanted = expression.rsplit('.').next().unwrap_or(expression);
    let mut objects = Vec::new();
    collect_objects(context, &mut objects);
    let all = objects.iter().flat_map(|object| object.keys().map(String::as_str));
    let near = nearest(wanted, all);
    let holder = near.and_then(|near| objects.iter().find(|object| object.contains_key(near)));
    holder.or(objects.first()).map(|object| object.keys().cloned().collect()).unwrap_or_default()
}

fn collect_objects<'v>(
    value: &'v serde_json::Value,
    objects: &mut Vec<&'v serde_json::Map<String, serde_json::Value>>,
) {
    match value {
        serde_json::Value::Object(object) => {
            objects.push(object);
            for value in object.values() {
                collect_objects(value, objects);
            }
        }
        serde_json::Value::Array(items) => {
            for value in items {
                collect_objects(value, objects);
            }
        }
        _ => {}
    }
}

/// Writes a value for HTML, SVG and XML alike.
fn write_escaped(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let shown = matches!(value.kind(), ValueKind::String | ValueKind::Number);
    let Some(text) = value.as_str().filter(|_| shown) else {
        return match value.kind() {
            ValueKind::Number => Ok(write!(out, "{value}")?),
            kind => {
                Err(Error::new(ErrorKind::InvalidOperation, format!("expected text, found {kind}")))
            }
        };
    };
    if value.is_safe() {
        return Ok(out.write_str(text)?);
    }
    let mut rest = text;
    let is_special = |byte| matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'');
    while let Some(at) = rest.bytes().position(is_special) {
        out.write_str(&rest[..at])?;
        out.write_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => "&#39;",
        })?;
        rest = &rest[at + 1..];
    }
    Ok(out.write_str(rest)?)
}
