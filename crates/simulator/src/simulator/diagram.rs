//! Draws a reliability diagram as SVG, without scripts or embedded fonts: for each sport a square of probabilities
//! against frequencies. Good prices lie on the diagonal. Called by `kvota calibrate`.

use super::calibration::Reliability;
use std::fmt::Write;

/// The side of a square, in px.
const SQUARE: f64 = 200.0;
/// Around it: room for its title and its axes.
const PANEL: [f64; 2] = [264.0, 276.0];
/// Squares side by side.
const COLUMNS: usize = 6;
/// The length of the error bars on each side, in standard errors.
const ERRORS: f64 = 2.0;

/// Draws sports with their names.
pub fn diagram(sports: &[(&str, &Reliability)]) -> String {
    let columns = sports.len().clamp(1, COLUMNS);
    let rows = sports.len().div_ceil(columns).max(1);
    let (width, height) = (PANEL[0] * columns as f64, PANEL[1] * rows as f64 + 30.0);
    let mut out = String::new();
    // Writing into a text never fails.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"system-ui, sans-serif\" font-size=\"11\" fill=\"#1c2530\">\n\
         <title>How often what was priced at p happened</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (index, (name, reliability)) in sports.iter().enumerate() {
        let x = PANEL[0] * (index % columns) as f64;
        let y = PANEL[1] * (index / columns) as f64;
        let _ = writeln!(out, "<g transform=\"translate({x} {y})\">");
        panel(&mut out, name, reliability);
        let _ = writeln!(out, "</g>");
    }
    let _ = writeln!(
        out,
        "<text x=\"16\" y=\"{}\">chance to the right, frequency upwards; a disc's area is the number of prices, a bar is \
         two standard errors to each side</text>\n</svg>",
        height - 10.0
    );
    out
}

fn panel(out: &mut String, name: &str, reliability: &Reliability) {
    let prices: u64 = reliability.bins.iter().map(|bin| bin.number).sum();
    let _ = write!(
        out,
        "<text x=\"40\" y=\"22\" font-size=\"13\" font-weight=\"600\">{}</text>\n\
         <text x=\"40\" y=\"38\" fill=\"#5a6675\">{} matches, {prices} prices</text>\n\
         <g transform=\"translate(40 48)\">\n\
         <rect width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"#f4f6f8\" stroke=\"#c5ccd4\"/>\n\
         <line x1=\"0\" y1=\"{SQUARE}\" x2=\"{SQUARE}\" y2=\"0\" stroke=\"#8a96a3\" stroke-dasharray=\"4 4\"/>\n",
        escaped(name),
        reliability.matches,
    );
    for tenth in [0, 5, 10] {
        let at = SQUARE * f64::from(tenth) / 10.0;
        let label = f64::from(tenth) / 10.0;
        let _ = write!(
            out,
            "<text x=\"{at}\" y=\"{}\" text-anchor=\"middle\" fill=\"#5a6675\">{label}</text>\n\
             <text x=\"-6\" y=\"{}\" text-anchor=\"end\" fill=\"#5a6675\">{label}</text>\n",
            SQUARE + 16.0,
            SQUARE - at + 4.0,
        );
    }
    let most = reliability.bins.iter().map(|bin| bin.number).max().unwrap_or(0).max(1) as f64;
    for bin in reliability.bins.iter().filter(|bin| bin.number > 0) {
        let x = bin.mean_chance() * SQUARE;
        let up = |frequency: f64| SQUARE - frequency.clamp(0.0, 1.0) * SQUARE;
        let (y, error) = (up(bin.frequency()), bin.error() * ERRORS);
        let radius = 2.0 + 5.0 * (bin.number as f64 / most).sqrt();
        let (low, high) = (up(bin.frequency() - error), up(bin.frequency() + error));
        let _ = write!(
            out,
            "<line x1=\"{x:.1}\" y1=\"{low:.1}\" x2=\"{x:.1}\" y2=\"{high:.1}\" stroke=\"#0a7d5a\" stroke-width=\"2\"/>\n\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#0fae7d\" fill-opacity=\"0.8\"/>\n",
        );
    }
    let _ = writeln!(out, "</g>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagram_has_a_panel_for_each_sport() {
        let nothing = Reliability::default();
        let drawn = diagram(&[("tennis", &nothing), ("A & B", &nothing)]);
        assert_eq!(drawn.matches("<circle").count(), 0);
        assert_eq!(drawn.matches("stroke-dasharray").count(), 2);
        assert!(drawn.contains("A &amp; B") && drawn.trim_end().ends_with("</svg>"));
        assert!(diagram(&[]).contains("</svg>"));
    }
}
