//! Headings of preferred columns that several sports share, in four languages. Must not differ between sports, because
//! a heading is compared with an odd's type or alias (CONTRACT 0).

use super::kind::{NO, NOBODY, OVER, Quad, UNDER, YES, same};

/// Who wins.
pub const ONE_TWO: &[Quad] = &[same("1"), same("2")];
/// The winner, or a draw.
pub const ONE_X_TWO: &[Quad] = &[same("1"), same("X"), same("2")];
/// Home, neither, away: for the next event.
pub const ONE_NONE_TWO: &[Quad] = &[same("1"), NOBODY, same("2")];
/// On which side of a line.
pub const UNDER_OVER: &[Quad] = &[UNDER, OVER];
/// Whether it happens.
pub const YES_NO: &[Quad] = &[YES, NO];
