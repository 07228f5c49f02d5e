//! A search tree of A*, in words, for Graphviz, and as a picture.
//!
//! In words it is a list of the expansions with the children of each: all states that were generated, in the order in
//! which that happened. The pictures leave out moves straight back, which lead nowhere.

use std::fmt::Write;

use noyes_puzzle::tiles::{Board, Direction, Notation};
use noyes_solver::search::Fate;
use noyes_solver::{Answer, SearchTree, TreeNode};

use super::{tiles, words::status};
use crate::chart::{Leaf, tree};

/// A tree, and the search that made it.
pub struct Drawing<'a> {
    pub board: &'a Board,
    pub answer: &'a Answer,
    pub tree: &'a SearchTree,
}

impl Drawing<'_> {
    /// The expansions one after the other, then the answer and the counts.
    pub fn text(&self) -> String {
        let nodes = &self.tree.nodes;
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.retain(|&i| nodes[i].expanded.is_some());
        order.sort_by_key(|&i| nodes[i].expanded);
        let mut text = String::new();
        if !nodes.is_empty() {
            let _ = writeln!(text, "{}: g + h = f", self.what());
        }
        for at in order {
            let _ = writeln!(text, "{}", expansion(nodes, at));
            for child in nodes.iter().filter(|node| node.parent == Some(at)) {
                let _ = writeln!(
                    text,
                    "     {} {}  {}  {}",
                    letter(child),
                    child.board,
                    sum(child),
                    what_became(child)
                );
            }
        }
        text += &tiles::words(self.board, self.answer, Notation::Blank, false);
        if !nodes.is_empty() {
            let _ = writeln!(text, "{}", self.counts());
        }
        text
    }

    /// The engine and its heuristic.
    fn what(&self) -> String {
        match &self.answer.heuristic {
            Some(heuristic) => format!("A* with {heuristic}"),
            None => "Dijkstra's algorithm".into(),
        }
    }

    /// How many states there are, and how many of them are not shown.
    fn counts(&self) -> String {
        let counts = self.answer.counts;
        let mut text = format!(
            "{} expanded, {} generated",
            counts.expanded, counts.generated
        );
        if self.tree.left_out > 0 {
            let _ = write!(
                text,
                "; the first {} are shown and {} left out (--nodes N shows more)",
                self.tree.nodes.len(),
                self.tree.left_out
            );
        }
        text
    }

    /// The caption of a picture.
    fn caption(&self) -> String {
        format!(
            "{}: {}; {}",
            self.what(),
            status(self.answer),
            self.counts()
        )
    }

    /// A graph in the language of Graphviz.
    pub fn dot(&self) -> String {
        let mut text = format!(
            "digraph tree {{\n  label=\"{}\";\n  node [shape=box, fontname=monospace];\n",
            quoted(&self.caption())
        );
        for (i, node) in self.tree.nodes.iter().enumerate() {
            if node.fate == Fate::Back {
                continue;
            }
            let rows = rows(&node.board).map(|row| row.join(" ") + "\\n");
            let style = match (node.on_plan, node.expanded) {
                (true, _) => "bold",
                (false, Some(_)) => "solid",
                (false, None) => "dashed",
            };
            let _ = writeln!(
                text,
                "  n{i} [label=\"{}{}\", style={style}];",
                rows.collect::<String>(),
                note(node)
            );
            if let Some(parent) = node.parent {
                let _ = writeln!(text, "  n{parent} -> n{i} [label=\"{}\"];", letter(node));
            }
        }
        text + "}\n"
    }

    /// A picture.
    pub fn svg(&self) -> String {
        let nodes = &self.tree.nodes;
        // The number of each node among those that are drawn.
        let mut place = vec![0; nodes.len()];
        let mut leaves = vec![];
        for (i, node) in nodes.iter().enumerate() {
            if node.fate == Fate::Back {
                continue;
            }
            place[i] = leaves.len();
            leaves.push(Leaf {
                parent: node.parent.map(|parent| place[parent]),
                branch: letter(node),
                cells: rows(&node.board).collect(),
                note: note(node),
                strong: node.on_plan,
                faint: node.expanded.is_none() && !node.on_plan,
            });
        }
        let about = "Below each state: the number of its expansion, and g + h = f. The plan has thick lines.";
        tree(&self.caption(), about, &leaves)
    }
}

/// A line about a state that is expanded.
fn expansion(nodes: &[TreeNode], at: usize) -> String {
    let node = &nodes[at];
    let number = node.expanded.expect("it is expanded");
    let parent = node.parent.and_then(|parent| nodes[parent].expanded);
    let from = parent.map_or(String::new(), |parent| {
        format!("  ({} from {parent})", letter(node))
    });
    format!("{number:>4}. {}  {}{from}", node.board, sum(node))
}

/// Where the blank went; nothing for the start.
fn letter(node: &TreeNode) -> String {
    node.by
        .map_or(String::new(), |by: Direction| by.letter().to_string())
}

fn sum(node: &TreeNode) -> String {
    format!("{} + {} = {}", node.g, node.h, node.f())
}

/// The number of its expansion, if any, and the sum.
fn note(node: &TreeNode) -> String {
    match (node.expanded, node.fate) {
        (Some(number), _) => format!("{number}: {}", sum(node)),
        (None, Fate::Goal) => format!("goal: {}", sum(node)),
        (None, Fate::Known) => format!("known: {}", sum(node)),
        _ => sum(node),
    }
}

fn what_became(node: &TreeNode) -> String {
    let waits = |or: &str| match node.expanded {
        Some(number) => format!("expanded as {number}"),
        None => or.into(),
    };
    match node.fate {
        Fate::Open => waits("open"),
        Fate::Reopened => format!("cheaper than before, {}", waits("open")),
        Fate::Known => "known".into(),
        Fate::Back => "straight back".into(),
        Fate::Useless => "no better than the plan".into(),
        Fate::Goal => "goal".into(),
    }
}

/// The rows of a board, the blank empty.
fn rows(board: &Board) -> impl Iterator<Item = Vec<String>> {
    let wide = board.tiles().len().saturating_sub(1).to_string().len();
    board.tiles().chunks(board.width()).map(move |row| {
        let tile = |&tile: &u16| match tile {
            0 => " ".repeat(wide),
            tile => format!("{tile:>wide$}"),
        };
        row.iter().map(tile).collect()
    })
}

/// A text between quotes in the language of Graphviz.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
