//! What is left of a part, as it travels: the moves to each node whose subtree is to be searched.
//!
//! A rest has hundreds of nodes, and those of one branch are neighbours in the list. So each has the number of moves that it
//! shares with the one before, and the others. The rest of a part becomes several items.

use noyes_puzzle::tiles::{Direction, Notation, parse_plan, write_plan};
use serde::{Deserialize, Serialize};

/// The items that a rest is dealt to.
const ITEMS: usize = 8;
/// The most moves to a node: a limit is one byte in a search.
const MOST_MOVES: usize = 255;

/// Nodes of a limit, in a form that is short as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentRest(Vec<(usize, String)>);

impl SentRest {
    pub fn pack(rest: &[Vec<Direction>]) -> SentRest {
        let mut before: &[Direction] = &[];
        let mut packed = vec![];
        for moves in rest {
            let pairs = before.iter().zip(moves);
            let shared = pairs.take_while(|(a, b)| a == b).count();
            packed.push((shared, write_plan(&moves[shared..], Notation::Blank)));
            before = moves;
        }
        SentRest(packed)
    }

    /// # Errors
    /// If it is damaged: more moves than there can be, or other letters.
    pub fn unpack(&self) -> Result<Vec<Vec<Direction>>, String> {
        let mut rest: Vec<Vec<Direction>> = vec![];
        for (shared, others) in &self.0 {
            let before = rest.last().map_or(&[][..], Vec::as_slice);
            let others = parse_plan(others, Notation::Blank).map_err(|error| error.to_string())?;
            let shared = before.get(..*shared);
            let shared = shared.ok_or("a node shares more moves than the one before has")?;
            let moves = [shared, &others].concat();
            if moves.len() > MOST_MOVES {
                return Err(format!("more than {MOST_MOVES} moves to a node"));
            }
            rest.push(moves);
        }
        Ok(rest)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Deals the nodes to several items, neighbours together.
    ///
    /// # Errors
    /// As for [`SentRest::unpack`].
    pub fn deal(&self) -> Result<Vec<SentRest>, String> {
        let rest = self.unpack()?;
        let each = rest.len().div_ceil(ITEMS).max(1);
        Ok(rest.chunks(each).map(SentRest::pack).collect())
    }

    /// A name that no other rest has. The same nodes have the same name, so a client that was killed finds its items again.
    pub fn name(&self) -> String {
        let json = serde_json::to_vec(self).expect("plain fields");
        blake3::hash(&json).to_hex()[..24].to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(paths: &[&str]) -> Vec<Vec<Direction>> {
        let moves = |path: &&str| parse_plan(path, Notation::Blank).unwrap();
        paths.iter().map(moves).collect()
    }

    #[test]
    fn a_rest_arrives_as_it_was_sent_and_is_short() {
        let nodes = rest(&["LLUU", "LLURD", "LLURR", "D", "LLD", "LR"]);
        let sent = SentRest::pack(&nodes);
        assert_eq!(sent.unpack().unwrap(), nodes);
        assert_eq!(sent.0[2], (4, "R".into()));
        let dealt = sent.deal().unwrap();
        let again: Vec<_> = dealt
            .iter()
            .flat_map(|some| some.unpack().unwrap())
            .collect();
        assert_eq!(again, nodes);
        assert_eq!(dealt.len(), 6);
        let names: std::collections::HashSet<_> = dealt.iter().map(SentRest::name).collect();
        assert_eq!(names.len(), 6);
        assert!(SentRest::default().deal().unwrap().is_empty());
        let many = SentRest::pack(&vec![rest(&["LU"]).remove(0); 1000]);
        assert_eq!(many.deal().unwrap().len(), ITEMS);
    }

    #[test]
    fn a_damaged_rest_is_refused() {
        for (json, why) in [
            (r#"[[1,"L"]]"#, "shares more"),
            (r#"[[0,"LU"],[3,"L"]]"#, "shares more"),
            (r#"[[0,"Lx"]]"#, "x"),
        ] {
            let sent: SentRest = serde_json::from_str(json).unwrap();
            let error = sent.unpack().unwrap_err();
            assert!(error.contains(why), "{json}: {error}");
        }
        let long = SentRest(vec![(0, "L".repeat(255)), (255, "U".into())]);
        assert!(long.unpack().unwrap_err().contains("more than 255"));
        assert!(serde_json::from_str::<SentRest>(r#"[[-1,"L"]]"#).is_err());
    }
}
