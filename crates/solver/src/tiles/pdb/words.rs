//! Words: the order in which the tiles of a pattern lie, read cell by cell.
//!
//! A tile that moves horizontally keeps its place in that order, so the word does not
//! change. A tile that moves vertically passes the pattern tiles in between: a window
//! of the word, at most a row long, rotates by one letter. There are few such turns,
//! and they do not depend on where the tiles are.
//!
//! To step through many words at once, words are grouped. Letters are numbers of
//! a finite field of q elements (letters beyond q stay fixed), and the maps
//! x → ax + b turn a word into q(q−1) others: its group. Renaming letters and
//! turning windows commute, so a turn takes a whole group to a whole group and only
//! permutes the members. A set of members is a 64-bit word with one bit for each, the member x → ax + b in lane q·log a + b: one machine instruction moves
//! up to 56 words. This is why the tables are built in seconds.

/// The most tiles in a pattern: letters of the field of 8, and 56 words in a machine word.
pub const MOST_TILES: usize = 8;

/// A group of words and a lane in it, packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Code(u16);

impl Code {
    fn new(group: usize, lane: usize) -> Code {
        Code((group << 6 | lane) as u16)
    }

    pub fn group(self) -> usize {
        usize::from(self.0 >> 6)
    }

    /// The group, above six bits for the lane.
    pub fn bits(self) -> u16 {
        self.0
    }

    pub fn lane(self) -> usize {
        usize::from(self.0 & 63)
    }
}

/// A turn of a window: which letters, and which way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn(u8);

impl Turn {
    /// The number of turns.
    pub const COUNT: usize = 16 * MOST_TILES;

    /// The turn when the tile that is letter `first` goes past the next `passed`, or back past them.
    #[inline]
    pub fn new(first: usize, passed: usize, back: bool) -> Turn {
        Turn(((passed * 2 + usize::from(back)) * MOST_TILES + first) as u8)
    }

    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    fn apply(self, word: &mut [u8]) {
        let (first, back, passed) = (
            self.index() % 8,
            self.index() / 8 % 2 == 1,
            self.index() / 16,
        );
        let window = &mut word[first..=first + passed];
        if back {
            window.rotate_right(1);
        } else {
            window.rotate_left(1);
        }
    }

    /// Whether a word of this length has the window.
    fn fits(self, letters: usize) -> bool {
        self.index() % 8 + self.index() / 16 < letters
    }
}

/// All words of a number of letters, in groups.
pub struct Words {
    letters: usize,
    field: Field,
    groups: usize,
    /// By the rank of a word.
    code: Vec<Code>,
    /// By turn and group: the group it leads to, and the lane that the first member gets there.
    turned: Vec<Vec<Code>>,
    /// By lane and lane: the product of the two members.
    product: Vec<[u8; 64]>,
}

impl Words {
    pub fn new(letters: usize) -> Words {
        assert!(
            (1..=MOST_TILES).contains(&letters),
            "1 to {MOST_TILES} letters"
        );
        let field = Field::new(match letters {
            6 => 5, // 6 is no power of a prime
            q => q,
        });
        let members = field.members();
        let words: usize = (1..=letters).product();
        let mut code = vec![None; words];
        let mut firsts = vec![];
        let mut word: Vec<u8> = (0..letters as u8).collect();
        loop {
            if code[rank(&word)].is_none() {
                for &(a, b) in &members {
                    let member: Vec<u8> = word.iter().map(|&x| field.apply(a, b, x)).collect();
                    code[rank(&member)] = Some(Code::new(firsts.len(), field.lane(a, b)));
                }
                firsts.push(word.clone());
            }
            if !next_permutation(&mut word) {
                break;
            }
        }
        let code: Vec<Code> = code
            .into_iter()
            .map(|c| c.expect("every word is in a group"))
            .collect();
        let turned = (0..Turn::COUNT as u8).map(Turn).map(|turn| {
            let lead = |first: &Vec<u8>| {
                let mut word = first.clone();
                if turn.fits(letters) {
                    turn.apply(&mut word);
                }
                code[rank(&word)]
            };
            firsts.iter().map(lead).collect()
        });
        let turned = turned.collect();
        let mut product = vec![[0; 64]; 64];
        for &(a, b) in &members {
            for &(c, d) in &members {
                // x → a(cx + d) + b
                let shift = field.apply(a, b, d as u8);
                let lane = field.lane(field.times(a, c), shift.into());
                product[field.lane(a, b)][field.lane(c, d)] = lane as u8;
            }
        }
        Words {
            letters,
            groups: firsts.len(),
            field,
            code,
            turned,
            product,
        }
    }

    pub fn letters(&self) -> usize {
        self.letters
    }

    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The words of a group.
    pub fn lanes(&self) -> usize {
        self.field.size() * self.field.factors()
    }

    /// All lanes of a group, as a set.
    pub fn all_lanes(&self) -> u64 {
        u64::MAX >> (64 - self.lanes())
    }

    /// The number of a word among all of them.
    #[inline]
    pub fn row(&self, code: Code) -> usize {
        code.group() * self.lanes() + code.lane()
    }

    pub fn code(&self, word: &[u8]) -> Code {
        self.code[rank(word)]
    }

    /// The codes of all words by their rank.
    pub fn codes(&self) -> &[Code] {
        &self.code
    }

    /// The word after a turn.
    #[inline]
    pub fn after(&self, code: Code, turn: Turn) -> Code {
        let led = self.turned[turn.index()][code.group()];
        Code::new(
            led.group(),
            usize::from(self.product[code.lane()][led.lane()]),
        )
    }

    /// Where the turn of this index leads each group.
    pub fn turned(&self, turn: usize) -> &[Code] {
        &self.turned[turn]
    }

    /// The product of two members of a group, by their lanes.
    pub fn product(&self, lane: usize, next: usize) -> u8 {
        self.product[lane][next]
    }

    pub fn field(&self) -> &Field {
        &self.field
    }
}

/// The number of a word among all words of its letters, in the order of a dictionary.
pub fn rank(word: &[u8]) -> usize {
    let smaller_after = |i: usize| word[i + 1..].iter().filter(|&&x| x < word[i]).count();
    (0..word.len()).fold(0, |rank, i| rank * (word.len() - i) + smaller_after(i))
}

fn next_permutation(word: &mut [u8]) -> bool {
    let Some(i) = (1..word.len()).rev().find(|&i| word[i - 1] < word[i]) else {
        return false;
    };
    let j = (i..word.len())
        .rev()
        .find(|&j| word[j] > word[i - 1])
        .expect("i at least");
    word.swap(i - 1, j);
    word[i..].reverse();
    true
}

/// A finite field of 1 to 8 elements and its maps x → ax + b; `a` is given by its logarithm.
pub struct Field {
    size: usize,
    power: Vec<usize>,
    log: Vec<usize>,
}

impl Field {
    fn new(size: usize) -> Field {
        let mut field = Field {
            size,
            power: vec![],
            log: vec![0; size],
        };
        let mut x = 1;
        for exponent in 0..(size - 1).max(1) {
            field.power.push(x);
            field.log[x % size] = exponent;
            // Times a generator: 3 in the field of 7, the polynomial x in those of 4 and 8, else 2.
            x = match size {
                8 if x >= 4 => (x * 2) ^ 0b1011,
                4 if x >= 2 => (x * 2) ^ 0b111,
                8 | 4 => x * 2,
                7 => x * 3 % 7,
                _ => x * 2 % size,
            };
        }
        field
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of factors a.
    pub fn factors(&self) -> usize {
        self.power.len()
    }

    pub fn add(&self, x: usize, y: usize) -> usize {
        if self.adds_by_bits() {
            x ^ y
        } else {
            (x + y) % self.size
        }
    }

    pub fn adds_by_bits(&self) -> bool {
        matches!(self.size, 4 | 8)
    }

    /// a·y.
    pub fn scale(&self, a: usize, y: usize) -> usize {
        if y == 0 {
            0
        } else {
            self.power[self.times(a, self.log[y])]
        }
    }

    /// The logarithm of a product.
    fn times(&self, a: usize, b: usize) -> usize {
        (a + b) % self.power.len()
    }

    /// ax + b; letters beyond the field do not change.
    fn apply(&self, a: usize, b: usize, x: u8) -> u8 {
        let letter = usize::from(x);
        if letter < self.size {
            self.add(self.scale(a, letter), b) as u8
        } else {
            x
        }
    }

    /// The lane of x → ax + b.
    pub fn lane(&self, a: usize, b: usize) -> usize {
        self.size * a + b
    }

    /// All pairs a, b.
    fn members(&self) -> Vec<(usize, usize)> {
        (0..self.factors())
            .flat_map(|a| (0..self.size).map(move |b| (a, b)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_agree_with_turning_the_letters() {
        for letters in 1..=MOST_TILES {
            let words = Words::new(letters);
            let mut word: Vec<u8> = (0..letters as u8).collect();
            for round in 0.. {
                if round % 7 == 0 {
                    for turn in (0..Turn::COUNT as u8).map(Turn).filter(|t| t.fits(letters)) {
                        let mut turned = word.clone();
                        turn.apply(&mut turned);
                        assert_eq!(
                            words.after(words.code(&word), turn),
                            words.code(&turned),
                            "{word:?}"
                        );
                    }
                }
                if !next_permutation(&mut word) {
                    break;
                }
            }
        }
    }

    #[test]
    fn every_word_has_a_code_of_its_own() {
        for letters in 1..=MOST_TILES {
            let words = Words::new(letters);
            let codes: std::collections::HashSet<u16> = words.codes().iter().map(|c| c.0).collect();
            assert_eq!(codes.len(), words.codes().len());
            assert!(words.codes().iter().all(|c| c.lane() < words.lanes()));
        }
    }
}
