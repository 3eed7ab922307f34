import { generator } from '../../training/generator.ts';
import { table } from '../lib/table.ts';

/** Requests that one environment of a Web Function serves at once: Lambda's default. */
const REQUESTS_AN_ENVIRONMENT = 64;
const SIMULATED_REQUESTS = 20_000;
const RATES_A_MINUTE = [1, 10, 100, 1_000, 10_000];

export interface EnvironmentTime {
  /** Seconds of environments that hold at least one request, per request. */
  readonly busySeconds: number;
  /** The most environments at once. */
  readonly most: number;
}

/**
 * Simulates requests with random arrivals. Each goes to the fullest environment with room, so that few environments hold requests.
 * @param atOnce requests that an environment serves at once
 */
export function environmentTime(requestsAMinute: number, seconds: number, atOnce: number): EnvironmentTime {
  const random = generator(1);
  /** Ends of the running requests, by environment. */
  const environments: number[][] = [];
  const busySince: number[] = [];
  let [now, busy, most] = [0, 0, 0];
  const release = (until: number) => {
    for (const [at, ends] of environments.entries()) {
      if (ends.length === 0) continue;
      const last = Math.max(...ends);
      environments[at] = ends.filter((end) => end > until);
      if (environments[at].length === 0) busy += last - (busySince[at] ?? 0);
    }
  };
  for (let request = 0; request < SIMULATED_REQUESTS; request += 1) {
    now += (-Math.log(1 - random()) * 60) / requestsAMinute;
    release(now);
    const free = [...environments.keys()].filter((at) => (environments[at]?.length ?? 0) < atOnce);
    const length = (at: number) => environments[at]?.length ?? 0;
    const chosen = free.reduce<number | undefined>(
      (best, at) => (best === undefined || length(at) > length(best) ? at : best),
      undefined,
    );
    const at = chosen ?? environments.push([]) - 1;
    if (length(at) === 0) busySince[at] = now;
    environments[at]?.push(now + seconds);
    most = Math.max(most, environments.filter((ends) => ends.length > 0).length);
  }
  release(Number.POSITIVE_INFINITY);
  return { busySeconds: busy / SIMULATED_REQUESTS, most };
}

/** The chapter of docs/reference/cost.md that compares the settings of `compute`. */
export function computeChapter(
  streamSeconds: number,
  cpuMs: { readonly alone: number; readonly atOnce: number },
): string {
  const atMost = Math.floor((streamSeconds * 1_000) / cpuMs.atOnce);
  const rows = RATES_A_MINUTE.map((rate) => {
    const one = environmentTime(rate, streamSeconds, 1);
    const many = environmentTime(rate, streamSeconds, REQUESTS_AN_ENVIRONMENT);
    return [
      rate.toLocaleString('en-US'),
      one.busySeconds.toFixed(2),
      many.busySeconds.toFixed(3),
      `${((many.busySeconds / one.busySeconds) * 100).toFixed(1)} %`,
      `${one.most.toLocaleString('en-US')} / ${many.most.toLocaleString('en-US')}`,
    ];
  });
  return `## Many requests per environment

\`compute: "web-function"\` runs the gateway as a Lambda Web Function, of which one environment serves ${REQUESTS_AN_ENVIRONMENT} requests at once. A stream that waits for its provider
then occupies a part of an environment. A simulation (\`bench/scale/shared-environments.ts\`) of ${SIMULATED_REQUESTS.toLocaleString('en-US')} streams of ${streamSeconds} seconds that arrive at random:

${table(
  [
    'Requests a minute',
    'Environment-seconds per request, `function-url`',
    '`web-function`',
    'Share',
    'Environments at once',
  ],
  rows,
)}

AWS bills a Web Function for active CPU. We know no price of it, so the table has no dollars: it counts the seconds in which an environment holds any request.
That is an upper bound of the time that can be billed. The CPU time of a stream itself is ${cpuMs.atOnce.toFixed(1)} ms with others at once and ${cpuMs.alone.toFixed(1)} ms alone
([bench/streams.md](../bench/streams.md)), ${((cpuMs.atOnce / streamSeconds / 1_000) * 100).toFixed(1)} % of its ${streamSeconds} seconds: one CPU carries ${atMost} such streams at most. DynamoDB, logs and
CloudFront cost the same with both.`;
}
