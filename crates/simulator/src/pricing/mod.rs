//! Turns probabilities into markets with prices, for any sport: the margin and the price ladder ([`price`]),
//! distributions of counts ([`dist`]), portable mathematics ([`maths`]), kinds of markets as tables ([`kind`]) with
//! their texts and ids ([`catalogue`]), headings that sports share ([`headings`]), and the priced markets of a match at
//! one moment ([`book`]). Used by the simulator's sports. Pure. Probabilities are floats; prices are exact thousandths.
//! Must not contain anything of a single sport, nor call `exp`, `ln` or `powf` of a float, which differ between
//! machines.

pub mod book;
pub mod catalogue;
pub mod columns;
pub mod dist;
pub mod kind;
pub mod maths;
pub mod price;
pub mod render;
pub mod shoot_out;
