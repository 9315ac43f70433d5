//! Portable versions of `exp`, `ln`, `pow`, and functions that use them. The standard functions can differ in the last
//! bit between machines, but a simulated feed must have the same bytes everywhere. Addition, multiplication, division
//! and square roots are already portable (IEEE 754).

/// e to the power of `x`.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// The natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// `x` to the power of `y`.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// The chance that a normally distributed value of mean 0 and deviation 1 is at most `x`.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// The logistic function: a chance from log-odds.
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_to_the_last_bit() {
        assert_eq!(exp(1.0).to_bits(), 0x4005_BF0A_8B14_576A);
        assert_eq!(ln(10.0).to_bits(), 0x4002_6BB1_BBB5_5516);
        assert_eq!(pow(2.0, 0.5).to_bits(), 0x3FF6_A09E_667F_3BCD);
        assert!((normal_cdf(1.0) - 0.841_344_746).abs() < 1e-9);
        assert!((normal_cdf(0.0) - 0.5).abs() < 1e-15);
        assert!((logistic(0.0) - 0.5).abs() < 1e-15);
    }
}
