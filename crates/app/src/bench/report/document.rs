//! The content of a report: Markdown, LaTeX and HTML are written from the same sections.

use crate::chart::Chart;

/// A whole report.
pub struct Document {
    /// Contradictory results, and runs that failed.
    pub alarms: Vec<String>,
    /// What the reader should know about the whole report.
    pub notes: Vec<String>,
    pub sections: Vec<Section>,
}

/// One suite, as run by one version on one machine.
pub struct Section {
    /// A unique name of letters, digits and hyphens.
    pub id: String,
    pub title: String,
    pub source: Option<String>,
    pub about: Option<String>,
    /// Such as the machine and the number of runs.
    pub facts: Vec<(String, String)>,
    /// The commands that make it.
    pub commands: Vec<String>,
    pub notes: Vec<String>,
    pub blocks: Vec<Block>,
}

/// A table or a plot.
pub enum Block {
    Table(Table),
    Plot(Box<Plot>),
}

/// A plot and its notes.
pub struct Plot {
    /// A unique name.
    pub id: String,
    pub chart: Chart,
    pub notes: Vec<String>,
}

/// A table; every cell is text.
pub struct Table {
    pub title: String,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
    pub notes: Vec<String>,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The common heading of adjacent columns; empty for a single column.
    pub group: String,
    pub name: String,
    pub origin: Origin,
}

/// Where the figures of a column come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The name of the row; not a figure.
    Label,
    Ours,
    Paper,
    /// The paper's figure divided by ours.
    Ratio,
}

pub struct Row {
    pub cells: Vec<String>,
    /// Whether a line separates it from the other rows.
    pub apart: bool,
}

impl Column {
    pub fn label(name: &str) -> Column {
        Column {
            group: String::new(),
            name: name.into(),
            origin: Origin::Label,
        }
    }

    /// Our figures alone.
    pub fn ours(about: &str) -> Column {
        Column {
            group: String::new(),
            name: about.into(),
            origin: Origin::Ours,
        }
    }

    /// Figures of the paper, beside ours, or alone if we have none.
    pub fn paper(about: &str, ours: bool, ratio: bool) -> Vec<Column> {
        let column = |name: &str, origin| Column {
            group: about.into(),
            name: name.into(),
            origin,
        };
        let mut columns = vec![column("paper", Origin::Paper)];
        if ours {
            columns.insert(0, column("ours", Origin::Ours));
        }
        if ours && ratio {
            columns.push(column("paper ÷ ours", Origin::Ratio));
        }
        columns
    }

    /// Its name with its group, for tables with one row of heads.
    pub fn whole_name(&self) -> String {
        if self.group.is_empty() {
            self.name.clone()
        } else {
            format!("{}: {}", self.group, self.name)
        }
    }
}
