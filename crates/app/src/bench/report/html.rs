//! The report as one self-contained page, without scripts and external files.

use std::fmt::Write;

use super::document::{Block, Column, Document, Origin, Plot, Section, Table};
use crate::chart::{self, escape};

const STYLE: &str = include_str!("page.css");

pub fn write(document: &Document) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>Benchmark report</title>\n\
         <style>\n{STYLE}{}\n</style>\n</head>\n<body>\n<main>\n<h1>Benchmark report</h1>\n",
        chart::STYLE
    );
    if !document.alarms.is_empty() {
        out += "<section class=\"bad\" role=\"alert\"><h2>Something is wrong with these results</h2><ul>\n";
        for alarm in &document.alarms {
            let _ = writeln!(out, "<li>{}</li>", escape(alarm));
        }
        out += "</ul></section>\n";
    }
    notes(&mut out, &document.notes);
    if document.sections.len() > 1 {
        out += "<nav aria-label=\"Suites\"><ul>\n";
        for Section { id, title, .. } in &document.sections {
            let _ = writeln!(out, "<li><a href=\"#{id}\">{}</a></li>", escape(title));
        }
        out += "</ul></nav>\n";
    }
    for section in &document.sections {
        write_section(&mut out, section);
    }
    out + "</main>\n</body>\n</html>\n"
}

fn write_section(out: &mut String, section: &Section) {
    let id = &section.id;
    let _ = writeln!(
        out,
        "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{}</h2>",
        escape(&section.title)
    );
    if let Some(source) = &section.source {
        let _ = writeln!(out, "<p>Source: <cite>{}</cite></p>", escape(source));
    }
    if let Some(about) = &section.about {
        let _ = writeln!(out, "<p>{}</p>", escape(about.trim()));
    }
    out.push_str("<dl>\n");
    for (name, value) in &section.facts {
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(value));
    }
    out.push_str("</dl>\n");
    if let Some((first, more)) = section.commands.split_first() {
        pre(
            out,
            "The command that makes these results",
            std::slice::from_ref(first),
        );
        if !more.is_empty() {
            out.push_str("<details><summary>One run of each configuration</summary>");
            pre(out, "One run of each configuration", more);
            out.push_str("</details>\n");
        }
    }
    notes(out, &section.notes);
    for block in &section.blocks {
        match block {
            Block::Table(table) => write_table(out, table),
            Block::Plot(plot) => write_plot(out, plot),
        }
    }
    out.push_str("</section>\n");
}

/// Wide content scrolls in its own box, which the keyboard can reach.
fn scroll(out: &mut String, label: &str, tag: &str) {
    let label = escape(label);
    let _ = write!(
        out,
        "<{tag} class=\"scroll\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\">"
    );
}

fn pre(out: &mut String, label: &str, commands: &[String]) {
    let _ = write!(
        out,
        "<pre role=\"region\" aria-label=\"{}\" tabindex=\"0\">",
        escape(label)
    );
    for command in commands {
        let _ = writeln!(out, "{}", escape(command));
    }
    out.push_str("</pre>\n");
}

fn write_plot(out: &mut String, plot: &Plot) {
    let title = &plot.chart.title;
    let square = if plot.chart.square {
        " class=\"square\""
    } else {
        ""
    };
    let _ = writeln!(out, "<h3>{}</h3>\n<figure{square}>", escape(title));
    scroll(out, &format!("Plot: {title}"), "div");
    out.push_str(&chart::svg(&plot.chart, &plot.id));
    out.push_str("</div>\n");
    if !plot.notes.is_empty() {
        out.push_str("<figcaption>\n");
        notes(out, &plot.notes);
        out.push_str("</figcaption>\n");
    }
    out.push_str("</figure>\n");
}

fn write_table(out: &mut String, table: &Table) {
    let _ = writeln!(out, "<h3>{}</h3>", escape(&table.title));
    scroll(out, &format!("Table: {}", table.title), "div");
    out.push_str("<table>\n<thead>\n");
    write_heads(out, &table.columns);
    out.push_str("</thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str(if row.apart {
            "<tr class=\"apart\">"
        } else {
            "<tr>"
        });
        for (cell, column) in row.cells.iter().zip(&table.columns) {
            let cell = escape(cell);
            let _ = match column.origin {
                Origin::Label => write!(out, "<th scope=\"row\">{cell}</th>"),
                origin => write!(out, "<td{}>{cell}</td>", class(origin)),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
    notes(out, &table.notes);
}

/// One row of heads, or two if columns are grouped.
fn write_heads(out: &mut String, columns: &[Column]) {
    let grouped = columns.iter().any(|c| !c.group.is_empty());
    if grouped {
        out.push_str("<tr>");
        for group in columns.chunk_by(|a, b| !a.group.is_empty() && a.group == b.group) {
            let column = &group[0];
            let _ = if column.group.is_empty() {
                write!(
                    out,
                    "<th scope=\"col\" rowspan=\"2\"{}>{}</th>",
                    class(column.origin),
                    escape(&column.name)
                )
            } else {
                write!(
                    out,
                    "<th scope=\"colgroup\" colspan=\"{}\">{}</th>",
                    group.len(),
                    escape(&column.group)
                )
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("<tr>");
    for column in columns.iter().filter(|c| !grouped || !c.group.is_empty()) {
        let _ = write!(
            out,
            "<th scope=\"col\"{}>{}</th>",
            class(column.origin),
            escape(&column.name)
        );
    }
    out.push_str("</tr>\n");
}

fn class(origin: Origin) -> &'static str {
    match origin {
        Origin::Label => " class=\"label\"",
        Origin::Ours => "",
        Origin::Paper => " class=\"paper\"",
        Origin::Ratio => " class=\"ratio\"",
    }
}

fn notes(out: &mut String, notes: &[String]) {
    for note in notes {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(note));
    }
}
