//! The blocks of a graph, as seen from one vertex.
//!
//! Blocks are bridges and largest parts without a cut vertex; why they matter is said in
//! [`wilson`](super::wilson). Seen from a root, each block has an entry, the vertex through
//! which a walk from the root must come, and every vertex but the root is a non-entry of
//! exactly one block, its home. One depth-first walk finds them all.
//!
//! Hopcroft, Tarjan: Efficient algorithms for graph manipulation. Communications of the
//! ACM 16, 1973.

use super::simple::Graph;

/// The five kinds of blocks that Wilson's theorem tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlockKind {
    /// Two vertices and their edge: its tile stays where it is.
    Bridge,
    /// A cycle: its tiles rotate.
    Cycle,
    /// The exception, 7 vertices: 120 of the 720 permutations.
    Theta0,
    /// Bipartite, and none of the above: the even permutations.
    Bipartite,
    /// None of the above: all permutations.
    General,
}

/// The blocks as seen from a root vertex, the v of Wilson's theorem.
pub(super) struct Rooted<'g> {
    pub graph: &'g Graph,
    pub root: u16,
    /// The block of each vertex in which it is not the entry; [`NONE`] for the root.
    pub home: Vec<u32>,
    pub parts: Vec<Part>,
}

/// A block seen from the root.
pub(super) struct Part {
    pub entry: u16,
    pub rest: Vec<u16>,
    pub kind: BlockKind,
}

/// The home of the root.
pub(super) const NONE: u32 = u32::MAX;

impl<'g> Rooted<'g> {
    /// The blocks of the graph, as seen from `root`.
    pub fn new(graph: &'g Graph, root: u16) -> Rooted<'g> {
        let (home, parts, depth) = find_blocks(graph, root);
        let mut edge_count = vec![0; parts.len()];
        let mut is_bipartite = vec![true; parts.len()];
        let mut rooted = Rooted {
            graph,
            root,
            home,
            parts,
        };
        // The walk's tree connects each block within itself, so a block is bipartite
        // exactly when its edges join odd and even depths.
        for &(a, b) in graph.edges() {
            let block = rooted.block_of_edge(a, b);
            edge_count[block] += 1;
            is_bipartite[block] &= depth[usize::from(a)] % 2 != depth[usize::from(b)] % 2;
        }
        for block in 0..rooted.parts.len() {
            let vertices = rooted.parts[block].rest.len() + 1;
            rooted.parts[block].kind = match (vertices, edge_count[block]) {
                (2, _) => BlockKind::Bridge,
                (vertices, edges) if edges == vertices => BlockKind::Cycle,
                (7, 8) if rooted.is_theta0(block) => BlockKind::Theta0,
                _ if is_bipartite[block] => BlockKind::Bipartite,
                _ => BlockKind::General,
            };
        }
        rooted
    }

    /// The block that an edge lies in: the home of both ends, or, when one end is the
    /// entry, the home of the other.
    fn block_of_edge(&self, a: u16, b: u16) -> usize {
        let (of_a, of_b) = (self.home[usize::from(a)], self.home[usize::from(b)]);
        let block = if a == self.root || (b != self.root && self.parts[of_a as usize].entry != b) {
            of_b
        } else {
            of_a
        };
        block as usize
    }

    /// The neighbours that a vertex has in its home.
    pub fn neighbours_at_home(&self, vertex: u16) -> impl Iterator<Item = u16> {
        let home = self.home[usize::from(vertex)] as usize;
        (self.graph.neighbours(vertex).iter().copied())
            .filter(move |&w| self.block_of_edge(vertex, w) == home)
    }

    /// The vertices of a block.
    pub fn vertices(&self, block: usize) -> impl Iterator<Item = u16> {
        let part = &self.parts[block];
        part.rest.iter().copied().chain([part.entry])
    }

    /// Whether this block of 7 vertices and 8 edges is theta0. It is two hubs of degree 3
    /// joined by three paths with five inner vertices in all: 0+1+4, 0+2+3, 1+1+3 or
    /// 1+2+2. The last is the one where exactly one vertex touches both hubs and the
    /// hubs do not touch each other.
    fn is_theta0(&self, block: usize) -> bool {
        let touches = |v: u16, w: u16| self.graph.has_edge(v, w);
        let degree = |v: u16| self.vertices(block).filter(|&w| touches(v, w)).count();
        let hubs: Vec<u16> = self.vertices(block).filter(|&v| degree(v) == 3).collect();
        let [s, t] = hubs[..] else { return false };
        let between = self
            .vertices(block)
            .filter(|&v| touches(v, s) && touches(v, t));
        !touches(s, t) && between.count() == 1
    }
}

/// The blocks by Hopcroft and Tarjan's depth-first walk, with a stack of our own: on a
/// long path recursion would overflow. Gives homes, blocks (kind still to be found) and
/// the depth of each vertex in the walk's tree.
fn find_blocks(graph: &Graph, root: u16) -> (Vec<u32>, Vec<Part>, Vec<u32>) {
    let n = graph.len();
    let mut home = vec![NONE; n];
    let mut parts: Vec<Part> = Vec::new();
    let mut depth = vec![NONE; n];
    let mut low = vec![0; n]; // the least depth that one edge from the subtree leads to
    let mut tried = vec![0; n]; // neighbours dealt with
    let mut open = Vec::new(); // vertices whose home is not yet known
    let mut way = vec![root]; // from the root to where the walk is
    depth[usize::from(root)] = 0;
    while let Some(&v) = way.last() {
        let at = usize::from(v);
        if let Some(&w) = graph.neighbours(v).get(tried[at]) {
            tried[at] += 1;
            let to = usize::from(w);
            if depth[to] == NONE {
                depth[to] = depth[at] + 1;
                low[to] = depth[at];
                way.push(w);
                open.push(w);
            } else {
                low[at] = low[at].min(depth[to]);
            }
            continue;
        }
        way.pop();
        let Some(&parent) = way.last() else { break };
        let up = usize::from(parent);
        if low[at] < depth[up] {
            low[up] = low[up].min(low[at]);
            continue;
        }
        // Nothing below v reaches above its parent: v's block is complete.
        let from = (open.iter().rposition(|&w| w == v)).expect("v was opened after its parent");
        let rest = open.split_off(from);
        for &w in &rest {
            home[usize::from(w)] = parts.len() as u32;
        }
        let (entry, kind) = (parent, BlockKind::General);
        parts.push(Part { entry, rest, kind });
    }
    (home, parts, depth)
}
