//! From chances to markets with prices, for any sport: the margin and the ladder ([`price`]), distributions of counts
//! ([`dist`]) over mathematics that are the same on every machine ([`maths`]), kinds of markets as tables ([`kind`])
//! with their words and places ([`catalogue`]), headings that sports share ([`headings`]), and a match's priced offer at
//! one moment ([`book`]). Used by the simulator's sports. Pure; floats are fine here, for chances; prices leave as exact
//! thousandths. It must never know a sport, and never call a float's own `exp`, `ln` or `powf`: they differ between
//! machines.

pub mod answers;
pub mod book;
pub mod catalogue;
pub mod columns;
pub mod dist;
pub mod headings;
pub mod kind;
pub mod maths;
pub mod price;
pub mod render;
pub mod shoot_out;
