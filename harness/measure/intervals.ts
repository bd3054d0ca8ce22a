/** Lower and upper end, both from 0 to 1. */
export type Interval = [lower: number, upper: number];

/**
 * The one-sided 95 % upper bound of a rate: with a higher one, so few would have been seen in less than 5 % of all cases.
 * Exact (Clopper and Pearson 1934); with none seen it is 1 - 0.05^(1/n). Of no trials nothing is known: 1.
 */
export function upperBound95(seen: number, n: number): number {
  if (seen >= n) return 1;
  return seen === 0 ? -Math.expm1(Math.log(0.05) / n) : betaQuantile(0.95, seen + 1, n - seen);
}

/** Wilson's score interval of a share, 95 %, two-sided. Wilson 1927; close to nominal even for few trials. */
export function wilsonInterval(seen: number, n: number): Interval {
  if (n === 0) return [0, 1];
  const share = seen / n;
  const denominator = 1 + Z ** 2 / n;
  const centre = (share + Z ** 2 / (2 * n)) / denominator;
  const half = (Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2))) / denominator;
  return [seen === 0 ? 0 : Math.max(0, centre - half), seen === n ? 1 : Math.min(1, centre + half)];
}

/** 97.5th percentile of the standard normal distribution. */
const Z = 1.959963984540054;

function betaQuantile(probability: number, a: number, b: number): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (regularisedBeta(middle, a, b) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** I_x(a, b) by Lentz's continued fraction (Numerical Recipes, 6.4). */
export function regularisedBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const guard = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 1000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    const change = d * c;
    fraction *= change;
    if (Math.abs(change - 1) < 1e-14) break;
  }
  return fraction;
}

/** Lanczos's approximation, g = 7. */
function logGamma(value: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  const x = value - 1;
  const sum = terms.reduce((total, term, index) => total + term / (x + index + 1), 0.9999999999998099);
  const t = x + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}
