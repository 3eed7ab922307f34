import { median, quantile } from './statistics.ts';

/** The median of the ratios of two targets within a round; NaN where one was not measured. */
export function ratio(rounds, name, other, field = 'cpu') {
  return median(rounds.map((round) => (round[name]?.[field] ?? Number.NaN) / (round[other]?.[field] ?? Number.NaN)));
}

/** A load in words. */
export function named({ stream, concurrency, promptBytes }) {
  return `${stream ? 'SSE' : 'JSON'}, ${concurrency} at once, ${size(promptBytes)}`;
}

/** Bytes in words. */
export function size(bytes) {
  return bytes < 1_000 ? `${bytes} B` : `${bytes / 1_000} KB`;
}

/** How much later than direct the first character comes: the difference of quantiles within a round, its median over rounds. */
export function firstDelay(content, name, share) {
  const of = (streams) =>
    quantile(
      streams.map(({ first }) => first),
      share,
    );
  return median(content.map((round) => of(round[name]) - of(round.direct)));
}

/** The same for the further ones, which each have a separate time. */
export function furtherDelay(content, name, share) {
  return median(content.map((round) => lateness(round, name, share) - lateness(round, 'direct', share)));
}

/** How much direct's own characters differ from their medians. */
export function spread(content, share) {
  return median(content.map((round) => lateness(round, 'direct', share)));
}

function lateness(round, name, share) {
  const due = round.direct[0].further.map((_, at) => median(round.direct.map(({ further }) => further[at])));
  return quantile(
    round[name].flatMap(({ further }) => further.map((time, at) => time - due[at])),
    share,
  );
}
