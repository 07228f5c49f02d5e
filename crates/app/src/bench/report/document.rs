//! What a report says, apart from how it is written: Markdown, LaTeX and HTML are made of the same sections.

use crate::chart::Chart;

/// A whole report.
pub struct Document {
    /// Results that contradict one another, and runs that failed.
    pub alarms: Vec<String>,
    /// What the reader should know of all of it.
    pub notes: Vec<String>,
    pub sections: Vec<Section>,
}

/// One suite, as run by one version on one machine.
pub struct Section {
    /// A name that no other section has, of letters, digits and hyphens.
    pub id: String,
    pub title: String,
    pub source: Option<String>,
    pub about: Option<String>,
    /// Such as the machine and the number of runs.
    pub facts: Vec<(String, String)>,
    /// What can be typed to make it.
    pub commands: Vec<String>,
    pub notes: Vec<String>,
    pub blocks: Vec<Block>,
}

/// A table or a plot.
pub enum Block {
    Table(Table),
    Plot(Box<Plot>),
}

/// A plot and what is to be said of it.
pub struct Plot {
    /// A name that no other plot has.
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
    /// What several columns beside each other are about; none for a column on its own.
    pub group: String,
    pub name: String,
    pub origin: Origin,
}

/// Where figures come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// What the row is about; not a figure.
    Label,
    Ours,
    Document,
    /// That of the document divided by ours.
    Ratio,
}

pub struct Row {
    pub cells: Vec<String>,
    /// Set apart from the other rows.
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

    /// Our figures on their own.
    pub fn ours(about: &str) -> Column {
        Column {
            group: String::new(),
            name: about.into(),
            origin: Origin::Ours,
        }
    }

    /// Figures of the document, beside ours or, where we have none, alone.
    pub fn document(about: &str, ours: bool, ratio: bool) -> Vec<Column> {
        let column = |name: &str, origin| Column {
            group: about.into(),
            name: name.into(),
            origin,
        };
        let mut columns = vec![column("document", Origin::Document)];
        if ours {
            columns.insert(0, column("ours", Origin::Ours));
        }
        if ours && ratio {
            columns.push(column("document ÷ ours", Origin::Ratio));
        }
        columns
    }

    /// In one line, for tables that have only one row of heads.
    pub fn whole_name(&self) -> String {
        if self.group.is_empty() {
            self.name.clone()
        } else {
            format!("{}: {}", self.group, self.name)
        }
    }
}
