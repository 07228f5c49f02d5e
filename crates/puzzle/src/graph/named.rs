//! Built-in graphs, each by a short name: `grid:4x4`, `cycle:7`, `petersen`.
//!
//! [`NAMED`] is the one list of what there is; [`Graph::named`] has an arm for each
//! of its lines. Sizes are checked before anything is built, so that
//! `complete:999999999` is an error message and does not fill the memory.

use super::error::{GraphError, MAX_VERTICES};
use super::simple::{Graph, short};

/// The most edges of a built-in graph; `complete:2896` still fits.
pub const MAX_EDGES: usize = 1 << 22;

/// The built-in graphs: how each is written, and what it is.
pub const NAMED: [(&str, &str); 14] = [
    (
        "grid:WxH",
        "a board of W columns and H rows, each at least 1",
    ),
    (
        "torus:WxH",
        "a board whose opposite sides are joined, W and H at least 3",
    ),
    ("path:N", "N vertices in a row, N at least 1"),
    ("cycle:N", "N vertices in a ring, N at least 3"),
    ("star:N", "a hub and N leaves, N at least 1"),
    ("wheel:N", "a hub and a rim of N vertices, N at least 3"),
    ("complete:N", "N vertices, all joined, N at least 1"),
    (
        "bipartite:AxB",
        "A vertices each joined to B others, each at least 1",
    ),
    (
        "hypercube:D",
        "the corners of a D-dimensional cube, D from 1 to 16",
    ),
    ("cube", "the 8 corners of a cube, hypercube:3"),
    (
        "theta:A,B,C",
        "two hubs joined by three paths of A, B and C inner vertices, at most one of them 0",
    ),
    ("theta0", "Wilson's exception of 7 vertices, theta:1,2,2"),
    (
        "petersen",
        "the Petersen graph of 10 vertices, petersen:5,2",
    ),
    (
        "petersen:N,K",
        "an outer ring of N, an inner one that skips by K, and spokes; N at least 3, K from 1 to below N/2",
    ),
];

/// The ways to write a built-in graph, in one line for a message.
pub(super) fn forms() -> String {
    NAMED.map(|(form, _)| form).join(", ")
}

impl Graph {
    /// The board of that width and height; vertices row by row, named `r1c1` and so
    /// on, and the neighbours of each in the order up, left, right, down.
    ///
    /// # Panics
    ///
    /// When a side is 0 or there are more than [`MAX_VERTICES`] cells.
    ///
    /// ```
    /// let board = noyes_puzzle::graph::Graph::grid(4, 3);
    /// assert_eq!(board.name(5), "r2c2");
    /// assert_eq!(board.neighbours(5), [1, 4, 6, 9]);
    /// ```
    pub fn grid(width: usize, height: usize) -> Graph {
        let cells = width.checked_mul(height);
        assert!(
            cells.is_some_and(|cells| (1..=MAX_VERTICES).contains(&cells)),
            "a grid has 1 to {MAX_VERTICES} cells, not {width} times {height}"
        );
        lattice(width, height, false)
    }

    /// The built-in graph of that name; [`NAMED`] lists them.
    ///
    /// # Errors
    ///
    /// When the name is not known (the message lists those that are), a size is
    /// missing or too small, or the graph would be too large.
    ///
    /// ```
    /// use noyes_puzzle::graph::Graph;
    ///
    /// let petersen = Graph::named("petersen")?;
    /// assert_eq!((petersen.len(), petersen.edge_count()), (10, 15));
    /// assert!(Graph::named("torus:2x9").is_err());
    /// # Ok::<(), noyes_puzzle::graph::GraphError>(())
    /// ```
    pub fn named(spec: &str) -> Result<Graph, GraphError> {
        let found = spec.trim().to_ascii_lowercase();
        let (family, sizes) = match found.split_once(':') {
            Some((family, sizes)) => (family, Some(sizes)),
            None => (found.as_str(), None),
        };
        let Some((form, meaning)) = (NAMED.iter().copied())
            .filter(|(form, _)| form.split(':').next() == Some(family))
            .max_by_key(|(form, _)| form.contains(':') == sizes.is_some())
        else {
            let found = short(spec.trim());
            return Err(GraphError::Unknown {
                found,
                known: forms(),
            });
        };
        let wrong = || GraphError::Size {
            found: short(&found),
            form,
            meaning,
        };
        let fits = |is_allowed: bool, vertices: usize, edges: usize| match is_allowed {
            false => Err(wrong()),
            true if vertices <= MAX_VERTICES && edges <= MAX_EDGES => Ok(()),
            true => Err(GraphError::TooLarge {
                found: short(&found),
                edges: MAX_EDGES,
            }),
        };
        let numbers = read_numbers(form, sizes).ok_or_else(wrong)?;
        Ok(match (family, &numbers[..]) {
            ("grid", &[w, h]) => {
                fits(w >= 1 && h >= 1, w.saturating_mul(h), 0)?;
                lattice(w, h, false)
            }
            ("torus", &[w, h]) => {
                fits(w >= 3 && h >= 3, w.saturating_mul(h), 0)?;
                lattice(w, h, true)
            }
            ("path", &[n]) => {
                fits(n >= 1, n, 0)?;
                build(series("v", n), (1..n).map(|i| (i - 1, i)))
            }
            ("cycle", &[n]) => {
                fits(n >= 3, n, 0)?;
                build(series("v", n), ring(0, n))
            }
            ("star", &[n]) => {
                fits(n >= 1, n.saturating_add(1), 0)?;
                build(hub_and("v", n), spokes(n))
            }
            ("wheel", &[n]) => {
                fits(n >= 3, n.saturating_add(1), 0)?;
                build(hub_and("v", n), spokes(n).chain(ring(1, n)))
            }
            ("complete", &[n]) => {
                fits(n >= 1, n, n.saturating_mul(n) / 2)?;
                let pairs = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
                build(series("v", n), pairs)
            }
            ("bipartite", &[a, b]) => {
                fits(a >= 1 && b >= 1, a.saturating_add(b), a.saturating_mul(b))?;
                bipartite(a, b)
            }
            ("hypercube", &[d]) => {
                fits(d >= 1, if d > 16 { usize::MAX } else { 1 << d }, 0)?;
                hypercube(d)
            }
            ("cube", _) => hypercube(3),
            ("theta", &[a, b, c]) => {
                let is_simple = [a, b, c].iter().filter(|&&inner| inner == 0).count() <= 1;
                fits(
                    is_simple,
                    a.saturating_add(b).saturating_add(c).saturating_add(2),
                    0,
                )?;
                theta([a, b, c])
            }
            ("theta0", _) => theta([1, 2, 2]),
            ("petersen", &[]) => petersen(5, 2),
            ("petersen", &[n, k]) => {
                fits(
                    n >= 3 && k >= 1 && k < n.div_ceil(2),
                    n.saturating_mul(2),
                    0,
                )?;
                petersen(n, k)
            }
            _ => unreachable!("every line of NAMED has an arm"),
        })
    }
}

/// The numbers after the colon, as many and with the separator that the form has. One
/// too long for a `usize` is too large for anything.
fn read_numbers(form: &str, sizes: Option<&str>) -> Option<Vec<usize>> {
    let (pattern, sizes) = match (form.split_once(':'), sizes) {
        (None, None) => return Some(Vec::new()),
        (Some((_, pattern)), Some(sizes)) => (pattern, sizes),
        _ => return None,
    };
    let separator = if pattern.contains('x') { 'x' } else { ',' };
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let numbers: Vec<usize> = (sizes.split(separator).map(str::trim))
        .map(|part| is_number(part).then(|| part.parse().unwrap_or(usize::MAX)))
        .collect::<Option<_>>()?;
    (numbers.len() == pattern.split(separator).count()).then_some(numbers)
}

/// The graph of these names and edges, which the caller knows to be sound.
fn build(names: Vec<String>, edges: impl Iterator<Item = (usize, usize)>) -> Graph {
    let edges: Vec<(u16, u16)> = edges.map(|(a, b)| (a as u16, b as u16)).collect();
    Graph::new(names, &edges).expect("built-in graphs are simple and connected")
}

/// The names `v1`, `v2` and so on.
fn series(prefix: &str, count: usize) -> Vec<String> {
    (1..=count).map(|i| format!("{prefix}{i}")).collect()
}

fn hub_and(prefix: &str, count: usize) -> Vec<String> {
    let mut names = vec!["hub".to_owned()];
    names.extend(series(prefix, count));
    names
}

/// Edges from the hub, vertex 0, to `count` others.
fn spokes(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=count).map(|i| (0, i))
}

/// A ring through `count` vertices from `first` on.
fn ring(first: usize, count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).map(move |i| (first + i, first + (i + 1) % count))
}

/// A board, or a torus. Each cell gives its edges to the right and down; those up
/// and to the left were given before, by earlier cells.
fn lattice(width: usize, height: usize, wrap: bool) -> Graph {
    let names = (1..=height)
        .flat_map(|row| (1..=width).map(move |column| format!("r{row}c{column}")))
        .collect();
    let edges = (0..width * height).flat_map(move |cell| {
        let (row, column) = (cell / width, cell % width);
        let right = (wrap || column + 1 < width).then_some(row * width + (column + 1) % width);
        let down = (wrap || row + 1 < height).then_some((row + 1) % height * width + column);
        right.into_iter().chain(down).map(move |to| (cell, to))
    });
    build(names, edges)
}

fn bipartite(left: usize, right: usize) -> Graph {
    let names = [series("a", left), series("b", right)].concat();
    build(
        names,
        (0..left).flat_map(|a| (left..left + right).map(move |b| (a, b))),
    )
}

/// The words of `dimensions` bits, joined when they differ in one.
fn hypercube(dimensions: usize) -> Graph {
    let corners = 1_usize << dimensions;
    let names = (0..corners)
        .map(|corner| format!("{corner:0dimensions$b}"))
        .collect();
    let edges = (0..corners).flat_map(|corner| {
        (0..dimensions)
            .map(move |bit| (corner, corner | 1 << bit))
            .filter(|(from, to)| from != to)
    });
    build(names, edges)
}

fn theta(inner: [usize; 3]) -> Graph {
    let mut names = vec!["s".to_owned(), "t".to_owned()];
    let mut edges = Vec::new();
    for (prefix, count) in ["a", "b", "c"].into_iter().zip(inner) {
        let mut here = 0;
        for next in names.len()..names.len() + count {
            edges.push((here, next));
            here = next;
        }
        edges.push((here, 1));
        names.extend(series(prefix, count));
    }
    build(names, edges.into_iter())
}

/// The generalised Petersen graph.
fn petersen(count: usize, skip: usize) -> Graph {
    let names = [series("a", count), series("b", count)].concat();
    let spokes = (0..count).map(move |i| (i, count + i));
    let inner = (0..count).map(move |i| (count + i, count + (i + skip) % count));
    build(names, ring(0, count).chain(spokes).chain(inner))
}
