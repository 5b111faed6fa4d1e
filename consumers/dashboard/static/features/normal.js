// The share of a normal distribution that lies between two points.

/**
 * The error function, with an absolute error of at most 1.5e-7.
 * Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 7.1.26.
 * @param {number} x
 */
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

/**
 * The share of a normal distribution between `low` and `high`.
 * @param {{mean: number, std: number}} normal `std` is above 0
 * @param {number} low
 * @param {number} high
 */
export function normalShare({ mean, std }, low, high) {
  const scale = std * Math.SQRT2;
  return Math.max(0, (erf((high - mean) / scale) - erf((low - mean) / scale)) / 2);
}
