//! The template engine, set up in one place: strict about names, escaping everywhere.
//!
//! Numbers, options and booleans never reach `{{ }}`. Views hold final strings; anything else in
//! the output is an error, not the word "None" on a page.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value,
};
use serde::Serialize;

use crate::domain::nearest;

use super::SiteError;
use super::assets::Assets;

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
        let rendered = self
            .environment
            .get_template(template)
            .and_then(|loaded| loaded.render(Value::from(Serde(&context))));
        rendered.map(String::into_bytes).map_err(|error| {
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
            reason: error.detail().map_or_else(|| error.to_string(), str::to_owned),
            template,
            expression,
            known,
        }
    }
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
            kind => Err(Error::new(
                ErrorKind::InvalidOperation,
                format!("{kind} stands where text belongs"),
            )),
        };
    };
    if value.is_safe() {
        return Ok(out.write_str(text)?);
    }
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
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
