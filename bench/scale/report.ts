import { LIST_SHARDS } from '../../functions/adapters/dynamo/sharded-list.ts';
import type { LoadResults } from '../lib/load-results.ts';
import { table } from '../lib/table.ts';
import { PUBLISHED } from './limits.ts';
import { type Deployment, LIMIT_WRITES, type Outcome, simulate } from './simulate.ts';

const { lambda, dynamodb } = PUBLISHED;

const STANDARD: Deployment = {
  concurrency: lambda.concurrency,
  listShards: LIST_SHARDS,
  warmWrites: dynamodb.firstWarmWrites,
  tableWrites: dynamodb.tableWrites,
};
const TRAFFIC = { rampMinutes: 10, minutes: 90, seconds: 5, busiestKey: 0.1 };
const STEPS: readonly { readonly rate: number; readonly concurrency: number }[] = [
  { rate: 10, concurrency: lambda.concurrency },
  { rate: 100, concurrency: lambda.concurrency },
  { rate: 1_000, concurrency: lambda.concurrency },
  { rate: 1_000, concurrency: 6_000 },
];

const share = (part: number) => (part < 0.0005 ? '0 %' : `${(part * 100).toFixed(1)} %`);
const round = (figure: number) => Math.round(figure).toLocaleString('en-US');
const cells = ({ served, throttled, servedAtEnd, first }: Outcome) => [
  share(served),
  share(throttled),
  round(servedAtEnd),
  first === undefined ? 'none' : `${first.what}, minute ${first.minute}`,
];

/** The chapter "Capacity" of docs/reference/cost.md. */
export function capacityChapter(results: LoadResults): string {
  const { requestsPerSecond } = results.row('JSON', 16, '1 KB');
  return `## Capacity

An AWS account runs ${round(lambda.concurrency)} Lambda environments at once, a new one may have fewer. Each handles one request at a time. With responses of
${TRAFFIC.seconds} seconds that is ${round(lambda.concurrency / TRAFFIC.seconds)} requests a second. To get more, ask AWS for a higher quota ("Concurrent executions").

No load test has run on AWS. The only measured rate is local: one process served ${round(requestsPerSecond)} JSON requests a second
(1 KB prompts, 16 at once, mock provider, ${results.machine.split(',').slice(0, 2).join(',')} shared with the load generator; [bench/results.md](../bench/results.md), ${results.date}).

### Limits that apply

| Limit | Published by AWS | Raise it by |
| --- | --- | --- |
| Lambda concurrency | ${round(lambda.concurrency)} for each account and region | Service Quotas. \`reservedConcurrency\` reserves a part for the gateway, and caps it |
| Lambda scaling rate | ${round(lambda.gain)} environments in ${lambda.gainSeconds} s for each function | \`provisionedConcurrency\` before a known peak |
| One key | ${round(dynamodb.partitionWrites)} writes a second to one item. With \`function-url\`: ${round(dynamodb.partitionWrites)} requests a second with a rate limit alone, ${round(dynamodb.partitionWrites / LIMIT_WRITES)} with a token limit, a budget or \`maxConcurrent\`, which a new key has (admission and settlement are a write each). Processes that serve many requests at once share writes: 5,000 a second ([scale](scale.md#one-key)) | \`compute: "fargate"\` or \`"web-function"\`; one key for each application; \`maxConcurrent: null\` |
| One shared (tag) budget, one team | The same | Separate budgets |
| A new table | ${round(dynamodb.firstWarmWrites)} write units a second, then twice its former peak | \`aws dynamodb update-table --warm-throughput\`, billed once |
| A table's quota | ${round(dynamodb.tableWrites)} write units a second | Service Quotas |
| Lists of records | ${LIST_SHARDS} partitions: ${round(LIST_SHARDS * dynamodb.partitionWrites)} records a second | [\`recordShards\`](scale.md#records) |

Sources: \`bench/scale/limits.ts\` for AWS's limits (as of 2026-11-21), [bench/stores.md](../bench/stores.md) for writes of a request.

Above Lambda's limits callers get Lambda's 429. Lambda does not bill it; the distribution or REST API bills the request. Above a limit of the limits table they get 503
(\`onStoreFailure: "open"\` admits them without limits). A record that cannot be written is retried and then logged as \`record lost\`;
the caller has the response already.

### Simulated load

A simulation (\`bench/scale/simulate.ts\`) of ${TRAFFIC.minutes} minutes with a ramp of ${TRAFFIC.rampMinutes} minutes. Requests take ${TRAFFIC.seconds} s, every key has a budget, and
the busiest key sends a tenth of all requests. It assumes no bursts within a second and no client retries.

${table(
  ['Requests/s', 'Lambda concurrency', 'Served', 'Refused by Lambda', 'Served/s at the end', 'First limit reached'],
  STEPS.map(({ rate, concurrency }) => [
    round(rate),
    round(concurrency),
    ...cells(simulate({ ...STANDARD, concurrency }, { ...TRAFFIC, rate })),
  ]),
)}
`;
}
