//! `portolan list`.

use futures_executor::block_on;
use portolan_compile::cli::{Console, Exit};
use portolan_compile::visible;
use serde_json::{Value, json};

use crate::opened::Opened;
use crate::show::{Show, table};

/// List the objects that a profile sees.
///
/// JSON is what the tool `list_objects` answers a model. Exit code 1: a search that found nothing.
#[derive(clap::Args, Debug)]
pub(crate) struct List {
    /// Words of the name or the label
    search: Option<String>,
    #[command(flatten)]
    opened: Opened,
    #[command(flatten)]
    show: Show,
}

impl List {
    pub(crate) fn run(&self, console: &mut Console<'_>) -> anyhow::Result<Exit> {
        let session = self.opened.session()?;
        let answer = block_on(session.call("list_objects", &json!({ "search": self.search })));
        let list: Value = serde_json::from_str(answer.as_str())?;
        if self.show.as_table() {
            let label = |label: &Value| label.as_str().unwrap_or_default().to_owned();
            let objects = list["objects"].as_object().into_iter().flatten();
            let rows = objects.map(|(name, text)| [name.clone(), label(text)]);
            console.print(table(["object", "label"], rows).as_bytes())?;
            writeln!(console.err, "\n{} of {} objects", list["count"], list["of"])?;
            if let Some(note) = list["note"].as_str() {
                writeln!(console.err, "{}", visible(note))?;
            }
            for near in list["nearest"].as_array().into_iter().flatten() {
                writeln!(console.err, "nearest: {}", visible(&label(near)))?;
            }
        } else {
            console.print(format!("{answer}\n").as_bytes())?;
        }
        Ok(if list["count"] == 0 { Exit::Finding } else { Exit::Good })
    }
}
