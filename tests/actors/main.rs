//! What the actors of the offer keep of each match. Which connections get it is in `tests/hub/fan_out`.

mod history;
mod moved_lines;
mod stage;
