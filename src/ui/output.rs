//! Where a result goes: a file, whole or not at all, or stdout.

use std::io::{self, Write};
use std::path::Path;

use crate::domain::{Exit, Failure};
use crate::fs;
use crate::import::cells;
use crate::table::Table;
use crate::ui::{Ui, count};

/// Writes what `fill` gives.
pub(crate) fn pour(
    output: Option<&Path>,
    ui: Ui,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Exit, Failure> {
    match output {
        None => ui.pour(fill)?,
        Some(path) => {
            fs::write_with(path, fill)?;
            ui.result(&format!("wrote `{}`", path.display()))?;
        }
    }
    Ok(Exit::Yes)
}

/// Writes a table for people: with its colours to stdout, without them to a file.
pub(crate) fn drawn(output: Option<&Path>, ui: Ui, text: &str) -> Result<Exit, Failure> {
    if output.is_none() {
        return ui.out(text).map(|()| Exit::Yes);
    }
    let plain = anstream::adapter::strip_str(text).to_string();
    pour(output, ui, |out| out.write_all(plain.as_bytes()))
}

/// Writes cells; a path that ends in `/` gets one file per run, named after it.
pub(crate) fn cells(
    table: &Table,
    format: cells::Format,
    all_topic: &str,
    output: Option<&Path>,
    ui: Ui,
) -> Result<Exit, Failure> {
    let directory = output.filter(|path| path.as_os_str().as_encoded_bytes().ends_with(b"/"));
    let Some(directory) = directory else {
        // A refusal must come before the first byte.
        cells::write(table, format, all_topic, &mut io::sink())?;
        return pour(output, ui, |out| {
            cells::write(table, format, all_topic, out).map_err(|error| match error {
                cells::WriteError::Io(error) => error,
                refused => io::Error::other(refused),
            })
        });
    };
    // A run's name is a stranger's text; as a file name it must stay in the directory.
    let is_name = |id: &str| {
        !id.contains(['/', '\\', '\0']) && !id.starts_with('.') && !id.is_empty() && id.len() < 256
    };
    if let Some(id) = table.runs().map(|run| table.id(run)).find(|id| !is_name(id)) {
        return Err(Failure::unusable(format!("run `{id}` cannot name a file"))
            .help("write one file: `--output FILE --to tot`"));
    }
    let files = cells::write_by_run(table, format, all_topic)?;
    fs::make_directory(directory)?;
    for (run, bytes) in table.runs().zip(files) {
        fs::write(&directory.join(table.id(run)), &bytes)?;
    }
    ui.result(&format!("wrote {} into `{}`", count(table.len(), "file"), directory.display()))?;
    Ok(Exit::Yes)
}
