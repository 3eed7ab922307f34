import { GB, LIST_PRICES } from '../lib/list-prices.ts';
import type { Home } from './plan.ts';

/** A dimension of the bill: what CloudWatch measured, and its list price. */
interface Dimension {
  readonly name: string;
  readonly unit: string;
  /** Homes that have it; all where absent. */
  readonly homes?: readonly Home[];
  readonly region?: 'us-east-1';
  /** A search expression of CloudWatch; `names` are words of the stage's resources. */
  readonly search: (names: string) => string;
  readonly statistic: 'Sum' | 'Average';
  /** What is billed of the measured value, and its price. */
  readonly billed: (value: number, about: Measured) => number;
  readonly price: number;
}

export interface Measured {
  readonly seconds: number;
  readonly memoryMb: number;
  readonly taskDollarsAnHour: number;
}

const same = (value: number) => value;
const sum = (dimensions: string, metric: string) => (names: string) =>
  `{${dimensions}} ${names} MetricName="${metric}"`;

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/search-expression-syntax.html */
const DIMENSIONS: readonly Dimension[] = [
  {
    name: 'Lambda: GB-seconds of all functions',
    unit: 'GB-s',
    search: sum('AWS/Lambda,FunctionName', 'Duration'),
    statistic: 'Sum',
    billed: (ms, { memoryMb }) => (ms / 1_000) * (memoryMb / 1_024),
    price: LIST_PRICES.lambdaGbSecond,
  },
  {
    name: 'Lambda: invocations',
    unit: '',
    search: sum('AWS/Lambda,FunctionName', 'Invocations'),
    statistic: 'Sum',
    billed: same,
    price: LIST_PRICES.lambdaRequest,
  },
  {
    name: 'DynamoDB: write units of tables',
    unit: 'units',
    search: sum('AWS/DynamoDB,TableName', 'ConsumedWriteCapacityUnits'),
    statistic: 'Sum',
    billed: same,
    price: LIST_PRICES.writeUnit,
  },
  {
    name: 'DynamoDB: write units of indexes',
    unit: 'units',
    search: sum('AWS/DynamoDB,TableName,GlobalSecondaryIndexName', 'ConsumedWriteCapacityUnits'),
    statistic: 'Sum',
    billed: same,
    price: LIST_PRICES.writeUnit,
  },
  {
    name: 'DynamoDB: read units of tables',
    unit: 'units',
    search: sum('AWS/DynamoDB,TableName', 'ConsumedReadCapacityUnits'),
    statistic: 'Sum',
    billed: same,
    price: LIST_PRICES.readUnit,
  },
  {
    name: 'Logs',
    unit: 'GB',
    search: sum('AWS/Logs,LogGroupName', 'IncomingBytes'),
    statistic: 'Sum',
    billed: (bytes) => bytes / GB,
    price: LIST_PRICES.logGb,
  },
  {
    name: 'Containers: task-hours',
    unit: 'h',
    homes: ['fargate'],
    search: sum('ECS/ContainerInsights,ClusterName,ServiceName', 'RunningTaskCount'),
    statistic: 'Average',
    billed: (tasks, { seconds, taskDollarsAnHour }) => (tasks * seconds * taskDollarsAnHour) / 3_600,
    price: 1,
  },
  {
    name: 'Load balancer: capacity units',
    unit: 'unit-hours',
    homes: ['fargate'],
    search: sum('AWS/ApplicationELB,LoadBalancer', 'ConsumedLCUs'),
    statistic: 'Sum',
    billed: (units) => units / 60,
    price: LIST_PRICES.balancerUnitHour,
  },
  {
    name: "CloudFront: requests, of all the account's distributions",
    unit: '',
    region: 'us-east-1',
    search: () => '{AWS/CloudFront,DistributionId,Region} MetricName="Requests"',
    statistic: 'Sum',
    billed: same,
    price: LIST_PRICES.distributionRequest,
  },
  {
    name: "CloudFront: bytes to viewers, of all the account's distributions",
    unit: 'GB',
    region: 'us-east-1',
    search: () => '{AWS/CloudFront,DistributionId,Region} MetricName="BytesDownloaded"',
    statistic: 'Sum',
    billed: (bytes) => bytes / GB,
    price: LIST_PRICES.distributionGb,
  },
];

/** The dimensions of a home, in the order of their rows. */
export function dimensionsOf(home: Home): readonly Dimension[] {
  return DIMENSIONS.filter(({ homes }) => homes === undefined || homes.includes(home));
}

/** The queries of `aws cloudwatch get-metric-data` for what is measured in a region. */
export function queriesFor(home: Home, region: 'us-east-1' | undefined, names: string): string {
  const all = dimensionsOf(home).flatMap((dimension, at) =>
    dimension.region === region
      ? [
          {
            Id: `d${at}`,
            Expression: `SUM(SEARCH('${dimension.search(names)}', '${dimension.statistic}', 60))`,
            Period: 60,
          },
        ]
      : [],
  );
  return JSON.stringify(all);
}

export interface UsageRow {
  readonly name: string;
  readonly unit: string;
  readonly value: number | null;
  readonly dollars: number | null;
}

/** The rows of a home, from the results of both regions: null where CloudWatch has no value. */
export function usageRows(home: Home, results: readonly string[], about: Measured): UsageRow[] {
  const found = results.flatMap(
    (text) => (JSON.parse(text || '{}') as { MetricDataResults?: MetricResult[] }).MetricDataResults ?? [],
  );
  return dimensionsOf(home).map(({ name, unit, statistic, billed, price }, at) => {
    const values = found.find(({ Id }) => Id === `d${at}`)?.Values ?? [];
    if (values.length === 0) return { name, unit, value: null, dollars: null };
    const total = values.reduce((all, one) => all + one, 0);
    const value = statistic === 'Sum' ? total : total / values.length;
    const amount = billed(value, about);
    return { name, unit, value: unit === 'h' ? (value * about.seconds) / 3_600 : amount, dollars: amount * price };
  });
}

interface MetricResult {
  readonly Id: string;
  readonly Values: readonly number[];
}
