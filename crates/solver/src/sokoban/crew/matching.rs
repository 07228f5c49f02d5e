//! The cheapest matching: each row its own column, at the least cost in all.
//!
//! The Hungarian method by shortest augmenting paths, a row at a time, with
//! prices on rows and columns that keep all reduced costs at 0 or more. There may
//! be more columns than rows. Rows² × columns steps.
//!
//! Kuhn: The Hungarian method for the assignment problem. Naval Research Logistics
//! Quarterly 2, 1955. Jonker, Volgenant: A shortest augmenting path algorithm for
//! dense and sparse linear assignment problems. Computing 38, 1987.

/// A cost that stands for no way; sums of real costs stay below it.
pub(super) const NO_WAY: u32 = 1 << 24;

/// Room for matchings, used again and again.
#[derive(Default)]
pub(super) struct Matching {
    row_price: Vec<i64>,
    column_price: Vec<i64>,
    /// The row that has each column, from 1; 0 is none. Column 0 holds the row that is being placed.
    row_of: Vec<usize>,
    least: Vec<i64>,
    before: Vec<usize>,
    done: Vec<bool>,
}

impl Matching {
    /// The least cost of giving each row its own column; nothing if some row gets none.
    pub(super) fn least(
        &mut self,
        rows: usize,
        columns: usize,
        cost: impl Fn(usize, usize) -> u32,
    ) -> Option<u32> {
        if rows > columns {
            return None;
        }
        fill(&mut self.row_price, rows + 1, 0);
        fill(&mut self.column_price, columns + 1, 0);
        fill(&mut self.row_of, columns + 1, 0);
        fill(&mut self.before, columns + 1, 0);
        for row in 1..=rows {
            self.place(row, columns, &cost);
        }
        let matched = (1..=columns).filter(|&column| self.row_of[column] > 0);
        let total: u64 = matched
            .map(|column| u64::from(cost(self.row_of[column] - 1, column - 1)))
            .sum();
        (total < u64::from(NO_WAY)).then_some(total as u32)
    }

    /// Finds a column for one more row, moving others over along the cheapest path.
    fn place(&mut self, row: usize, columns: usize, cost: &impl Fn(usize, usize) -> u32) {
        self.row_of[0] = row;
        fill(&mut self.least, columns + 1, i64::MAX);
        fill(&mut self.done, columns + 1, false);
        let mut column = 0;
        while self.row_of[column] != 0 {
            self.done[column] = true;
            let at = self.row_of[column];
            let (mut delta, mut nearest) = (i64::MAX, 0);
            for next in 1..=columns {
                if self.done[next] {
                    continue;
                }
                let reduced = i64::from(cost(at - 1, next - 1))
                    - self.row_price[at]
                    - self.column_price[next];
                if reduced < self.least[next] {
                    self.least[next] = reduced;
                    self.before[next] = column;
                }
                if self.least[next] < delta {
                    (delta, nearest) = (self.least[next], next);
                }
            }
            for other in 0..=columns {
                if self.done[other] {
                    self.row_price[self.row_of[other]] += delta;
                    self.column_price[other] -= delta;
                } else if self.least[other] < i64::MAX {
                    self.least[other] -= delta;
                }
            }
            column = nearest;
        }
        while column != 0 {
            let before = self.before[column];
            self.row_of[column] = self.row_of[before];
            column = before;
        }
    }
}

fn fill<T: Clone>(list: &mut Vec<T>, len: usize, value: T) {
    list.clear();
    list.resize(len, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::tiles::Generator;

    /// The same by trying all.
    fn plain(costs: &[Vec<u32>], row: usize, taken: u32) -> u32 {
        if row == costs.len() {
            return 0;
        }
        let free = (0..costs[row].len()).filter(|c| taken >> c & 1 == 0);
        free.map(|c| costs[row][c] + plain(costs, row + 1, taken | 1 << c))
            .min()
            .expect("as many columns as rows")
    }

    #[test]
    fn it_is_the_best_of_all_matchings() {
        let mut matching = Matching::default();
        for i in 0..500 {
            let generator = &mut Generator::new(3, i);
            let rows = 1 + generator.below(5);
            let columns = rows + generator.below(3);
            let costs: Vec<Vec<u32>> = (0..rows)
                .map(|_| {
                    let cost = |_| [NO_WAY, generator.below(9) as u32][generator.below(4).min(1)];
                    (0..columns).map(cost).collect()
                })
                .collect();
            let least = matching.least(rows, columns, |r, c| costs[r][c]);
            let expected = plain(&costs, 0, 0);
            assert_eq!(least, (expected < NO_WAY).then_some(expected), "{costs:?}");
        }
        assert_eq!(matching.least(2, 1, |_, _| 0), None);
    }
}
