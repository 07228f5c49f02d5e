//! Beam search with pattern databases: good plans at once.
//!
//! Layer by layer, the children of all nodes are looked up, and those with the smallest bounds go on, up to the width of
//! the beam. The first goal ends it. A plan found this way is rarely optimal, but with ten thousand nodes a layer it is
//! a few percent longer.

use noyes_puzzle::tiles::{Board, Direction};
use rustc_hash::FxHashSet;

use super::lanes::Tree;
use super::node::Node;
use super::part::Wait;
use super::walks::WalkStep;
use crate::control::{Control, Stop};
use crate::counts::Counts;

/// How a beam search ended.
pub struct Found {
    pub plan: Option<Vec<Direction>>,
    pub counts: Counts,
    pub stop: Option<Stop>,
}

/// A node of the layers before: its parent in the layer before, and the last move.
#[derive(Clone, Copy)]
struct Link {
    parent: u32,
    direction: u8,
}

/// A child that was looked up: where it comes from, and its bound.
struct Child<const PARTS: usize> {
    node: Node<PARTS>,
    link: Link,
    bound: u8,
}

/// Nodes whose children are asked for together, so that their look-ups do not wait for each other.
const BATCH: usize = 16;

/// Looks for a plan of fewer than `upper` moves with this number of nodes in a layer.
pub fn beam<const PARTS: usize>(
    tree: Tree,
    start: &Board,
    width: usize,
    upper: u32,
    control: &Control,
) -> Found {
    let root = Node::<PARTS>::root(tree.catalogue, tree.walks, start).within(u8::MAX);
    let mut found = Found {
        plan: None,
        counts: Counts::default(),
        stop: None,
    };
    let mut layer = vec![root];
    let mut layers: Vec<Vec<Link>> = vec![];
    // A plan has fewer moves than a node can count.
    let most = upper.min(u32::from(u8::MAX));
    for moves in 1..most {
        if let Err(stop) =
            bytes::<PARTS>(width, layers.len(), control).and(control.poll(&found.counts))
        {
            found.stop = Some(stop);
            return found;
        }
        // 1. All children.
        let mut children: Vec<Child<PARTS>> = Vec::with_capacity(3 * layer.len());
        let mut seen = FxHashSet::default();
        for (batch, nodes) in layer.chunks(BATCH).enumerate() {
            look(tree, nodes, &mut |i, node| {
                let bound = node.bound();
                if u32::from(bound) + moves < upper && seen.insert(node.key()) {
                    let parent = (batch * BATCH + i) as u32;
                    let link = Link {
                        parent,
                        direction: node.direction(),
                    };
                    children.push(Child {
                        node: *node,
                        link,
                        bound,
                    });
                }
            });
            found.counts.expanded += nodes.len() as u64;
            if batch % 256 == 255
                && let Err(stop) = control.poll(&found.counts)
            {
                found.stop = Some(stop);
                return found;
            }
        }
        found.counts.generated += children.len() as u64;
        // 2. A goal.
        if let Some(goal) = children.iter().find(|child| child.node.sum(0) == 0) {
            found.plan = Some(trace(&layers, goal.link));
            return found;
        }
        if children.is_empty() {
            return found;
        }
        // 3. The best go on.
        let limit = cut(&children, width);
        let mut room = width;
        let mut keeps = |child: &Child<PARTS>| {
            let keeps = child.bound <= limit && room > 0;
            room -= usize::from(keeps);
            keeps
        };
        // Those below the limit all have room, so they come first.
        let (mut links, mut next) = (vec![], vec![]);
        for below in [true, false] {
            for child in children
                .iter()
                .filter(|child| (child.bound < limit) == below)
            {
                if keeps(child) {
                    links.push(child.link);
                    next.push(child.node);
                }
            }
        }
        layers.push(links);
        layer = next;
    }
    found
}

/// The largest bound that is kept.
fn cut<const PARTS: usize>(children: &[Child<PARTS>], width: usize) -> u8 {
    let mut count = [0usize; 256];
    for child in children {
        count[usize::from(child.bound)] += 1;
    }
    let mut sum = 0;
    let is_full = |&bound: &usize| {
        sum += count[bound];
        sum >= width
    };
    (0..256).find(is_full).unwrap_or(255) as u8
}

/// Looks up the children of a few nodes, all stages, and shows each with the index of its parent.
fn look<const PARTS: usize>(
    tree: Tree,
    nodes: &[Node<PARTS>],
    see: &mut dyn FnMut(usize, &Node<PARTS>),
) {
    let catalogue = tree.catalogue;
    let mut asked: Vec<(usize, WalkStep, Wait)> = Vec::with_capacity(4 * BATCH);
    for (i, node) in nodes.iter().enumerate() {
        for walk in tree.walks.from(node.walk()) {
            if walk != WalkStep::END {
                asked.push((i, walk, node.ask_child(catalogue, walk.direction())));
            }
        }
    }
    for (_, _, wait) in &mut asked {
        catalogue.find(wait);
    }
    let mut children: Vec<(usize, Node<PARTS>, Option<Wait>)> = Vec::with_capacity(asked.len());
    for (i, walk, wait) in &asked {
        let mut child = nodes[*i];
        nodes[*i].write_child(catalogue, *walk, wait, &mut child);
        children.push((*i, child, None));
    }
    for stage in 1..catalogue.stages.len() {
        for (_, child, wait) in &mut children {
            *wait = child.ask_stage(catalogue, stage);
        }
        for (_, _, wait) in &mut children {
            if let Some(wait) = wait {
                catalogue.find(wait);
            }
        }
        for (_, child, wait) in &mut children {
            child.settle_stage(catalogue, stage, wait.as_ref());
        }
    }
    for (i, child, _) in &children {
        see(*i, child);
    }
}

/// The moves from the start.
fn trace(layers: &[Vec<Link>], last: Link) -> Vec<Direction> {
    let mut plan = vec![];
    let mut link = last;
    for layer in layers.iter().rev() {
        plan.push(link.direction);
        link = layer[link.parent as usize];
    }
    plan.push(link.direction);
    plan.iter()
        .rev()
        .map(|&d| Direction::ALL[usize::from(d)])
        .collect()
}

/// An error if the layers and the children of the last one take too much memory.
fn bytes<const PARTS: usize>(width: usize, layers: usize, control: &Control) -> Result<(), Stop> {
    let children = 3 * width * (size_of::<Child<PARTS>>() + 20) + width * size_of::<Node<PARTS>>();
    control.allow_bytes(children + layers * width * size_of::<Link>())
}
