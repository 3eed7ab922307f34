import { table } from '../lib/table.ts';
import { type BusyEndpoint, simulateBusyEndpoint } from './busy-endpoint.ts';
import { PUBLISHED } from './limits.ts';

const RUN = { seconds: 20, quiet: 50, responseMs: 100 };
/** Of one vCPU: what an attempt takes is not known on Lambda, so two are shown. */
const CPU_MS = [1, 3];
const SHARDS = [1, 4, 8, 16];
/** lib/functions/background-functions.ts. */
const batches = (shards: number) => ({ events: 10, deliveries: 50 + 4 * (shards - 1) });
/** Of a vCPU: 512 MB, or a whole one with several partitions. */
const vcpus = (shards: number) => (shards === 1 ? 512 / 1_769 : 1);
const RATE = 2_000;

/** Deliveries of webhooks to one busy endpoint. */
export async function busyEndpointsChapter(): Promise<string> {
  const rows: string[][] = [];
  for (const cpuMs of CPU_MS) {
    for (const shards of SHARDS) {
      const scenario: BusyEndpoint = {
        ...RUN,
        shards,
        rate: RATE,
        cpuMs: cpuMs / vcpus(shards),
        batchesAtOnce: batches(shards),
      };
      const { deliveredShare, busyP99Ms, quietP99Ms, mostWorkers, twice } = await simulateBusyEndpoint(scenario);
      if (twice > 0) throw new Error(`${twice} deliveries were sent twice`);
      const times = [busyP99Ms, quietP99Ms].map((ms) => `${(ms / 1_000).toFixed(1)} s`);
      rows.push([
        String(shards),
        `${cpuMs} ms`,
        String(mostWorkers),
        `${(deliveredShare * 100).toFixed(0)} %`,
        ...times,
      ]);
    }
  }
  return `## Webhooks

${RATE.toLocaleString('en-US')} events a second for one endpoint, and one a second for each of ${RUN.quiet} others, for ${RUN.seconds} s; every receiver responds in ${RUN.responseMs} ms. The gateway's own code for deliveries, on a simulated clock: calls of DynamoDB and SQS take 5 ms, a
partition of the index takes ${PUBLISHED.dynamodb.partitionWrites.toLocaleString('en-US')} write units a second, and a batch of messages is one environment, which computes for one attempt at a time. How much CPU an attempt takes on Lambda has not been measured, so it is
given, of one vCPU; with one partition an environment has 0.29 of it (512 MB). Delivered: of all events but the last five seconds'. Waits: from the event to the attempt. None is sent twice.

${table(['`webhookShards`', 'CPU of an attempt', 'Workers of the endpoint', 'Delivered', 'Wait p99', 'of the others'], rows)}`;
}
