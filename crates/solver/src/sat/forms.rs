//! Names with options: `edixhoven+no-undo+manhattan` is a name and two of its options, in any order.
//!
//! A family lists its members once, in its `ALL`. How they are read, and what the help and the error messages say of
//! them, follows from how they print.

use std::collections::BTreeSet;

use crate::names::UnknownName;

/// The member with this name and these options, in whatever order the options come.
pub(super) fn find<E: Copy + ToString>(all: &[E], text: &str) -> Option<E> {
    let wanted = parts(text);
    let mut members = all.iter().copied();
    members.find(|member| parts(&member.to_string()) == wanted)
}

/// Each name once, with all options that it may have: `lean[+static]`.
pub(super) fn forms<E: ToString>(all: &[E]) -> Vec<String> {
    let mut forms: Vec<(String, Vec<String>)> = vec![];
    for member in all {
        let text = member.to_string();
        let (name, given) = parts(&text);
        if forms.last().is_none_or(|form| form.0 != name) {
            forms.push((name.to_owned(), vec![]));
        }
        let (_, options) = forms.last_mut().expect("just added");
        for option in given {
            let option = format!("[+{option}]");
            if !options.contains(&option) {
                options.push(option);
            }
        }
    }
    let whole = |(name, options): (String, Vec<String>)| name + &options.concat();
    forms.into_iter().map(whole).collect()
}

/// Not one of these.
pub(super) fn unknown(text: &str, forms: &[String]) -> UnknownName {
    UnknownName::new(text, forms.iter().map(String::as_str))
}

/// The name and its options.
fn parts(text: &str) -> (&str, BTreeSet<&str>) {
    let mut words = text.split('+');
    (words.next().unwrap_or_default(), words.collect())
}
