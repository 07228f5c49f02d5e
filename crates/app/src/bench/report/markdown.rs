//! The report as Markdown; plots are pictures beside it.

use std::fmt::Write;

use super::document::{Block, Document, Origin, Section, Table};

/// Where the pictures are, seen from the report.
pub const PICTURES: &str = "plots";

pub fn write(document: &Document) -> String {
    let mut out = String::from("# Benchmark report\n");
    if !document.alarms.is_empty() {
        out += "\n> **Something is wrong with these results:**\n>\n";
        for alarm in &document.alarms {
            let _ = writeln!(out, "> - **{}**", escape(alarm));
        }
    }
    paragraphs(&mut out, &document.notes);
    for section in &document.sections {
        write_section(&mut out, section);
    }
    out
}

fn write_section(out: &mut String, section: &Section) {
    let _ = writeln!(out, "\n## {}\n", escape(&section.title));
    if let Some(source) = &section.source {
        let _ = writeln!(out, "Source: {}\n", escape(source));
    }
    if let Some(about) = &section.about {
        let _ = writeln!(out, "{}\n", escape(about.trim()));
    }
    for (name, value) in &section.facts {
        let _ = writeln!(out, "- {}: {}", escape(name), escape(value));
    }
    let _ = writeln!(out, "\n```console");
    for command in &section.commands {
        let _ = writeln!(out, "$ {}", command.replace('\n', " "));
    }
    let _ = writeln!(out, "```");
    paragraphs(out, &section.notes);
    for block in &section.blocks {
        match block {
            Block::Table(table) => write_table(out, table),
            Block::Plot(plot) => {
                let title = escape(&plot.chart.title);
                let _ = writeln!(
                    out,
                    "\n### {title}\n\n![{title}]({PICTURES}/{}.svg)",
                    plot.id
                );
                paragraphs(out, &plot.notes);
            }
        }
    }
}

fn write_table(out: &mut String, table: &Table) {
    let _ = writeln!(out, "\n### {}\n", escape(&table.title));
    let heads: Vec<String> = table
        .columns
        .iter()
        .map(|c| escape(&c.whole_name()))
        .collect();
    let rows: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| row.cells.iter().map(|cell| escape(cell)).collect())
        .collect();
    let widths: Vec<usize> = (0..heads.len())
        .map(|i| {
            let cells = rows.iter().map(|row| row[i].chars().count());
            cells
                .chain([heads[i].chars().count(), 3])
                .max()
                .unwrap_or(3)
        })
        .collect();
    let is_label = |i: usize| table.columns[i].origin == Origin::Label;
    let line = |cells: &[String]| {
        let padded = cells.iter().enumerate().map(|(i, cell)| {
            let width = widths[i];
            if is_label(i) {
                format!("{cell:width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
        format!("| {} |\n", padded.collect::<Vec<_>>().join(" | "))
    };
    *out += &line(&heads);
    let rule = |(i, &width): (usize, &usize)| {
        if is_label(i) {
            format!("|:{}", "-".repeat(width + 1))
        } else {
            format!("|{}:", "-".repeat(width + 1))
        }
    };
    *out += &widths.iter().enumerate().map(rule).collect::<String>();
    *out += "|\n";
    for row in &rows {
        *out += &line(row);
    }
    paragraphs(out, &table.notes);
}

fn paragraphs(out: &mut String, notes: &[String]) {
    for note in notes {
        let _ = writeln!(out, "\n{}", escape(note));
    }
}

/// Nothing in a text is taken for a sign of Markdown or HTML.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
