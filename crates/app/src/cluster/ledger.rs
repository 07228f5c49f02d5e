//! Which results of a limit are counted: each item once, and only if it belongs to the tree.
//!
//! A result may leave a rest, which becomes new items. In a run that is continued, results of such items can arrive before
//! the result that they come from; they wait here. A part that was performed twice may have left two different rests, of
//! which the first one that arrives counts: the items of the other are never expected, so their results are not counted.

use std::collections::{HashMap, HashSet};

/// The items of a limit.
pub struct Ledger<R> {
    /// Items whose results are to be counted.
    expected: HashSet<String>,
    /// Results of items that nobody expects yet.
    early: HashMap<String, R>,
    /// Results to be counted now.
    ready: Vec<R>,
    /// The number of items that were ever expected.
    pub total: usize,
}

impl<R> Ledger<R> {
    pub fn new() -> Ledger<R> {
        Ledger {
            expected: HashSet::new(),
            early: HashMap::new(),
            ready: vec![],
            total: 0,
        }
    }

    /// Expects an item; returns whether it has to be sent, because there is no result yet.
    pub fn expect(&mut self, item: &str) -> bool {
        self.total += 1;
        if let Some(result) = self.early.remove(item) {
            self.ready.push(result);
            return false;
        }
        self.expected.insert(item.into());
        true
    }

    /// Takes a result that has arrived.
    pub fn take(&mut self, item: String, result: R) {
        if self.expected.remove(&item) {
            self.ready.push(result);
        } else {
            self.early.insert(item, result);
        }
    }

    /// The next result to be counted.
    pub fn ready(&mut self) -> Option<R> {
        self.ready.pop()
    }

    /// The number of items without a result.
    pub fn open(&self) -> usize {
        self.expected.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A result: what it counts, and the items that it leaves.
    type Result = (u64, Vec<&'static str>);

    /// The sum of all results, arriving in this order, and the items that were sent.
    fn sum(arriving: &[(&str, Result)]) -> (u64, Vec<String>) {
        let mut ledger = Ledger::new();
        let mut sent = vec![];
        let mut expect = |ledger: &mut Ledger<Result>, item: &str| {
            if ledger.expect(item) {
                sent.push(item.to_string());
            }
        };
        expect(&mut ledger, "a");
        expect(&mut ledger, "b");
        let mut sum = 0;
        for (item, result) in arriving {
            assert!(ledger.open() > 0, "over before {item}");
            ledger.take((*item).into(), result.clone());
            while let Some((count, rest)) = ledger.ready() {
                sum += count;
                for item in rest {
                    expect(&mut ledger, item);
                }
            }
        }
        assert_eq!(ledger.open(), 0);
        (sum, sent)
    }

    #[test]
    fn every_item_is_counted_once_in_any_order() {
        let mut results = [
            ("a", (1, vec!["c", "d"])),
            ("b", (10, vec![])),
            ("c", (100, vec!["e"])),
            ("d", (1000, vec![])),
            ("e", (10_000, vec![])),
        ];
        assert_eq!(sum(&results).0, 11_111);
        assert_eq!(sum(&results).1, ["a", "b", "c", "d", "e"]);
        // A client that goes on finds results before those that they come from, and sends what is missing.
        results.reverse();
        assert_eq!(sum(&results).0, 11_111);
        assert_eq!(sum(&results).1, ["a", "b"]);
    }

    #[test]
    fn a_rest_that_was_replaced_is_not_counted() {
        // An earlier client has seen another result of a, which left x and y.
        let results = [
            ("x", (5, vec![])),
            ("a", (1, vec!["c"])),
            ("y", (5, vec![])),
            ("c", (100, vec![])),
            ("b", (10, vec![])),
        ];
        assert_eq!(sum(&results).0, 111);
    }
}
