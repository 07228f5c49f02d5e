//! A tree of small boards as SVG.
//!
//! Every leaf of the tree gets a column and every depth a row. A board is in the middle of the columns of the leaves
//! below it, so no two boards overlap and no two lines cross.

use std::fmt::Write;

use super::svg::STYLE;
use super::text::{escape, lines};

/// A board in the tree.
pub struct Leaf {
    /// The number of the board above it, which comes before it; none for the root.
    pub parent: Option<usize>,
    /// What is written at the line from there.
    pub branch: String,
    /// Its rows of cells; the blank is spaces.
    pub cells: Vec<Vec<String>>,
    /// What is written below it.
    pub note: String,
    pub strong: bool,
    pub faint: bool,
}

const CELL: f64 = 20.0;
/// The approximate width of a letter.
const LETTER: f64 = 6.9;
const GAP: f64 = 14.0;
/// The height of a note and of the line to the next row.
const BELOW: f64 = 56.0;
const MARGIN: f64 = 12.0;

const OWN_STYLE: &str = "
.tree .box{fill:none;stroke:var(--ink)}.tree .cell{fill:none;stroke:var(--ink);stroke-opacity:.25}
.tree .edge{fill:none;stroke:var(--soft)}.tree .strong .box,.tree .edge.strong{stroke:var(--c0);stroke-width:3}
.tree .faint{opacity:.7}.tree text{text-anchor:middle}.tree .title{text-anchor:start}";

/// The tree as a complete file. Without boards it has only its title.
pub fn tree(title: &str, about: &str, boards: &[Leaf]) -> String {
    // 1. The leaves below each board, from the last to the first; then the first column of each, from the first on.
    let mut columns = vec![0.0f64; boards.len()];
    for (i, board) in boards.iter().enumerate().rev() {
        columns[i] = columns[i].max(1.0);
        if let Some(parent) = board.parent {
            columns[parent] += columns[i];
        }
    }
    let mut first = vec![0.0f64; boards.len()];
    let mut used = first.clone();
    let mut depth = vec![0.0f64; boards.len()];
    for (i, board) in boards.iter().enumerate() {
        if let Some(parent) = board.parent {
            first[i] = first[parent] + used[parent];
            used[parent] += columns[i];
            depth[i] = depth[parent] + 1.0;
        }
    }
    // 2. From columns and rows to places.
    let (wide, high) = boards.first().map_or((0.0, 0.0), |board| {
        let across = board.cells.first().map_or(0, Vec::len);
        (CELL * across as f64, CELL * board.cells.len() as f64)
    });
    let longest = boards.iter().map(|b| b.note.chars().count()).max();
    let column = wide.max(LETTER * longest.unwrap_or(0) as f64) + GAP;
    let deepest = depth.iter().copied().fold(0.0, f64::max);
    let width = (column * columns.first().unwrap_or(&0.0)).max(400.0) + 2.0 * MARGIN;
    let title_lines = lines(title, (width / 8.0) as usize);
    let top = MARGIN + 20.0 * title_lines.len() as f64 + 8.0;
    let height = top + (deepest + 1.0) * (high + BELOW);
    let middle = |i: usize| MARGIN + column * (first[i] + columns[i] / 2.0);
    let above = |i: usize| top + depth[i] * (high + BELOW);
    // 3. The title, the lines, the boards.
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart tree\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-labelledby=\"tree-title tree-about\">\
         <title id=\"tree-title\">{}</title><desc id=\"tree-about\">{}</desc>\n<style>{STYLE}{OWN_STYLE}</style>\n\
         <rect class=\"back\" width=\"{width:.0}\" height=\"{height:.0}\"/>\n",
        escape(title),
        escape(about)
    );
    for (i, line) in title_lines.iter().enumerate() {
        let y = MARGIN + 12.0 + 20.0 * i as f64;
        let _ = writeln!(
            out,
            "<text class=\"title\" x=\"{MARGIN}\" y=\"{y}\">{}</text>",
            escape(line)
        );
    }
    for (i, board) in boards.iter().enumerate() {
        let class = match (board.strong, board.faint) {
            (true, _) => " strong",
            (false, true) => " faint",
            (false, false) => "",
        };
        if let Some(parent) = board.parent {
            let (from, to) = (above(parent) + high + 20.0, above(i));
            let _ = writeln!(
                out,
                "<path class=\"edge{class}\" d=\"M{:.1} {from:.1}L{:.1} {to:.1}\"/>\
                 <text class=\"soft halo\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                middle(parent),
                middle(i),
                middle(i) - 9.0, // beside the line
                to - 5.0,
                escape(&board.branch)
            );
        }
        let _ = writeln!(out, "<g class=\"node{class}\">");
        draw(&mut out, board, middle(i) - wide / 2.0, above(i));
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
            middle(i),
            above(i) + high + 15.0,
            escape(&board.note)
        );
    }
    out + "</svg>\n"
}

/// The cells of a board.
fn draw(out: &mut String, board: &Leaf, left: f64, top: f64) {
    for (y, row) in board.cells.iter().enumerate() {
        for (x, cell) in row.iter().enumerate().filter(|(_, c)| !c.trim().is_empty()) {
            let (x, y) = (left + CELL * x as f64, top + CELL * y as f64);
            let _ = write!(
                out,
                "<rect class=\"cell\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{CELL}\" height=\"{CELL}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + CELL / 2.0,
                y + 14.5,
                escape(cell.trim())
            );
        }
    }
    let across = board.cells.first().map_or(0, Vec::len) as f64;
    let _ = writeln!(
        out,
        "<rect class=\"box\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
        CELL * across,
        CELL * board.cells.len() as f64
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_of_a_row_do_not_overlap() {
        let leaf = |parent, note: &str| Leaf {
            parent,
            branch: "U".into(),
            cells: vec![vec!["1".into(), " ".into()]],
            note: note.into(),
            strong: false,
            faint: false,
        };
        let boards = [
            leaf(None, "root"),
            leaf(Some(0), "a"),
            leaf(Some(0), "b"),
            leaf(Some(2), "c"),
            leaf(Some(2), "d"),
            leaf(Some(1), "e"),
        ];
        let svg = tree("a < b", "about", &boards);
        assert!(svg.contains("a &lt; b") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("class=\"box\"").count(), 6);
        assert_eq!(svg.matches("class=\"edge\"").count(), 5);
        let mut places: Vec<(i64, i64)> = vec![];
        for part in svg.split("class=\"box\" x=\"").skip(1) {
            let mut numbers = part.split('"').filter_map(|n| n.parse::<f64>().ok());
            let (x, y) = (numbers.next().unwrap(), numbers.next().unwrap());
            for &(other_x, other_y) in &places {
                assert!(other_y != y as i64 || (other_x - x as i64).abs() > 40);
            }
            places.push((x as i64, y as i64));
        }
        assert_eq!(places.len(), 6);
    }
}
