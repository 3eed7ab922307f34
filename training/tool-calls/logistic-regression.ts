/** A row: its numbers, whether it is positive, and how much it counts. */
export interface Row {
  readonly features: Readonly<Record<string, number>>;
  readonly isAttack: boolean;
  readonly weight: number;
}

export interface Regression {
  readonly bias: number;
  /** For unchanged features. */
  readonly weights: Readonly<Record<string, number>>;
}

const ROUNDS = 25;

/** Logistic regression with a ridge on standardised features, by Newton's method: the same data gives the same weights. */
export function regress(rows: readonly Row[], ridge: number): Regression {
  const names = Object.keys((rows[0] as Row).features);
  const size = names.length + 1;
  const raw = rows.map(({ features }) => names.map((name) => features[name] as number));
  const mean = names.map((_, at) => raw.reduce((sum, row) => sum + (row[at] as number), 0) / raw.length);
  const spread = names.map((_, at) => {
    const variance = raw.reduce((sum, row) => sum + ((row[at] as number) - (mean[at] as number)) ** 2, 0) / raw.length;
    return Math.sqrt(variance) || 1;
  });
  const x = raw.map((row) =>
    Float64Array.from([1, ...row.map((value, at) => (value - (mean[at] as number)) / (spread[at] as number))]),
  );
  const beta = new Float64Array(size);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = new Float64Array(size);
    const hessian = Array.from({ length: size }, () => new Float64Array(size));
    for (const [index, row] of x.entries()) {
      const { isAttack, weight } = rows[index] as Row;
      const predicted = 1 / (1 + Math.exp(-dot(row, beta)));
      const slope = weight * (predicted - Number(isAttack));
      const curve = weight * predicted * (1 - predicted);
      for (let i = 0; i < size; i++) {
        gradient[i] = (gradient[i] as number) + slope * (row[i] as number);
        const line = hessian[i] as Float64Array;
        const factor = curve * (row[i] as number);
        if (factor !== 0) for (let j = 0; j <= i; j++) line[j] = (line[j] as number) + factor * (row[j] as number);
      }
    }
    for (let i = 1; i < size; i++) {
      gradient[i] = (gradient[i] as number) + ridge * (beta[i] as number);
      const line = hessian[i] as Float64Array;
      line[i] = (line[i] as number) + ridge;
    }
    const step = solve(hessian, gradient);
    for (let i = 0; i < size; i++) beta[i] = (beta[i] as number) - (step[i] as number);
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  const weights = names.map((name, at) => [name, (beta[at + 1] as number) / (spread[at] as number)] as const);
  const bias = (beta[0] as number) - weights.reduce((sum, [, weight], at) => sum + weight * (mean[at] as number), 0);
  return { bias, weights: Object.fromEntries(weights) };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

/** Solves a symmetric positive system, of which the lower half is given, by Cholesky's method. */
function solve(lower: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const factor = lower.map((line) => Float64Array.from(line));
  for (let i = 0; i < size; i++) {
    const row = factor[i] as Float64Array;
    for (let j = 0; j <= i; j++) {
      const other = factor[j] as Float64Array;
      let sum = row[j] as number;
      for (let k = 0; k < j; k++) sum -= (row[k] as number) * (other[k] as number);
      row[j] = i === j ? Math.sqrt(Math.max(sum, 1e-9)) : sum / (other[j] as number);
    }
  }
  const result = Float64Array.from(right);
  for (let i = 0; i < size; i++) {
    const row = factor[i] as Float64Array;
    for (let k = 0; k < i; k++) result[i] = (result[i] as number) - (row[k] as number) * (result[k] as number);
    result[i] = (result[i] as number) / (row[i] as number);
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++)
      result[i] = (result[i] as number) - ((factor[k] as Float64Array)[i] as number) * (result[k] as number);
    result[i] = (result[i] as number) / ((factor[i] as Float64Array)[i] as number);
  }
  return result;
}
