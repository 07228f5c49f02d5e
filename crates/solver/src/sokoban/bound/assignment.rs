//! The cheapest assignment: each row gets its own column, at the least total cost.
//!
//! This is the Hungarian method with shortest augmenting paths. It adds one row at
//! a time and keeps prices on rows and columns such that no reduced cost is
//! negative. There may be more columns than rows. It takes rows² × columns steps.
//!
//! Kuhn: The Hungarian method for the assignment problem. Naval Research Logistics
//! Quarterly 2, 1955. Jonker, Volgenant: A shortest augmenting path algorithm for
//! dense and sparse linear assignment problems. Computing 38, 1987.

/// Buffers for assignments, reused from one to the next.
#[derive(Default)]
pub(crate) struct Assignment {
    row_price: Vec<i64>,
    column_price: Vec<i64>,
    /// The row that holds each column, counted from 1; 0 if the column is free. Column 0 holds the row being placed.
    row_of: Vec<usize>,
    least: Vec<i64>,
    before: Vec<usize>,
    done: Vec<bool>,
}

impl Assignment {
    /// Gives each row its own column at the least total cost; false if there are too few columns. Calls `go_on`
    /// before each row.
    pub(crate) fn find<E>(
        &mut self,
        rows: usize,
        columns: usize,
        cost: impl Fn(usize, usize) -> i64,
        go_on: impl Fn() -> Result<(), E>,
    ) -> Result<bool, E> {
        if rows > columns {
            return Ok(false);
        }
        fill(&mut self.row_price, rows + 1, 0);
        fill(&mut self.column_price, columns + 1, 0);
        fill(&mut self.row_of, columns + 1, 0);
        fill(&mut self.before, columns + 1, 0);
        for row in 1..=rows {
            go_on()?;
            self.place(row, columns, &cost);
        }
        Ok(true)
    }

    /// The pairs of the assignment, as row and column.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let taken = self.row_of.iter().enumerate().skip(1);
        taken.filter_map(|(column, &row)| Some((row.checked_sub(1)?, column - 1)))
    }

    /// A price for each column, 0 or less. For every row, cost minus price is lowest in the row's own column.
    pub(crate) fn prices(&self) -> &[i64] {
        &self.column_price[1..]
    }

    /// Finds a column for one more row, moving other rows along the cheapest path.
    fn place(&mut self, row: usize, columns: usize, cost: &impl Fn(usize, usize) -> i64) {
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
                let reduced = cost(at - 1, next - 1) - self.row_price[at] - self.column_price[next];
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
    use std::convert::Infallible;

    use super::*;
    use noyes_puzzle::tiles::Generator;

    const NO_WAY: i64 = 1 << 24;

    /// The least total cost, by trying every assignment.
    fn plain(costs: &[Vec<i64>], row: usize, taken: u32) -> i64 {
        if row == costs.len() {
            return 0;
        }
        let free = (0..costs[row].len()).filter(|c| taken >> c & 1 == 0);
        free.map(|c| costs[row][c] + plain(costs, row + 1, taken | 1 << c))
            .min()
            .expect("as many columns as rows")
    }

    #[test]
    fn the_assignment_is_optimal_and_its_prices_prove_it() {
        let go_on = || Ok::<(), Infallible>(());
        let mut assignment = Assignment::default();
        for i in 0..500 {
            let generator = &mut Generator::new(3, i);
            let rows = 1 + generator.below(5);
            let columns = rows + generator.below(3);
            let costs: Vec<Vec<i64>> = (0..rows)
                .map(|_| {
                    let cost = |_| [NO_WAY, generator.below(9) as i64][generator.below(4).min(1)];
                    (0..columns).map(cost).collect()
                })
                .collect();
            let Ok(found) = assignment.find(rows, columns, |r, c| costs[r][c], go_on);
            assert!(found, "{costs:?}");
            let pairs: Vec<(usize, usize)> = assignment.pairs().collect();
            assert_eq!(pairs.len(), rows, "{costs:?}");
            let total: i64 = pairs.iter().map(|&(r, c)| costs[r][c]).sum();
            assert_eq!(total, plain(&costs, 0, 0), "{costs:?}");
            let prices = assignment.prices();
            for (row, own) in pairs {
                let dear = |c: usize| costs[row][c] - prices[c];
                assert!((0..columns).all(|c| dear(own) <= dear(c)), "{costs:?}");
            }
        }
        assert_eq!(assignment.find(2, 1, |_, _| 0, go_on), Ok(false));
    }
}
