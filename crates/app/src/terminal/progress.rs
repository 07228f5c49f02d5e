//! Progress on a terminal, drawn on standard error by the crate `indicatif`.
//!
//! A batch has a bar. Below it, one line says how the oldest running search is doing. A single thread draws both a
//! few times a second, so quick searches never flash. Answers are printed by [`suspended`], which takes the lines away
//! meanwhile. Nothing is drawn if standard error is not a terminal, nor under `--quiet`.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::time::{Duration, Instant};

use indicatif::{
    FormattedDuration, HumanCount, HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget,
    ProgressState, ProgressStyle,
};
use noyes_solver::Control;

use super::canvas::Canvas;
use super::quiet::is_quiet;

const PERIOD: Duration = Duration::from_millis(100);

static LINES: LazyLock<MultiProgress> = LazyLock::new(|| {
    let canvas = Box::new(Canvas::default());
    MultiProgress::with_draw_target(ProgressDrawTarget::term_like(canvas))
});

static STATE: Mutex<State> = Mutex::new(State {
    searches: vec![],
    note: None,
    headline: None,
    batch: None,
    bar: None,
    line: None,
    started: 0,
    has_thread: false,
    is_closed: false,
});

/// What there is to show, and what is on the screen.
struct State {
    /// The searches that are running, oldest first.
    searches: Vec<Watched>,
    /// A text instead of the oldest search: how far a table is.
    note: Option<String>,
    /// A text before that: how far a benchmark is.
    headline: Option<String>,
    batch: Option<Arc<Counts>>,
    bar: Option<ProgressBar>,
    line: Option<ProgressBar>,
    /// The number of searches so far, which names the next one.
    started: u64,
    /// Whether the thread that draws is running.
    has_thread: bool,
    /// Whether the program is ending.
    is_closed: bool,
}

struct Watched {
    id: u64,
    label: &'static str,
    control: Control,
    since: Instant,
}

/// How far a batch is.
struct Counts {
    answered: AtomicU64,
    total: OnceLock<Option<u64>>,
    since: Instant,
}

/// A batch under way; dropping it removes its bar.
pub struct Batch(Arc<Counts>);

impl Batch {
    /// A batch whose size is not known yet.
    pub fn new() -> Batch {
        let counts = Arc::new(Counts {
            answered: 0.into(),
            total: OnceLock::new(),
            since: Instant::now(),
        });
        if there_is_a_line() {
            let mut state = state();
            state.batch = Some(counts.clone());
            state.start();
        }
        Batch(counts)
    }

    /// Takes the size of the batch when it is known; nothing if it never will be.
    pub fn sizer(&self) -> impl FnOnce(Option<u64>) + Send + 'static {
        let counts = self.0.clone();
        move |total| counts.total.set(total).unwrap_or_default()
    }

    /// One more puzzle is answered.
    pub fn answered(&self) {
        self.0.answered.fetch_add(1, Relaxed);
    }

    /// The puzzles answered, and how many there are if that is known.
    pub fn counts(&self) -> (u64, Option<u64>) {
        let total = self.0.total.get().copied().flatten();
        (self.0.answered.load(Relaxed), total)
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        let mut state = state();
        state.batch = None;
        clear(&mut state.bar);
    }
}

/// Runs a search and shows how it is doing.
pub fn watched<T>(label: &'static str, control: &Control, work: impl FnOnce() -> T) -> T {
    if !there_is_a_line() {
        return work();
    }
    let id = state().enter(label, control);
    let done = work();
    state().leave(id);
    done
}

/// Shows a text instead of the searches, or them again.
pub fn note(text: Option<String>) {
    if there_is_a_line() {
        let mut state = state();
        state.note = text;
        if state.note.is_none() {
            clear(&mut state.line);
        }
        state.start();
    }
}

/// Shows a text before the searches, or no longer.
pub fn headline(text: Option<String>) {
    if there_is_a_line() {
        let mut state = state();
        state.headline = text;
        state.start();
    }
}

/// Prints something while the lines are away.
pub fn suspended<T>(print: impl FnOnce() -> T) -> T {
    if there_is_a_line() {
        LINES.suspend(print)
    } else {
        print()
    }
}

/// Takes the lines away for good.
pub fn close() {
    if there_is_a_line() {
        let mut state = state();
        state.is_closed = true;
        clear(&mut state.bar);
        clear(&mut state.line);
    }
}

/// The same for a program that must end now: it does not wait for a thread that is stuck while printing.
pub fn close_at_once() {
    if there_is_a_line() {
        let (done, is_done) = mpsc::channel();
        let close = move || {
            close();
            let _ = done.send(());
        };
        if std::thread::Builder::new().spawn(close).is_ok() {
            let _ = is_done.recv_timeout(2 * PERIOD);
        }
    }
}

/// Whether progress is shown: standard error is a terminal that can move its cursor, and nobody asked for quiet.
pub fn there_is_a_line() -> bool {
    static TERMINAL: LazyLock<bool> = LazyLock::new(|| {
        stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
    });
    *TERMINAL && !is_quiet()
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn clear(line: &mut Option<ProgressBar>) {
    if let Some(line) = line.take() {
        line.finish_and_clear();
        LINES.remove(&line);
    }
}

impl State {
    fn start(&mut self) {
        if self.has_thread {
            return;
        }
        let draw = || {
            loop {
                std::thread::sleep(PERIOD);
                state().draw();
            }
        };
        // Without the thread there is no progress, and nothing else is lost.
        self.has_thread = std::thread::Builder::new().spawn(draw).is_ok();
    }

    fn enter(&mut self, label: &'static str, control: &Control) -> u64 {
        self.started += 1;
        self.searches.push(Watched {
            id: self.started,
            label,
            control: control.clone(),
            since: Instant::now(),
        });
        self.start();
        self.started
    }

    fn leave(&mut self, id: u64) {
        self.searches.retain(|search| search.id != id);
        if self.searches.is_empty() && self.note.is_none() {
            clear(&mut self.line);
        }
    }

    fn draw(&mut self) {
        if self.is_closed {
            return;
        }
        if let Some(counts) = &self.batch {
            let bar = self.bar.get_or_insert_with(|| counts.bar());
            counts.show_on(bar);
        }
        match self.text() {
            Some(text) => {
                let line = self.line.get_or_insert_with(|| LINES.add(line()));
                line.set_message(text);
                line.tick();
            }
            None => clear(&mut self.line),
        }
    }

    fn text(&self) -> Option<String> {
        match (&self.headline, self.doing()) {
            (Some(headline), Some(doing)) => Some(format!("{headline} ({doing})")),
            (Some(headline), None) => Some(headline.clone()),
            (None, doing) => doing,
        }
    }

    fn doing(&self) -> Option<String> {
        if self.note.is_some() {
            return self.note.clone();
        }
        let search = self.searches.first()?;
        let others = match self.searches.len() {
            1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        Some(search.text() + &others)
    }
}

impl Watched {
    fn text(&self) -> String {
        let bounds = self.control.bounds();
        let bounds = match bounds.upper {
            Some(upper) => format!("between {} and {upper}", bounds.lower),
            None => format!("at least {}", bounds.lower),
        };
        let elapsed = self.since.elapsed();
        let (nodes, _) = self.control.nodes();
        let (done, what) = match self.control.conflicts() {
            conflicts if nodes == 0 && conflicts > 0 => (conflicts, "conflicts"),
            _ => (nodes, "nodes"),
        };
        let share = self.control.share().map_or(String::new(), |share| {
            let left = share.left.map_or(String::new(), |left| {
                format!(", about {} left", HumanDuration(left))
            });
            format!(" ({:.0} % of that limit{left})", 100.0 * share.done)
        });
        let rate = (done as f64 / elapsed.as_secs_f64().max(1e-3)) as u64;
        format!(
            "{}: {bounds}{share}, {} {what}, {} {what}/s, {}",
            self.label,
            HumanCount(done),
            HumanCount(rate),
            FormattedDuration(elapsed)
        )
    }
}

impl Counts {
    fn bar(&self) -> ProgressBar {
        let bar = LINES.insert(0, ProgressBar::no_length());
        bar.with_elapsed(self.since.elapsed())
            .with_style(style("{spinner} {pos} answered, {rate}, {elapsed_precise}"))
    }

    fn show_on(&self, bar: &ProgressBar) {
        if let Some(total) = self.total.get().copied().flatten()
            && bar.length().is_none()
        {
            bar.set_length(total);
            let known = "{bar:24} {pos} of {len} answered, {rate}, {left}";
            bar.set_style(style(known));
        }
        bar.set_position(self.answered.load(Relaxed));
        bar.tick();
    }
}

fn line() -> ProgressBar {
    ProgressBar::new_spinner().with_style(style("{wide_msg}"))
}

fn style(template: &str) -> ProgressStyle {
    let rate = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let each = state.elapsed().as_secs_f64() / state.pos() as f64;
        let _ = match each {
            _ if state.pos() == 0 => write!(text, "none yet"),
            ..1.0 => write!(text, "{:.1}/s", 1.0 / each),
            _ => write!(text, "{each:.1} s each"),
        };
    };
    let left = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let _ = match state.pos() {
            0 => write!(text, "time left unknown"),
            _ => write!(text, "about {} left", HumanDuration(state.eta())),
        };
    };
    ProgressStyle::with_template(template)
        .expect("a template that parses")
        .with_key("rate", rate)
        .with_key("left", left)
        .progress_chars("=> ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_parses() {
        LINES.set_draw_target(ProgressDrawTarget::hidden());
        line().finish_and_clear();
        let batch = Batch::new();
        let bar = batch.0.bar();
        batch.sizer()(Some(3));
        batch.answered();
        batch.0.show_on(&bar);
        assert_eq!((bar.position(), bar.length()), (1, Some(3)));
        assert_eq!(batch.counts(), (1, Some(3)));
    }

    #[test]
    fn a_search_shows_its_bounds_and_its_speed() {
        let search = Watched {
            id: 1,
            label: "searching",
            control: Control::new(),
            since: Instant::now(),
        };
        let text = search.text();
        assert!(
            text.starts_with("searching: at least 0, 0 nodes, 0 nodes/s, 00:00:0"),
            "{text}"
        );
    }
}
