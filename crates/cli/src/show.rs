//! How results are shown: JSON to a program, a table to a person.

use std::io::IsTerminal as _;

use comfy_table::{Table, presets};
use portolan_compile::visible;

/// Who reads standard output.
#[derive(clap::Args, Debug)]
pub(crate) struct Show {
    /// Print JSON, also to a terminal
    #[arg(long)]
    json: bool,
    /// Print a table, also to a file or a pipe
    #[arg(long, conflicts_with = "json")]
    table: bool,
}

impl Show {
    /// Whether a person reads.
    pub(crate) fn as_table(&self) -> bool {
        self.table || (!self.json && std::io::stdout().is_terminal())
    }
}

/// Rows under a heading, in columns. Whatever could move a terminal's cursor is made visible.
pub(crate) fn table<'h>(
    heading: impl IntoIterator<Item = &'h str>,
    rows: impl IntoIterator<Item: IntoIterator<Item = String>>,
) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(heading.into_iter().map(visible));
    for row in rows {
        table.add_row(row.into_iter().map(|cell| visible(&cell)));
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}
