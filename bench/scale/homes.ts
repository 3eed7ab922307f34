import { GB, LIST_PRICES } from '../lib/list-prices.ts';
import { table } from '../lib/table.ts';

const HOURS_A_MONTH = 730.5;
const MINUTES = 60;
/** Of requests a second. */
const RATES = [10, 100, 1_000, 10_000];
/** The defaults of lib/constructs/fargate-gateway.ts. */
const TASK = { cpus: 1, gb: 2, atLeast: 2, busy: 0.6, running: 200 };
/** A capacity unit of a load balancer: https://aws.amazon.com/elasticloadbalancing/pricing/ */
const UNIT = { newConnections: 25, activeConnections: 3_000, gbAnHour: 1 };

interface Stream {
  readonly seconds: number;
  readonly wireBytes: number;
  /** CPU beside others. */
  readonly cpuMs: number;
}

export interface HomeInput extends Stream {
  /** US dollars a month by part with functions, for requests a minute. */
  readonly month: (requestsAMinute: number) => Readonly<Record<string, number>>;
  /** Read units a second of a process that serves requests. */
  readonly documentUnits: number;
  /** CPU of LiteLLM for a stream beside others, measured with a shorter one. */
  readonly peerCpuMs: number;
}

/** What the gateway on Fargate costs a month, at a rate of requests a second. */
export function fargateMonth(rate: number, { seconds, wireBytes, cpuMs }: Stream) {
  const byCpu = (rate * cpuMs) / 1_000 / TASK.busy;
  const byRunning = (rate * seconds) / TASK.running;
  const tasks = Math.max(TASK.atLeast, Math.ceil(byCpu), Math.ceil(byRunning));
  const { fargateCpuHour, fargateGbHour, publicAddressHour, balancerHour, balancerUnitHour } = LIST_PRICES;
  const taskHour = TASK.cpus * fargateCpuHour + TASK.gb * fargateGbHour + publicAddressHour;
  // As if each request had a separate connection.
  const units = Math.max(
    rate / UNIT.newConnections,
    (rate * seconds) / UNIT.activeConnections,
    (rate * 3_600 * wireBytes) / GB / UNIT.gbAnHour,
  );
  return {
    tasks,
    containers: tasks * taskHour * HOURS_A_MONTH,
    balancer: (balancerHour + units * balancerUnitHour) * HOURS_A_MONTH,
  };
}

/**
 * What LiteLLM recommends behind its proxy by requests a second, in pairs of vCPUs with 8 GB: https://docs.litellm.ai/docs/proxy/redis_sizing
 * It sizes Redis so; its page for the database gives sizes for the same steps, taken as equal here.
 */
const PEER_STORES = [
  { upTo: 1_000, pairs: 1 },
  { upTo: 5_000, pairs: 2 },
  { upTo: Number.POSITIVE_INFINITY, pairs: 4 },
];
/** The least that it gives for a logged request without prompts: https://docs.litellm.ai/docs/proxy/db_sizing */
const PEER_LOG_BYTES = 1_000;
/** A primary and a standby, in two zones. */
const COPIES = 2;

/** What LiteLLM's proxy on the same containers costs a month with RDS and Redis as it recommends, without the way to clients. */
export function peerMonth(rate: number, { seconds, wireBytes, peerCpuMs }: HomeInput) {
  const { databasePairHour, databaseGbMonth, redisPairHour } = LIST_PRICES;
  const pairs = PEER_STORES.find(({ upTo }) => rate <= upTo)?.pairs ?? 0;
  const logs = (rate * HOURS_A_MONTH * 3_600 * PEER_LOG_BYTES) / GB;
  return {
    ...fargateMonth(rate, { seconds, wireBytes, cpuMs: peerCpuMs }),
    database: COPIES * (pairs * databasePairHour * HOURS_A_MONTH + logs * databaseGbMonth),
    redis: COPIES * pairs * redisPairHour * HOURS_A_MONTH,
  };
}

const FUNCTION_PARTS = ['Lambda: time', 'Lambda: invocations', 'DynamoDB: configuration'];

/** A chapter that compares the homes of the gateway. */
export function homesChapter(input: HomeInput): string {
  const rows = RATES.map((rate) => {
    const month = input.month(rate * MINUTES);
    const sum = (parts: readonly [string, number][]) => parts.reduce((total, [, part]) => total + part, 0);
    const all = sum(Object.entries(month));
    const shared = sum(Object.entries(month).filter(([name]) => !FUNCTION_PARTS.includes(name)));
    const { tasks, containers, balancer } = fargateMonth(rate, input);
    const documents = tasks * input.documentUnits * HOURS_A_MONTH * 3_600 * LIST_PRICES.readUnit;
    const millions = (rate * HOURS_A_MONTH * 3_600) / 1e6;
    const fargate = shared + containers + balancer + documents;
    const dollars = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
    return [
      rate.toLocaleString('en-US'),
      dollars(all),
      (all / millions).toFixed(2),
      String(tasks),
      dollars(containers),
      dollars(balancer),
      dollars(fargate),
      (fargate / millions).toFixed(2),
    ];
  });
  return `## Homes of the gateway

The same streams at a steady rate, with each [home](deploy.md#homes), US dollars a month. Containers have ${TASK.cpus} vCPU (ARM) and ${TASK.gb} GB; a rate needs as many as keep CPU below
${TASK.busy * 100} % at ${input.cpuMs.toFixed(1)} ms a stream, and running requests below ${TASK.running}. The load balancer has a connection for each request, which is its worst case. Tables, records, logs and CloudFront cost the same in both.

${table(
  [
    'Requests a second',
    '`function-url`',
    'a million',
    '`fargate`: containers',
    'their cost',
    'load balancer',
    'in all',
    'a million',
  ],
  rows,
)}

${peerTable(input)}

Below about ${breakEven(input).toFixed(1)} such requests a second functions cost less than two containers and a load balancer, which cost ${(fargateMonth(0, input).containers + fargateMonth(0, input).balancer).toFixed(2)} a month without a request.
No price of a Web Function is known to us (next chapter). Lambda Managed Instances are no home: AWS documents no streamed responses for them that we could find. They run three environments at least, each on EC2
instances of the account, which cost their list price and 15 %, and double within five minutes at most. Fargate has the same shape with streams.`;
}

/** LiteLLM at the same rates. */
function peerTable(input: HomeInput): string {
  const rows = RATES.map((rate) => {
    const { tasks, containers, balancer, database, redis } = peerMonth(rate, input);
    const { CloudFront = 0 } = input.month(rate * MINUTES);
    const parts = [containers, balancer, database, redis, CloudFront];
    const all = parts.reduce((sum, part) => sum + part, 0);
    const dollars = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
    const million = all / ((rate * HOURS_A_MONTH * 3_600) / 1e6);
    return [rate.toLocaleString('en-US'), String(tasks), ...[...parts, all].map(dollars), million.toFixed(2)];
  });
  return `LiteLLM's proxy (one worker) on the same containers, with RDS for PostgreSQL and ElastiCache for Redis, each with a standby in a second zone. Its CPU is ${input.peerCpuMs.toFixed(1)} ms, which
[the load bench](../bench/results.md) measured for a shorter stream, without a database, Redis or inspection, so its containers are a lower bound. The sizes of Redis are [its own recommendation](https://docs.litellm.ai/docs/proxy/redis_sizing), of the
database the same; it keeps ${PEER_LOG_BYTES.toLocaleString('en-US')} bytes a request for a month, the least of [its range](https://docs.litellm.ai/docs/proxy/db_sizing), without I/O. Its application logs are not counted.
The prices of RDS and ElastiCache have not been checked on AWS's pages. Containers cost much the same. What differs is that svc pays for records, totals, limits and logs by the request, and LiteLLM for a database by its size.

${table(
  [
    'Requests a second',
    'LiteLLM: containers',
    'their cost',
    'load balancer',
    'RDS',
    'Redis',
    'CloudFront',
    'in all',
    'a million',
  ],
  rows,
)}`;
}

/** Requests a second at which functions' time costs as much as the smallest number of containers. */
function breakEven(input: HomeInput): number {
  const idle = fargateMonth(0, input);
  const perRequest = (input.month(MINUTES)['Lambda: time'] ?? 0) / (HOURS_A_MONTH * 3_600);
  return (idle.containers + idle.balancer) / (perRequest * HOURS_A_MONTH * 3_600);
}
