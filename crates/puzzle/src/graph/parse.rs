//! Graph files, and states: which label lies on which vertex.
//!
//! A file is read line by line:
//!
//! ```text
//! # a comment, to the end of the line
//! a b                a line of two words is an edge
//! d                  a word alone is a vertex; this fixes its place in the order
//! start: 1 2 _ 3     a state, one label for each vertex in order, or
//! goal: a=1 b=3 c=2 d=_     by assignments in any order
//! ```
//!
//! (A file would not have the remarks on the right.) Vertices are ordered by first
//! appearance. `start:` and `goal:` may be anywhere, once each, or be left out. Blank
//! lines, tabs and CRLF line ends do no harm; anything else is refused with its line.
//!
//! In a state, labels are separated by blanks, commas or slashes. `0` or `_` marks the
//! blank, on exactly one vertex; the other labels are words, all different. Words
//! (vertex names and labels) are anything without white space, control characters or
//! one of `# : = , /`.
//!
//! All of it takes one pass and a sort, so a line of ten megabytes is no trouble.

use super::error::{GraphError, MAX_VERTICES};
use super::simple::{Graph, check_word, faulty_edge, short};
use std::collections::HashMap;
use std::fmt;

/// A graph from a file, and the states that came with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphFile {
    /// The graph.
    pub graph: Graph,
    /// The state of the `start:` line, if there was one.
    pub start: Option<Arrangement>,
    /// The state of the `goal:` line, if there was one.
    pub goal: Option<Arrangement>,
}

impl Graph {
    /// Reads a graph file, see [the format](self).
    ///
    /// # Errors
    ///
    /// When a line is not one of the four kinds, the graph is not simple and connected,
    /// or a state does not fit it. The message names the line and what was expected.
    ///
    /// ```
    /// use noyes_puzzle::graph::Graph;
    ///
    /// let file = Graph::parse("a b\nb c\nc a\nstart: 2 1 _\n")?;
    /// assert_eq!(file.graph.len(), 3);
    /// assert_eq!(file.start.unwrap().label(0), Some("2"));
    ///
    /// let error = Graph::parse("a b\nb b\n").unwrap_err();
    /// assert!(error.to_string().starts_with("line 2: `b b` is a loop"));
    /// # Ok::<(), noyes_puzzle::graph::GraphError>(())
    /// ```
    pub fn parse(text: &str) -> Result<GraphFile, GraphError> {
        let mut reader = Reader::default();
        for (line, text) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line + 1;
            reader
                .read(line, text)
                .map_err(|error| error.on_line(line))?;
        }
        let Reader {
            names,
            edges,
            edge_lines,
            start,
            goal,
            ..
        } = reader;
        if let Some((place, error)) = faulty_edge(&names, &edges) {
            return Err(error.on_line(edge_lines[place]));
        }
        let graph = Graph::with_sound_edges(names, edges)?;
        let state = |found: Option<(usize, &str)>| {
            found
                .map(|(line, text)| Arrangement::parse(&graph, text).map_err(|e| e.on_line(line)))
                .transpose()
        };
        let (start, goal) = (state(start)?, state(goal)?);
        Ok(GraphFile { graph, start, goal })
    }
}

/// The file as [`Graph::parse`] reads it back.
impl fmt::Display for GraphFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.graph)?;
        for (key, state) in [("start", &self.start), ("goal", &self.goal)] {
            if let Some(state) = state {
                writeln!(f, "{key}: {state}")?;
            }
        }
        Ok(())
    }
}

/// What the lines so far have said. States wait for the end: the vertices they speak
/// of may come later.
#[derive(Default)]
struct Reader<'t> {
    names: Vec<String>,
    index: HashMap<&'t str, u16>,
    edges: Vec<(u16, u16)>,
    edge_lines: Vec<usize>,
    start: Option<(usize, &'t str)>,
    goal: Option<(usize, &'t str)>,
}

impl<'t> Reader<'t> {
    fn read(&mut self, line: usize, text: &'t str) -> Result<(), GraphError> {
        let text = text.split('#').next().unwrap_or_default().trim();
        if let Some((key, state)) = text.split_once(':') {
            let (key, slot) = match key.trim() {
                "start" => ("start", &mut self.start),
                "goal" => ("goal", &mut self.goal),
                _ => return Err(GraphError::Statement { found: short(text) }),
            };
            if let Some((first, _)) = *slot {
                return Err(GraphError::SecondState { key, first });
            }
            *slot = Some((line, state));
            return Ok(());
        }
        let mut words = text.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (None, ..) => {}
            (Some(a), None, _) => {
                self.vertex(a)?;
            }
            (Some(a), Some(b), None) => {
                let edge = (self.vertex(a)?, self.vertex(b)?);
                self.edges.push(edge);
                self.edge_lines.push(line);
            }
            _ => return Err(GraphError::Statement { found: short(text) }),
        }
        Ok(())
    }

    fn vertex(&mut self, name: &'t str) -> Result<u16, GraphError> {
        if let Some(&vertex) = self.index.get(name) {
            return Ok(vertex);
        }
        check_word(name)?;
        if self.names.len() == MAX_VERTICES {
            return Err(GraphError::TooMany);
        }
        let vertex = self.names.len() as u16;
        self.names.push(name.to_owned());
        self.index.insert(name, vertex);
        Ok(vertex)
    }
}

impl GraphError {
    fn on_line(self, line: usize) -> GraphError {
        let error = Box::new(self);
        GraphError::Line { line, error }
    }
}

/// Which label lies on which vertex; exactly one vertex is blank.
///
/// ```
/// use noyes_puzzle::graph::{Arrangement, Graph};
///
/// let graph = Graph::named("cycle:4")?;
/// let state = Arrangement::parse(&graph, "v2=x v1=_ v3=y v4=z")?;
/// assert_eq!((state.blank(), state.label(1)), (0, Some("x")));
/// assert_eq!(state.to_string(), "_ x y z");
/// # Ok::<(), noyes_puzzle::graph::GraphError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arrangement {
    labels: Vec<Option<String>>,
    blank: u16,
}

impl Arrangement {
    /// The state with these labels by vertex; `None`, `0` and `_` mean the blank.
    ///
    /// # Errors
    ///
    /// When the count is wrong, a label is not a word or lies on two vertices, or
    /// not exactly one vertex is blank.
    pub fn new(graph: &Graph, mut labels: Vec<Option<String>>) -> Result<Arrangement, GraphError> {
        if labels.len() != graph.len() {
            return Err(GraphError::Count {
                found: labels.len(),
                expected: graph.len(),
            });
        }
        let name = |vertex: usize| short(&graph.names()[vertex]);
        let mut blank = None;
        let mut seen = HashMap::new();
        for (vertex, label) in labels.iter_mut().enumerate() {
            label.take_if(|word| *word == "0" || *word == "_");
            let Some(word) = label else {
                if let Some(before) = blank.replace(vertex) {
                    let (a, b) = (name(before), name(vertex));
                    return Err(GraphError::TwoBlanks { a, b });
                }
                continue;
            };
            check_word(word)?;
            if let Some(before) = seen.insert(word.clone(), vertex) {
                return Err(GraphError::DoubleLabel {
                    label: short(word),
                    a: name(before),
                    b: name(vertex),
                });
            }
        }
        let blank = blank.ok_or(GraphError::NoBlank)? as u16;
        Ok(Arrangement { labels, blank })
    }

    /// Reads a state of that graph: labels in vertex order, or assignments.
    ///
    /// # Errors
    ///
    /// As [`Arrangement::new`]; and when assignments name an unknown vertex, or one
    /// vertex twice or not at all.
    pub fn parse(graph: &Graph, text: &str) -> Result<Arrangement, GraphError> {
        let words = || {
            text.split(|c: char| c.is_whitespace() || c == ',' || c == '/')
                .filter(|word| !word.is_empty())
        };
        let mut labels = vec![None; graph.len()];
        if text.contains('=') {
            for word in words() {
                let Some((name, label)) = word.split_once('=') else {
                    return Err(GraphError::Assignment { word: short(word) });
                };
                let Some(vertex) = graph.vertex(name) else {
                    return Err(GraphError::NoSuchVertex { name: short(name) });
                };
                if labels[usize::from(vertex)]
                    .replace(label.to_owned())
                    .is_some()
                {
                    return Err(GraphError::AssignedTwice { name: short(name) });
                }
            }
            if let Some(vertex) = labels.iter().position(Option::is_none) {
                return Err(GraphError::Unassigned {
                    name: short(graph.name(vertex as u16)),
                });
            }
        } else {
            let (found, expected) = (words().count(), graph.len());
            if found != expected {
                return Err(GraphError::Count { found, expected });
            }
            labels = words().map(|word| Some(word.to_owned())).collect();
        }
        Arrangement::new(graph, labels)
    }

    /// The usual goal: labels 1, 2, … in vertex order and the blank on the last vertex.
    pub fn standard(graph: &Graph) -> Arrangement {
        let blank = (graph.len() - 1) as u16; // a graph has at least one vertex
        let mut labels: Vec<_> = (1..graph.len()).map(|i| Some(i.to_string())).collect();
        labels.push(None);
        Arrangement { labels, blank }
    }

    /// The vertex without a tile.
    pub fn blank(&self) -> u16 {
        self.blank
    }

    /// The label on a vertex; none on the blank.
    pub fn label(&self, vertex: u16) -> Option<&str> {
        self.labels[usize::from(vertex)].as_deref()
    }

    /// The labels by vertex.
    pub fn labels(&self) -> &[Option<String>] {
        &self.labels
    }
}

/// The labels in vertex order, `_` for the blank.
impl fmt::Display for Arrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (vertex, label) in self.labels.iter().enumerate() {
            let gap = if vertex == 0 { "" } else { " " };
            write!(f, "{gap}{}", label.as_deref().unwrap_or("_"))?;
        }
        Ok(())
    }
}

/// Turns labels into numbers: the tiles of `start` and of `goal` by vertex, 0 for the
/// blank, and the label of each tile.
///
/// When the labels are the numbers from 1 up, tile i is label i; otherwise tiles are
/// numbered in the order of the goal.
///
/// # Errors
///
/// When one state has a label that the other lacks.
///
/// ```
/// use noyes_puzzle::graph::{Arrangement, Graph, number};
///
/// let graph = Graph::named("path:3")?;
/// let start = Arrangement::parse(&graph, "_ pear fig")?;
/// let goal = Arrangement::parse(&graph, "pear _ fig")?;
/// let (a, b, labels) = number(&start, &goal)?;
/// assert_eq!((a, b), (vec![0, 1, 2], vec![1, 0, 2]));
/// assert_eq!(labels, ["_", "pear", "fig"]);
/// # Ok::<(), noyes_puzzle::graph::GraphError>(())
/// ```
pub fn number(start: &Arrangement, goal: &Arrangement) -> Result<Numbered, GraphError> {
    let count = goal.labels.len();
    let is_plain = |label: &String| {
        (label.parse::<usize>()).is_ok_and(|i| (1..count).contains(&i) && i.to_string() == *label)
    };
    let goal_labels = || goal.labels.iter().flatten();
    let mut labels = vec!["_".to_owned()];
    if goal_labels().all(is_plain) {
        labels.extend((1..count).map(|i| i.to_string())); // all different, so all of them
    } else {
        labels.extend(goal_labels().cloned());
    }
    let tile_of: HashMap<&str, u16> = (labels.iter().enumerate().skip(1))
        .map(|(tile, label)| (label.as_str(), tile as u16))
        .collect();
    let tile = |label: &Option<String>| match label {
        None => Ok(0),
        Some(label) => (tile_of.get(label.as_str()).copied()).ok_or_else(|| GraphError::Labels {
            label: short(label),
            with: "start",
            without: "goal",
        }),
    };
    let first: Vec<u16> = start.labels.iter().map(tile).collect::<Result<_, _>>()?;
    let second: Vec<u16> = goal.labels.iter().map(tile).collect::<Result<_, _>>()?;
    let mut is_used = vec![false; count];
    for &tile in &first {
        is_used[usize::from(tile)] = true;
    }
    if let Some(tile) = is_used.iter().position(|&is_used| !is_used) {
        return Err(GraphError::Labels {
            label: short(&labels[tile]),
            with: "goal",
            without: "start",
        });
    }
    Ok((first, second, labels))
}

/// Start tiles, goal tiles, and the label of each tile; `_` is the label of the blank.
pub type Numbered = (Vec<u16>, Vec<u16>, Vec<String>);
