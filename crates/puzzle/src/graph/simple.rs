//! A finite simple connected graph, in flat arrays.

use std::collections::VecDeque;
use std::fmt;

use super::error::{GraphError, MAX_VERTICES};

/// A finite simple connected graph whose vertices `0..len` have names.
///
/// ```
/// use noyes_puzzle::graph::Graph;
///
/// let names = ["a", "b", "c"].map(String::from).to_vec();
/// let triangle = Graph::new(names, &[(0, 1), (1, 2), (2, 0)])?;
/// assert_eq!(triangle.neighbours(0), [1, 2]);
/// assert!(!triangle.is_bipartite());
/// # Ok::<(), noyes_puzzle::graph::GraphError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    names: Vec<String>,
    by_name: Vec<u16>, // the vertices sorted by name
    edges: Vec<(u16, u16)>,
    first: Vec<usize>, // the neighbours of v are adjacent[first[v]..first[v + 1]]
    adjacent: Vec<u16>,
}

impl Graph {
    /// The graph with these vertex names and these edges between their indices.
    ///
    /// # Errors
    ///
    /// When there is no vertex, or more than [`MAX_VERTICES`], a name is not a word
    /// or appears twice, an edge is a loop or appears twice or leads nowhere, or
    /// the graph has two parts.
    pub fn new(names: Vec<String>, edges: &[(u16, u16)]) -> Result<Graph, GraphError> {
        if names.is_empty() {
            return Err(GraphError::Empty);
        }
        if names.len() > MAX_VERTICES {
            return Err(GraphError::TooMany);
        }
        if let Some((_, error)) = faulty_edge(&names, edges) {
            return Err(error);
        }
        Graph::with_sound_edges(names, edges.to_vec())
    }

    /// The same, for edges that have been checked.
    pub(super) fn with_sound_edges(
        names: Vec<String>,
        edges: Vec<(u16, u16)>,
    ) -> Result<Graph, GraphError> {
        if names.is_empty() {
            return Err(GraphError::Empty);
        }
        for name in &names {
            check_word(name)?;
        }
        let mut by_name: Vec<u16> = (0..=(names.len() - 1) as u16).collect();
        by_name.sort_unstable_by(|&a, &b| names[usize::from(a)].cmp(&names[usize::from(b)]));
        for pair in by_name.windows(2) {
            let name = &names[usize::from(pair[0])];
            if *name == names[usize::from(pair[1])] {
                return Err(GraphError::DoubleName { name: short(name) });
            }
        }
        let graph = Graph::assemble(names, by_name, edges);
        match graph.distances_from(0).iter().position(|&d| d == u32::MAX) {
            Some(apart) => Err(GraphError::Parts {
                a: short(&graph.names[0]),
                b: short(&graph.names[apart]),
            }),
            None => Ok(graph),
        }
    }

    fn assemble(names: Vec<String>, by_name: Vec<u16>, edges: Vec<(u16, u16)>) -> Graph {
        let mut first = vec![0; names.len() + 1];
        for &(a, b) in &edges {
            first[usize::from(a) + 1] += 1;
            first[usize::from(b) + 1] += 1;
        }
        for vertex in 0..names.len() {
            first[vertex + 1] += first[vertex];
        }
        let mut free = first.clone();
        let mut adjacent = vec![0; 2 * edges.len()];
        for &(a, b) in &edges {
            for (from, to) in [(a, b), (b, a)] {
                let slot = &mut free[usize::from(from)];
                adjacent[*slot] = to;
                *slot += 1;
            }
        }
        Graph {
            names,
            by_name,
            edges,
            first,
            adjacent,
        }
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no vertex, which [`Graph::new`] refuses: always false.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The edges, in the order they were given.
    pub fn edges(&self) -> &[(u16, u16)] {
        &self.edges
    }

    /// The name of a vertex.
    pub fn name(&self, vertex: u16) -> &str {
        &self.names[usize::from(vertex)]
    }

    /// The names of all vertices, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The vertex of that name, if there is one.
    pub fn vertex(&self, name: &str) -> Option<u16> {
        self.by_name
            .binary_search_by(|&v| self.name(v).cmp(name))
            .ok()
            .map(|at| self.by_name[at])
    }

    /// The neighbours of a vertex, in the order the edges were given.
    pub fn neighbours(&self, vertex: u16) -> &[u16] {
        let vertex = usize::from(vertex);
        &self.adjacent[self.first[vertex]..self.first[vertex + 1]]
    }

    /// Whether an edge joins `a` and `b`; takes as long as the lesser degree of the two.
    pub fn has_edge(&self, a: u16, b: u16) -> bool {
        let (of_a, of_b) = (self.neighbours(a), self.neighbours(b));
        if of_a.len() <= of_b.len() {
            of_a.contains(&b)
        } else {
            of_b.contains(&a)
        }
    }

    /// Whether two colours suffice so that every edge joins different ones.
    pub fn is_bipartite(&self) -> bool {
        let distance = self.distances_from(0);
        let colour = |v: u16| distance[usize::from(v)] % 2;
        self.edges.iter().all(|&(a, b)| colour(a) != colour(b))
    }

    /// The number of edges on a shortest way from `vertex` to each vertex.
    pub fn distances_from(&self, vertex: u16) -> Vec<u32> {
        let mut distance = vec![u32::MAX; self.len()];
        distance[usize::from(vertex)] = 0;
        let mut queue = VecDeque::from([vertex]);
        while let Some(v) = queue.pop_front() {
            for &w in self.neighbours(v) {
                if distance[usize::from(w)] == u32::MAX {
                    distance[usize::from(w)] = distance[usize::from(v)] + 1;
                    queue.push_back(w);
                }
            }
        }
        distance
    }

    /// A shortest way between two vertices, both ends included.
    ///
    /// ```
    /// let cycle = noyes_puzzle::graph::Graph::named("cycle:6")?;
    /// assert_eq!(cycle.path(1, 5), [1, 0, 5]);
    /// # Ok::<(), noyes_puzzle::graph::GraphError>(())
    /// ```
    pub fn path(&self, from: u16, to: u16) -> Vec<u16> {
        let left = self.distances_from(to);
        let mut path = vec![from];
        let mut here = from;
        while here != to {
            here = *self
                .neighbours(here)
                .iter()
                .find(|&&w| left[usize::from(w)] < left[usize::from(here)])
                .expect("the graph is connected, so some neighbour is nearer");
            path.push(here);
        }
        path
    }
}

/// The graph as a file that [`Graph::parse`] reads back: vertices, then edges.
impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in &self.names {
            writeln!(f, "{name}")?;
        }
        for &(a, b) in &self.edges {
            writeln!(f, "{} {}", self.name(a), self.name(b))?;
        }
        Ok(())
    }
}

/// The first edge that no simple graph can have, by its place in the list, and why.
pub(super) fn faulty_edge(names: &[String], edges: &[(u16, u16)]) -> Option<(usize, GraphError)> {
    let name = |v: u16| short(&names[usize::from(v)]);
    let mut fault = None;
    for (place, &(a, b)) in edges.iter().enumerate() {
        if usize::from(a.max(b)) >= names.len() {
            let (index, count) = (a.max(b), names.len());
            fault = Some((place, GraphError::NoVertex { index, count }));
            break;
        }
        if a == b {
            fault = Some((place, GraphError::Loop { vertex: name(a) }));
            break;
        }
    }
    let sound = fault.as_ref().map_or(edges.len(), |(place, _)| *place);
    let mut sorted: Vec<(u16, u16, usize)> = (edges[..sound].iter().enumerate())
        .map(|(place, &(a, b))| (a.min(b), a.max(b), place))
        .collect();
    sorted.sort_unstable();
    let double = (sorted.windows(2))
        .filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1))
        .map(|pair| pair[1].2)
        .min();
    match double {
        Some(place) => {
            let (a, b) = (name(edges[place].0), name(edges[place].1));
            Some((place, GraphError::DoubleEdge { a, b }))
        }
        None => fault,
    }
}

/// Refuses what could not be read back from a file. U+FFFD stands for bytes that
/// were no text at all.
pub(super) fn check_word(word: &str) -> Result<(), GraphError> {
    let odd = |c: char| c.is_whitespace() || c.is_control() || "#:=,/\u{fffd}\u{feff}".contains(c);
    if word.is_empty() || word.contains(odd) {
        return Err(GraphError::Word { word: short(word) });
    }
    Ok(())
}

/// A word quoted for a message: long ones cut, odd characters escaped.
pub(super) fn short(word: &str) -> String {
    const LIMIT: usize = 40;
    let mut text: String = (word.chars().take(LIMIT))
        .flat_map(char::escape_debug)
        .collect();
    if word.chars().nth(LIMIT).is_some() {
        text.push('…');
    }
    text
}

/// The names of these vertices, or of the first few.
pub(super) fn listed(graph: &Graph, vertices: &[u16]) -> String {
    const SHOWN: usize = 9;
    let mut names: Vec<String> = (vertices.iter().take(SHOWN))
        .map(|&v| short(graph.name(v)))
        .collect();
    if vertices.len() > SHOWN {
        names.push(format!("… ({} vertices)", vertices.len()));
    }
    names.join(", ")
}
