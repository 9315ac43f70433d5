//! Writes a line chart as SVG, without scripts or embedded fonts: one line for each server. Called by the runs that
//! measure growth.

use std::fmt::Write;

/// Width and height of the area between the axes, in px.
const FIELD: [f64; 2] = [480.0, 260.0];
/// Margins in px for the title, the axes and the names: left, top, right, bottom.
const MARGIN: [f64; 4] = [64.0, 56.0, 24.0, 70.0];
/// One colour for each line; there are fewer servers.
const COLOURS: [&str; 4] = ["#0fae7d", "#8a96a3", "#2f6fd6", "#d6862f"];

/// What a picture shows.
pub(crate) struct Picture<'a> {
    pub(crate) title: &'a str,
    /// Label of the x axis.
    pub(crate) right: &'a str,
    /// Label of the y axis, with its unit.
    pub(crate) up: &'a str,
    /// The lines: name and points.
    pub(crate) lines: Vec<(&'a str, Vec<(f64, f64)>)>,
}

/// The chart as SVG text.
pub(crate) fn drawn(picture: &Picture<'_>) -> String {
    let [left, top, right, bottom] = MARGIN;
    let [width, height] = FIELD;
    let points = || picture.lines.iter().flat_map(|(_, points)| points);
    let most_right = points().map(|(x, _)| *x).fold(1.0, f64::max);
    let most_up = round_above(points().map(|(_, y)| *y).fold(0.0, f64::max));
    let at = |(x, y): (f64, f64)| (x / most_right * width, height - y / most_up * height);
    let mut out = String::new();
    // Writing into a string never fails.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"11\" fill=\"#1c2530\">\n<title>{2}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{left}\" y=\"22\" font-size=\"13\" font-weight=\"600\">{2}</text>\n\
         <text x=\"{left}\" y=\"40\" fill=\"#5a6675\">{3}</text>\n<g transform=\"translate({left} {top})\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#f4f6f8\" stroke=\"#c5ccd4\"/>\n",
        left + width + right,
        top + height + bottom,
        escaped(picture.title),
        escaped(picture.up),
    );
    for quarter in 0..=4 {
        let value = most_up * f64::from(quarter) / 4.0;
        let (_, y) = at((0.0, value));
        let _ = write!(
            out,
            "<line x1=\"0\" y1=\"{y:.1}\" x2=\"{width}\" y2=\"{y:.1}\" stroke=\"#c5ccd4\" stroke-dasharray=\"4 4\"/>\n\
             <text x=\"-6\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#5a6675\">{value}</text>\n",
            y + 4.0
        );
    }
    let mut marks: Vec<f64> = points().map(|(x, _)| *x).collect();
    marks.sort_by(f64::total_cmp);
    marks.dedup();
    for mark in marks {
        let (x, _) = at((mark, 0.0));
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#5a6675\">{mark}</text>",
            height + 16.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{width}\" y=\"{}\" text-anchor=\"end\" fill=\"#5a6675\">{}</text>",
        height + 32.0,
        escaped(picture.right)
    );
    for (index, (name, points)) in picture.lines.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let path: Vec<String> = points.iter().map(|point| at(*point)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            path.join(" ")
        );
        for (x, y) in points.iter().map(|point| at(*point)) {
            let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>");
        }
        let x = 150.0 * index as f64;
        let _ = write!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"/>\n<text x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
            x + 4.0,
            height + 50.0,
            x + 14.0,
            height + 54.0,
            escaped(name)
        );
    }
    out.push_str("</g>\n</svg>\n");
    out
}

/// The next higher of 1, 2, 4, 6, 8 and 10 times a power of ten, so that quarters of it are short numbers.
fn round_above(value: f64) -> f64 {
    let power = 10_f64.powf(value.max(1e-9).log10().floor());
    let fits = [1.0, 2.0, 4.0, 6.0, 8.0, 10.0].into_iter().map(|step| step * power);
    fits.into_iter().find(|step| *step >= value).unwrap_or(10.0 * power)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
