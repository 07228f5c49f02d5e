//! The maximum of several heuristics, chosen when the program runs.
//!
//! A maximum of lower bounds is a lower bound, and consistent if each of them
//! is. Each member keeps its memo in a few words of one small array, so that
//! engines are compiled once for all combinations. A call through the table of
//! members costs a few percent more than a heuristic known at compile time, so the
//! most used pairs of engine and heuristic do without it.

use noyes_puzzle::Space;

use crate::search::Heuristic;

/// Words for the memos of all members together.
pub(crate) const MOST_WORDS: usize = 8;

/// A memo that fits into a few words.
pub trait SmallMemo: Copy {
    /// The number of words.
    const WORDS: usize;
    /// Writes the memo to the words.
    fn write(self, words: &mut [u32]);
    /// Reads the memo from the words.
    fn read(words: &[u32]) -> Self;
}

impl SmallMemo for u32 {
    const WORDS: usize = 1;

    fn write(self, words: &mut [u32]) {
        words[0] = self;
    }

    fn read(words: &[u32]) -> u32 {
        words[0]
    }
}

/// A heuristic whose memo is stored in words that the caller provides.
trait Member<S: Space> {
    fn words(&self) -> usize;
    fn start(&self, state: &S::State, words: &mut [u32]);
    fn after(&self, words: &mut [u32], state: &S::State, mv: S::Move);
    fn bound(&self, words: &[u32]) -> u32;
    fn bytes(&self) -> usize;
}

impl<S: Space, H: Heuristic<S>> Member<S> for H
where
    H::Memo: SmallMemo,
{
    fn words(&self) -> usize {
        H::Memo::WORDS
    }

    fn start(&self, state: &S::State, words: &mut [u32]) {
        Heuristic::start(self, state).write(words);
    }

    fn after(&self, words: &mut [u32], state: &S::State, mv: S::Move) {
        Heuristic::after(self, H::Memo::read(words), state, mv).write(words);
    }

    fn bound(&self, words: &[u32]) -> u32 {
        Heuristic::bound(self, H::Memo::read(words))
    }

    fn bytes(&self) -> usize {
        Heuristic::bytes(self)
    }
}

/// The maximum of some heuristics. Without members the bound is 0.
pub struct Max<'a, S> {
    /// Each with the index of its first word.
    members: Vec<(usize, Box<dyn Member<S> + 'a>)>,
    words: usize,
}

impl<'a, S: Space> Max<'a, S> {
    /// No members: every bound is 0.
    pub fn none() -> Self {
        Max {
            members: vec![],
            words: 0,
        }
    }

    /// Adds a member; false, and nothing is added, if its memo does not fit.
    #[must_use]
    pub fn add<H: Heuristic<S> + 'a>(&mut self, heuristic: H) -> bool
    where
        H::Memo: SmallMemo,
    {
        let words = Member::words(&heuristic);
        if self.words + words > MOST_WORDS {
            return false;
        }
        self.members.push((self.words, Box::new(heuristic)));
        self.words += words;
        true
    }
}

impl<S: Space> Heuristic<S> for Max<'_, S> {
    type Memo = [u32; MOST_WORDS];

    fn start(&self, state: &S::State) -> Self::Memo {
        let mut memo = [0; MOST_WORDS];
        for (at, member) in &self.members {
            member.start(state, &mut memo[*at..]);
        }
        memo
    }

    fn after(&self, mut memo: Self::Memo, state: &S::State, mv: S::Move) -> Self::Memo {
        for (at, member) in &self.members {
            member.after(&mut memo[*at..], state, mv);
        }
        memo
    }

    fn bound(&self, memo: Self::Memo) -> u32 {
        self.members
            .iter()
            .map(|(at, member)| member.bound(&memo[*at..]))
            .max()
            .unwrap_or(0)
    }

    fn bytes(&self) -> usize {
        self.members.iter().map(|(_, member)| member.bytes()).sum()
    }
}
