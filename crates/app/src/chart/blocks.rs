//! Bars in the terminal.

/// A histogram as rows of blocks, at most `width` wide.
pub fn blocks(bars: &[f64], width: usize) -> String {
    let highest = bars.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let labels: Vec<String> = bars.iter().map(|&h| number(h)).collect();
    let label = labels.iter().map(String::len).max().unwrap_or(0);
    let row = |(value, &height): (usize, &f64)| {
        let eighths = (height / highest * width as f64 * 8.0).round() as usize;
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
        format!(
            "{value:>4} {:>label$} {}{rest}\n",
            labels[value],
            "█".repeat(eighths / 8)
        )
    };
    bars.iter().enumerate().map(row).collect()
}

/// A number for reading: whole, or with three digits.
fn number(value: f64) -> String {
    if value.fract().abs() < f64::EPSILON {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_bar_is_as_wide_as_it_may_be() {
        assert_eq!(
            blocks(&[2.0, 0.0, 1.0], 2),
            "   0 2 ██\n   1 0 \n   2 1 █\n"
        );
    }
}
