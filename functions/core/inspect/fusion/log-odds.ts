/** A probability as its log-odds, on which independent evidence adds. Never infinite. */
export function toLogOdds(probability: number): number {
  const bounded = Math.min(0.9999, Math.max(0.0001, probability));
  return Math.log(bounded / (1 - bounded));
}

/** The probability of log-odds. */
export function toProbability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
