//! A small planner for tests. It reads STRIPS with types and action costs, grounds all actions, and searches by
//! Dijkstra's algorithm. It knows nothing about puzzles, and panics on anything that the language does not allow.

use std::collections::{BTreeSet, HashMap, VecDeque};

use noyes_puzzle::pddl::Task;

/// An s-expression.
#[derive(Clone, Debug, PartialEq)]
enum Expr {
    Word(String),
    List(Vec<Expr>),
}

impl Expr {
    fn parse(text: &str) -> Expr {
        let code: Vec<&str> = text.lines().map(|l| l.split(';').next().unwrap()).collect();
        let code = code.join("\n").replace('(', " ( ").replace(')', " ) ");
        let mut open: Vec<Vec<Expr>> = vec![vec![]];
        for word in code.split_whitespace() {
            match word {
                "(" => open.push(vec![]),
                ")" => {
                    let list = Expr::List(open.pop().unwrap());
                    open.last_mut()
                        .expect("one closing parenthesis too many")
                        .push(list);
                }
                word => {
                    let legal = |c: char| c.is_ascii_alphanumeric() || "?:-_=".contains(c);
                    assert!(word.chars().all(legal), "{word}");
                    open.last_mut()
                        .unwrap()
                        .push(Expr::Word(word.to_lowercase()));
                }
            }
        }
        let [whole] = open.as_slice() else {
            panic!("a closing parenthesis is missing");
        };
        let [Expr::List(_)] = whole.as_slice() else {
            panic!("expected one list, found {}", whole.len());
        };
        whole[0].clone()
    }

    fn word(&self) -> &str {
        match self {
            Expr::Word(word) => word,
            Expr::List(list) => panic!("expected a word, found {list:?}"),
        }
    }

    fn list(&self) -> &[Expr] {
        match self {
            Expr::List(list) => list,
            Expr::Word(word) => panic!("expected a list, found {word}"),
        }
    }

    fn words(&self) -> Vec<&str> {
        self.list().iter().map(Expr::word).collect()
    }

    /// The operands of `(and …)`.
    fn all(&self) -> &[Expr] {
        let list = self.list();
        assert_eq!(list[0].word(), "and");
        &list[1..]
    }
}

/// The name of a domain or problem, and its parts with their names.
fn parts(file: &Expr, kind: &str) -> (String, Vec<(String, Vec<Expr>)>) {
    let list = file.list();
    assert_eq!(list[0].word(), "define");
    let [what, name] = list[1].words()[..] else {
        panic!("expected the name of the {kind}");
    };
    assert_eq!(what, kind);
    let part = |e: &Expr| (e.list()[0].word().to_string(), e.list()[1..].to_vec());
    (name.to_string(), list[2..].iter().map(part).collect())
}

/// Reads `a b - c d - e` as pairs of name and type; every name has to have a type.
fn typed(list: &[Expr]) -> Vec<(String, String)> {
    let (mut pairs, mut names) = (vec![], vec![]);
    let mut words = list.iter().map(Expr::word);
    while let Some(word) = words.next() {
        if word == "-" {
            let kind = words.next().expect("a type after -");
            pairs.extend(names.drain(..).map(|n| (n, kind.to_string())));
        } else {
            names.push(word.to_string());
        }
    }
    assert!(names.is_empty(), "{names:?} have no type");
    pairs
}

/// A ground action: its facts as bits, and its name as planners write it.
struct Action {
    name: String,
    needs: u128,
    adds: u128,
    deletes: u128,
    cost: u32,
}

/// A task that is ready for search.
pub struct Planner {
    start: u128,
    goal: u128,
    actions: Vec<Action>,
}

/// For each state the least known cost, and the state and action that led to it.
type Known = HashMap<u128, (u32, Option<(u128, usize)>)>;

/// The declarations of a task.
#[derive(Default)]
struct Declared {
    types: BTreeSet<String>,
    /// The types of each predicate's arguments.
    predicates: HashMap<String, Vec<String>>,
    /// The type of each object.
    objects: HashMap<String, String>,
    /// The number of each fact that can change.
    fluents: HashMap<Vec<String>, u32>,
}

impl Declared {
    /// A fact with its variables replaced by objects; panics if it does not fit the declarations.
    fn fact(&self, expr: &Expr, values: &HashMap<String, String>) -> Vec<String> {
        let words = expr.words();
        let kinds = (self.predicates.get(words[0]))
            .unwrap_or_else(|| panic!("{words:?}: no such predicate"));
        assert_eq!(kinds.len() + 1, words.len(), "{words:?}");
        let mut fact = vec![words[0].to_string()];
        for (word, kind) in words[1..].iter().zip(kinds) {
            let object = values.get(*word).map_or(*word, String::as_str);
            let is = (self.objects.get(object))
                .unwrap_or_else(|| panic!("{object} in {words:?} is not declared"));
            assert_eq!(is, kind, "{words:?}");
            fact.push(object.to_string());
        }
        fact
    }

    fn bit(&mut self, fact: Vec<String>) -> u128 {
        let next = self.fluents.len() as u32;
        let number = *self.fluents.entry(fact).or_insert(next);
        assert!(number < 128, "the puzzle is too large for this planner");
        1 << number
    }
}

impl Planner {
    pub fn new(task: &Task) -> Planner {
        let (domain_name, domain) = parts(&Expr::parse(&task.domain), "domain");
        let (_, problem) = parts(&Expr::parse(&task.problem), "problem");
        let find = |parts: &[(String, Vec<Expr>)], name: &str| {
            let mut found = parts.iter().filter(|p| p.0 == name).map(|p| p.1.clone());
            let first = found.next();
            assert!(found.next().is_none(), "duplicate {name}");
            first
        };
        // 1. The declarations.
        let wanted = find(&domain, ":requirements").unwrap();
        let wanted: Vec<&str> = wanted.iter().map(Expr::word).collect();
        assert!(wanted.contains(&":strips") && wanted.contains(&":typing"));
        let has_costs = wanted.contains(&":action-costs");
        assert_eq!(find(&problem, ":domain").unwrap()[0].word(), domain_name);
        let mut declared = Declared::default();
        for (name, of) in typed(&find(&domain, ":types").unwrap()) {
            assert_eq!(of, "object");
            assert!(declared.types.insert(name));
        }
        for predicate in find(&domain, ":predicates").unwrap() {
            let arguments = typed(&predicate.list()[1..]);
            let kinds = arguments.into_iter().map(|a| a.1).collect();
            let name = predicate.list()[0].word().to_string();
            assert!(declared.predicates.insert(name, kinds).is_none());
        }
        for (name, kind) in typed(&find(&problem, ":objects").unwrap()) {
            assert!(
                declared.objects.insert(name, kind).is_none(),
                "duplicate object"
            );
        }
        let kinds = (declared.predicates.values().flatten()).chain(declared.objects.values());
        for kind in kinds {
            assert!(declared.types.contains(kind), "{kind} is not a type");
        }
        let functions = find(&domain, ":functions").map(|f| format!("{f:?}"));
        assert_eq!(functions.is_some(), has_costs);
        assert_eq!(find(&problem, ":metric").is_some(), has_costs);
        // 2. The initial state, and the facts that never change.
        let actions: Vec<&Vec<Expr>> = (domain.iter().filter(|p| p.0 == ":action"))
            .map(|p| &p.1)
            .collect();
        let mut changing = BTreeSet::new();
        for action in &actions {
            for effect in field(action, ":effect").all() {
                let inner = match effect.list()[0].word() {
                    "not" => &effect.list()[1],
                    _ => effect,
                };
                changing.insert(inner.list()[0].word().to_string());
            }
        }
        let none = HashMap::new();
        let (mut start, mut fixed, mut is_counted) = (0, BTreeSet::new(), false);
        for expr in find(&problem, ":init").unwrap() {
            if expr.list()[0].word() == "=" {
                is_counted = true;
                continue;
            }
            let fact = declared.fact(&expr, &none);
            if changing.contains(&fact[0]) {
                start |= declared.bit(fact);
            } else {
                assert!(fixed.insert(fact), "duplicate fact: {expr:?}");
            }
        }
        assert_eq!(is_counted, has_costs);
        let mut goal = 0;
        for expr in find(&problem, ":goal").unwrap()[0].all() {
            let fact = declared.fact(expr, &none);
            goal |= declared.bit(fact);
        }
        // 3. All ground actions.
        let mut made = vec![];
        for action in actions {
            let open: Vec<(String, String)> = typed(field(action, ":parameters").list());
            let task = Open {
                action,
                has_costs,
                fixed: &fixed,
            };
            task.fill(&open, &mut HashMap::new(), &mut declared, &mut made);
        }
        Planner {
            start,
            goal,
            actions: made,
        }
    }

    /// The least cost and a plan with that cost, as Fast Downward writes it; `None` if there is no plan.
    pub fn plan(&self) -> Option<(u32, String)> {
        let mut best = Known::from([(self.start, (0, None))]);
        let mut open = VecDeque::from([(0, self.start)]); // a deque is enough, because all costs are 0 or 1
        while let Some((cost, state)) = open.pop_front() {
            if best[&state].0 < cost {
                continue;
            }
            if state & self.goal == self.goal {
                return Some((cost, self.text(&best, state)));
            }
            for (i, action) in self.actions.iter().enumerate() {
                if state & action.needs != action.needs {
                    continue;
                }
                let next = (state & !action.deletes) | action.adds;
                let after = cost + action.cost;
                if best.get(&next).is_none_or(|known| after < known.0) {
                    best.insert(next, (after, Some((state, i))));
                    match action.cost {
                        0 => open.push_front((after, next)),
                        _ => open.push_back((after, next)),
                    }
                }
            }
        }
        None
    }

    fn text(&self, best: &Known, end: u128) -> String {
        let (mut lines, mut state) = (
            vec![format!("; cost = {} (unit cost)\n", best[&end].0)],
            end,
        );
        while let Some((before, action)) = best[&state].1 {
            lines.push(format!("({})\n", self.actions[action].name));
            state = before;
        }
        lines.reverse();
        lines.concat()
    }
}

fn field<'a>(action: &'a [Expr], name: &str) -> &'a Expr {
    let at = action.iter().position(|e| *e == Expr::Word(name.into()));
    &action[at.unwrap_or_else(|| panic!("an action without {name}")) + 1]
}

/// An action whose parameters are not filled in yet.
struct Open<'a> {
    action: &'a [Expr],
    has_costs: bool,
    fixed: &'a BTreeSet<Vec<String>>,
}

impl Open<'_> {
    /// Grounds the action with all objects of the right types that the unchanging facts allow.
    fn fill(
        &self,
        open: &[(String, String)],
        values: &mut HashMap<String, String>,
        declared: &mut Declared,
        made: &mut Vec<Action>,
    ) {
        // Stop if a precondition is already known to be false.
        let needs = field(self.action, ":precondition").all();
        let is_fixed = |expr: &&Expr| self.fixed.iter().any(|f| f[0] == expr.list()[0].word());
        for expr in needs.iter().filter(is_fixed) {
            let known = |w: &&str| !w.starts_with('?') || values.contains_key(*w);
            if expr.words()[1..].iter().all(known)
                && !self.fixed.contains(&declared.fact(expr, values))
            {
                return;
            }
        }
        if let Some(((name, kind), rest)) = open.split_first() {
            let of_kind = declared.objects.iter().filter(|o| o.1 == kind);
            let mut objects: Vec<String> = of_kind.map(|o| o.0.clone()).collect();
            objects.sort_unstable();
            for object in objects {
                values.insert(name.clone(), object);
                self.fill(rest, values, declared, made);
            }
            values.remove(name);
            return;
        }
        let (mut adds, mut deletes, mut cost) = (0, 0, u32::from(!self.has_costs));
        for effect in field(self.action, ":effect").all() {
            match effect.list()[0].word() {
                "not" => {
                    let fact = declared.fact(&effect.list()[1], values);
                    deletes |= declared.bit(fact);
                }
                "increase" => {
                    assert!(self.has_costs);
                    cost += effect.list()[2].word().parse::<u32>().unwrap();
                }
                _ => {
                    let fact = declared.fact(effect, values);
                    adds |= declared.bit(fact);
                }
            }
        }
        let mut bits = 0;
        for expr in needs.iter().filter(|e| !is_fixed(e)) {
            let fact = declared.fact(expr, values);
            bits |= declared.bit(fact);
        }
        let mut words = vec![self.action[0].word().to_string()];
        let parameters = typed(field(self.action, ":parameters").list());
        words.extend(parameters.iter().map(|(name, _)| values[name].clone()));
        made.push(Action {
            name: words.join(" "),
            needs: bits,
            adds,
            deletes,
            cost,
        });
    }
}
