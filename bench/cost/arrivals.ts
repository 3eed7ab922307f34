/** A request of a trace: when it came, and how long its answer took, milliseconds. */
export interface Arrival {
  readonly atMs: number;
  readonly takesMs: number;
}

const MINUTE = 60_000;

/**
 * Ten minutes of arrivals at so many requests a minute: at random (Poisson), each fifth minute three times as many; answers of
 * one to thirty seconds, most of them short (log-normal about `takesMs`). The same for the same rate. A made trace, not a
 * recorded one: nobody has used a deployment of ours yet.
 */
export function makeTrace(perMinute: number, takesMs: number): Arrival[] {
  const random = generator(perMinute);
  const arrivals: Arrival[] = [];
  const minutes = 10;
  let atMs = 0;
  for (;;) {
    const isBusy = Math.floor(atMs / MINUTE) % 5 === 4;
    atMs += (-Math.log(1 - random()) * MINUTE) / (perMinute * (isBusy ? 3 : 1));
    if (atMs > minutes * MINUTE) return arrivals;
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    arrivals.push({ atMs, takesMs: Math.min(30_000, Math.max(1_000, takesMs * Math.exp(0.6 * normal))) });
  }
}

/**
 * Milliseconds in which environments had at least one request, all environments together, where each handles `atOnce` requests
 * at a time and a request goes to the fullest one that has room: what is paid for by the millisecond of a busy environment.
 */
export function busyMs(trace: readonly Arrival[], atOnce: number): number {
  const environments: { ends: number[]; busySince: number }[] = [];
  let total = 0;
  const settle = (until: number) => {
    for (const environment of environments) {
      if (environment.ends.length === 0) continue;
      const last = Math.max(...environment.ends);
      environment.ends = environment.ends.filter((end) => end > until);
      if (environment.ends.length === 0) total += last - environment.busySince;
    }
  };
  for (const { atMs, takesMs } of trace) {
    settle(atMs);
    const withRoom = environments.filter(({ ends }) => ends.length < atOnce);
    let chosen = withRoom.reduce<(typeof withRoom)[number] | undefined>(
      (fullest, one) => (fullest === undefined || one.ends.length > fullest.ends.length ? one : fullest),
      undefined,
    );
    if (chosen === undefined) {
      chosen = { ends: [], busySince: 0 };
      environments.push(chosen);
    }
    if (chosen.ends.length === 0) chosen.busySince = atMs;
    chosen.ends.push(atMs + takesMs);
  }
  settle(Number.POSITIVE_INFINITY);
  return total;
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
