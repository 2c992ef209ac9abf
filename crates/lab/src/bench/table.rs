//! Tables for people: columns as wide as what is in them.

use std::fmt;

/// Rows of cells, the first of them the heading.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Adds a row.
    pub(super) fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}

/// The cell beside a figure that has a target.
pub(super) fn target(text: &str, met: bool) -> String {
    format!("target: {text}: {}", if met { "met" } else { "MISSED" })
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |at: usize| {
            self.rows.iter().filter_map(|row| Some(row.get(at)?.chars().count())).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
            writeln!(f, "  {}", cells.collect::<Vec<_>>().join("   ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_line_up() {
        let mut table = Table::default();
        table.row(["", "µs", "target"]);
        table.row(["open", "1", ""]);
        assert_eq!(table.to_string(), "         µs   target\n  open   1\n");
    }
}
