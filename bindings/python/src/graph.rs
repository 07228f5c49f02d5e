//! `noyes.Graph`.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use noyes_answer::graph::{puzzle, why_unsolvable};
use noyes_puzzle::graph::{self, Arrangement, GraphFile, classes};
use noyes_solver::GraphPuzzle;
use numpy::{PyArray2, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::board::as_type;
use crate::error::{argument, input};
use crate::machine::has_room;
use crate::plan::applied;
use crate::puzzle::{Puzzle, file_text, items, kind, path};

/// Tiles on the vertices of a graph, one of them blank. It never changes.
///
/// `source` is the name of a graph such as "petersen" or "torus:3x4", the text or the path of a graph file, or a list of edges.
/// `start` and `goal` say which label is on which vertex, such as "1 2 _ 3" or "a=1 b=2 c=_"; without them, those of
/// the file.
#[pyclass(frozen, module = "noyes", from_py_object)]
#[derive(Clone)]
pub struct Graph {
    pub name: String,
    graph: Arc<graph::Graph>,
    start: Option<Arrangement>,
    goal: Option<Arrangement>,
}

#[pymethods]
impl Graph {
    #[new]
    #[pyo3(signature = (source, start=None, goal=None))]
    fn new(source: &Bound<'_, PyAny>, start: Option<&str>, goal: Option<&str>) -> PyResult<Graph> {
        let (name, file) = read(source)?;
        let state = |name, given: Option<&str>, filed| match given {
            None => Ok(filed),
            Some(text) => Arrangement::parse(&file.graph, text)
                .map(Some)
                .map_err(|error| argument(name, error)),
        };
        Ok(Graph {
            start: state("start", start, file.start.clone())?,
            goal: state("goal", goal, file.goal.clone())?,
            name,
            graph: Arc::new(file.graph),
        })
    }

    /// The names of the vertices, in order.
    #[getter]
    fn vertices(&self) -> Vec<String> {
        self.graph.names().to_vec()
    }

    /// The edges, by the names of their ends.
    #[getter]
    fn edges(&self) -> Vec<(&str, &str)> {
        let name = |vertex| self.graph.name(vertex);
        let edges = self.graph.edges().iter();
        edges.map(|&(a, b)| (name(a), name(b))).collect()
    }

    /// The labels at the start, by vertex; None if there is no start.
    #[getter]
    fn start(&self) -> Option<String> {
        self.start.as_ref().map(ToString::to_string)
    }

    /// The labels to reach, by vertex.
    #[getter]
    fn goal(&self) -> String {
        self.goal_or_standard().to_string()
    }

    /// Whether two colours suffice so that every edge joins different ones.
    #[getter]
    fn is_bipartite(&self) -> bool {
        self.graph.is_bipartite()
    }

    /// The number of classes of states: in a class, every state can be reached from every other.
    #[getter]
    fn classes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let count = classes(&self.graph).count.to_string();
        py.import("builtins")?.call_method1("int", (count,))
    }

    /// Why there are that many classes (Wilson's theorem).
    #[getter]
    fn classes_reason(&self) -> String {
        classes(&self.graph).reason(&self.graph)
    }

    /// Which vertices are joined: the adjacency matrix.
    #[getter]
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let count = self.graph.len();
        has_room(count * count)?;
        // By numpy itself, which raises an error if there is no memory after all.
        let zeros = py.import("numpy")?.getattr("zeros")?;
        let array: Bound<'py, PyArray2<bool>> = zeros.call1(((count, count), "?"))?.cast_into()?;
        let mut cells = array.readwrite();
        for &(a, b) in self.graph.edges() {
            for ends in [(a, b), (b, a)] {
                let cell = cells.get_mut((usize::from(ends.0), usize::from(ends.1)));
                *cell.expect("a vertex of the graph") = true;
            }
        }
        drop(cells);
        Ok(array)
    }

    /// The same for numpy, in another type of numbers if that is asked for.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(input(
                "the array of a graph is always a new one (copy=False)",
            ));
        }
        as_type(self.array(py)?.into_any(), dtype, None)
    }

    /// The vertices that the blank can go to.
    fn moves(&self) -> PyResult<Vec<String>> {
        let puzzle = self.puzzle()?;
        let blank = puzzle.start.iter().position(|&tile| tile == 0);
        let blank = blank.expect("a state has a blank") as u16;
        let next = self.graph.neighbours(blank).iter();
        Ok(next.map(|&vertex| self.graph.name(vertex).into()).collect())
    }

    /// The graph after some moves: the vertices that the blank goes to.
    fn apply(&self, moves: &Bound<'_, PyAny>) -> PyResult<Graph> {
        match applied(Puzzle::Graph(self.clone()), moves)? {
            Puzzle::Graph(graph) => Ok(graph),
            _ => unreachable!("a graph stays one"),
        }
    }

    /// Whether the goal can be reached.
    fn is_solvable(&self) -> PyResult<bool> {
        Ok(self.reason()?.is_none())
    }

    /// Why the goal cannot be reached; None if it can.
    fn reason(&self) -> PyResult<Option<String>> {
        Ok(why_unsolvable(&self.puzzle()?))
    }

    fn __len__(&self) -> usize {
        self.graph.len()
    }

    fn __str__(&self) -> String {
        self.file().to_string()
    }

    fn __repr__(&self) -> String {
        match &self.start {
            None => format!("Graph('{}')", self.name),
            Some(start) => format!("Graph('{}', start='{start}')", self.name),
        }
    }

    fn __eq__(&self, other: &Graph) -> bool {
        self.file() == other.file()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.__str__().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let make = this.get_type().getattr("_named")?;
        Ok((make, (this.get().__str__(), this.get().name.clone())))
    }

    /// A graph with its name, for pickles.
    #[staticmethod]
    fn _named(source: &Bound<'_, PyAny>, name: String) -> PyResult<Graph> {
        let graph = Graph::new(source, None, None)?;
        Ok(Graph { name, ..graph })
    }

    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }
}

impl Graph {
    fn goal_or_standard(&self) -> Arrangement {
        let standard = || Arrangement::standard(&self.graph);
        self.goal.clone().unwrap_or_else(standard)
    }

    fn file(&self) -> GraphFile {
        GraphFile {
            graph: graph::Graph::clone(&self.graph),
            start: self.start.clone(),
            goal: self.goal.clone(),
        }
    }

    /// Start and goal in numbers.
    pub fn puzzle(&self) -> PyResult<GraphPuzzle> {
        let (start, goal) = self.ends()?;
        puzzle(self.graph.clone(), &start, &goal).map_err(input)
    }

    /// Start and goal.
    pub fn ends(&self) -> PyResult<(Arrangement, Arrangement)> {
        let start = self.start.clone().ok_or_else(|| {
            argument(
                "start",
                "a start is needed (expected start=STATE, or a line start: STATE in the file)",
            )
        })?;
        Ok((start, self.goal_or_standard()))
    }

    /// The graph itself.
    pub fn graph(&self) -> Arc<graph::Graph> {
        self.graph.clone()
    }

    /// The same graph with these tiles at the start.
    pub fn at(&self, puzzle: &GraphPuzzle, tiles: &[u16]) -> PyResult<Graph> {
        let label = |&tile: &u16| puzzle.labels[usize::from(tile)].as_str();
        let labels: Vec<&str> = tiles.iter().map(label).collect();
        let start = Arrangement::parse(&self.graph, &labels.join(" ")).map_err(input)?;
        Ok(Graph {
            start: Some(start),
            ..self.clone()
        })
    }
}

/// The name of a vertex: what Python prints, so that vertices can be numbers.
fn name(vertex: &Bound<'_, PyAny>) -> PyResult<String> {
    let name = vertex.str()?.to_cow()?.into_owned();
    // In the text of a graph it would be something else.
    let is_word = !name.is_empty() && !name.contains(char::is_whitespace);
    if !is_word || name.starts_with('#') || name.ends_with(':') {
        let what = format!("{name:?} is no name of a vertex (expected a word)");
        return Err(argument("edges", what));
    }
    Ok(name)
}

/// The graph of an object, and its name.
fn read(source: &Bound<'_, PyAny>) -> PyResult<(String, GraphFile)> {
    if let Some(path) = path(source) {
        let name = path.display().to_string();
        let file = graph::Graph::parse(&file_text(&path)?);
        let file = file.map_err(|error| input(format_args!("{name}: {error}")))?;
        return Ok((name, file));
    }
    if let Ok(text) = source.cast::<PyString>() {
        let text = text.to_cow()?;
        if text.contains('\n') {
            return Ok(("graph".into(), graph::Graph::parse(&text).map_err(input)?));
        }
        let graph = graph::Graph::named(&text).map_err(input)?;
        let (start, goal) = (None, None);
        return Ok((text.into_owned(), GraphFile { graph, start, goal }));
    }
    let mut text = String::new();
    let wrong = || {
        let kind = kind(source);
        PyTypeError::new_err(format!(
            "expected the name of a graph, the text or path of a graph file, or pairs of vertices, found {kind}"
        ))
    };
    for edge in source.try_iter().map_err(|_| wrong())? {
        let ends = items(&edge?).map_err(|_| wrong())?;
        let ends: Vec<Bound<'_, PyAny>> = ends.take(3).collect::<PyResult<_>>()?;
        let [a, b] = ends.as_slice() else {
            return Err(wrong());
        };
        let _ = writeln!(text, "{} {}", name(a)?, name(b)?);
    }
    Ok(("graph".into(), graph::Graph::parse(&text).map_err(input)?))
}
