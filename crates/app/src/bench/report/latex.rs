//! The report as LaTeX: a document that compiles as it is, with booktabs tables and pgfplots.

use std::fmt::Write;

use super::document::{Block, Column, Document, Origin, Section, Table};
use super::latex_plot;
use super::latex_text::escape;
use crate::chart::lines;

const HEAD: &str = r"\documentclass[a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage{textcomp}
\usepackage[margin=2cm]{geometry}
\usepackage{booktabs,longtable,graphicx,xcolor}
\usepackage{pgfplots}
\pgfplotsset{compat=1.16}
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt}
% A table that is too wide is made smaller.
\newcommand{\fit}[1]{\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{#1}}
";

/// Tables longer than this are broken over pages.
const LONG: usize = 40;

pub fn write(document: &Document) -> String {
    let mut out = String::from(HEAD);
    out += &latex_plot::colours();
    out += "\\title{Benchmark report}\n\\date{}\n\\begin{document}\n\\maketitle\n";
    if !document.alarms.is_empty() {
        out += "\\textcolor{red}{\\textbf{Something is wrong with these results:}}\n\\begin{itemize}\n";
        for alarm in &document.alarms {
            let _ = writeln!(out, "\\item \\textcolor{{red}}{{{}}}", escape(alarm));
        }
        out += "\\end{itemize}\n";
    }
    paragraphs(&mut out, &document.notes);
    for section in &document.sections {
        write_section(&mut out, section);
    }
    out + "\\end{document}\n"
}

fn write_section(out: &mut String, section: &Section) {
    let _ = writeln!(out, "\n\\section{{{}}}", escape(&section.title));
    if let Some(source) = &section.source {
        let _ = writeln!(out, "Source: {}\n", escape(source));
    }
    if let Some(about) = &section.about {
        let _ = writeln!(out, "{}\n", escape(about.trim()));
    }
    out.push_str("\\begin{itemize}\n");
    for (name, value) in &section.facts {
        let _ = writeln!(out, "\\item {}: {}", escape(name), escape(value));
    }
    for command in &section.commands {
        let _ = writeln!(
            out,
            "\\item {{\\ttfamily\\raggedright {}\\par}}",
            escape(command)
        );
    }
    out.push_str("\\end{itemize}\n");
    paragraphs(out, &section.notes);
    for block in &section.blocks {
        match block {
            Block::Table(table) => write_table(out, table),
            Block::Plot(plot) => {
                let _ = writeln!(out, "\n\\subsection{{{}}}", escape(&plot.chart.title));
                latex_plot::write(out, &plot.chart);
                paragraphs(out, &plot.notes);
            }
        }
    }
}

fn write_table(out: &mut String, table: &Table) {
    let _ = writeln!(out, "\n\\subsection{{{}}}\n", escape(&table.title));
    let is_label = |i: usize| table.columns[i].origin == Origin::Label;
    let columns: String = (0..table.columns.len())
        .map(|i| if is_label(i) { 'l' } else { 'r' })
        .collect();
    let long = table.rows.len() > LONG;
    if long {
        let _ = writeln!(out, "{{\\scriptsize\n\\begin{{longtable}}{{{columns}}}");
    } else {
        let _ = writeln!(out, "\\fit{{\\begin{{tabular}}{{{columns}}}");
    }
    out.push_str("\\toprule\n");
    write_heads(out, table);
    out.push_str("\\midrule\n");
    if long {
        out.push_str("\\endhead\n");
    }
    for row in &table.rows {
        if row.apart {
            out.push_str("\\addlinespace\n");
        }
        let cells: Vec<String> = row.cells.iter().map(|cell| escape(cell)).collect();
        let _ = writeln!(out, "{} \\\\", cells.join(" & "));
    }
    out.push_str("\\bottomrule\n");
    out.push_str(if long {
        "\\end{longtable}}\n"
    } else {
        "\\end{tabular}}\n"
    });
    paragraphs(out, &table.notes);
}

/// One row of heads, or two if columns are grouped.
fn write_heads(out: &mut String, table: &Table) {
    let columns = &table.columns;
    if columns.iter().any(|c| !c.group.is_empty()) {
        let (mut heads, mut rules) = (vec![], String::new());
        for group in columns.chunk_by(|a, b| !a.group.is_empty() && a.group == b.group) {
            let from = heads
                .iter()
                .map(|(_, wide): &(String, usize)| wide)
                .sum::<usize>()
                + 1;
            let wide = group.len();
            if !group[0].group.is_empty() {
                let _ = write!(rules, "\\cmidrule(lr){{{from}-{}}}", from + wide - 1);
            }
            let head = format!(
                "\\multicolumn{{{wide}}}{{c}}{{{}}}",
                escape(&group[0].group)
            );
            heads.push((head, wide));
        }
        let heads: Vec<String> = heads.into_iter().map(|(head, _)| head).collect();
        let _ = writeln!(out, "{} \\\\\n{rules}", heads.join(" & "));
    }
    let names: Vec<String> = columns.iter().map(head).collect();
    let _ = writeln!(out, "{} \\\\", names.join(" & "));
}

/// The name of a column, broken into lines if it is long.
fn head(column: &Column) -> String {
    let side = if column.origin == Origin::Label {
        'l'
    } else {
        'r'
    };
    let lines: Vec<String> = lines(&column.name, 16)
        .iter()
        .map(|line| escape(line))
        .collect();
    format!("\\shortstack[{side}]{{{}}}", lines.join("\\\\"))
}

fn paragraphs(out: &mut String, notes: &[String]) {
    for note in notes {
        let _ = writeln!(out, "\n{{\\small {}\\par}}", escape(note));
    }
}
