import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { TABLE_NAMES, TABLES, type TableDefinition, type TableName } from '../../functions/adapters/dynamo/tables.ts';
import { type AlarmTopics, createAlarm } from './alarm.ts';

export interface TableAlarmsProps {
  readonly tables: Readonly<Record<TableName, dynamodb.TableV2>>;
  readonly topics: AlarmTopics;
}

/**
 * Alarms for tables of requests that are throttled for a quarter of an hour: single events are repeated by the SDK. Tables of background
 * tasks have none: their alarms on late work show it.
 */
export class TableAlarms extends Construct {
  /** Of the tables that requests wait for: they explain failures. Records and captured texts are written after the response. */
  readonly causes: readonly cloudwatch.IAlarm[];

  constructor(scope: Construct, id: string, { tables, topics }: TableAlarmsProps) {
    super(scope, id);
    this.causes = TABLE_NAMES.filter(isOfRequests).flatMap((name) => {
      const metrics = throttles(tables[name], name);
      const alarm = createAlarm(this, `TableThrottled-${name}`, {
        metric: new cloudwatch.MathExpression({
          expression: `SUM([${Object.keys(metrics).join(', ')}])`,
          usingMetrics: metrics,
          label: 'throttled reads and writes',
        }),
        threshold: 1,
        periods: 3,
        means: `DynamoDB throttles the table ${name} or an index of it.`,
        runbook: 'table-throttled',
        severity: 'page',
        topics,
      });
      return isAwaited(name) ? alarm : [];
    });
  }
}

function isOfRequests(name: TableName): boolean {
  const { access }: TableDefinition = TABLES[name];
  return access.gateway !== undefined;
}

function isAwaited(name: TableName): boolean {
  const { access }: TableDefinition = TABLES[name];
  return access.gateway?.operations?.includes('GetItem') ?? false;
}

/**
 * Throttled reads and writes of a table, and writes of its indexes, which delay the table's; an alarm has at most ten metrics.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 */
function throttles(table: dynamodb.TableV2, name: TableName): Record<string, cloudwatch.Metric> {
  const { indexes }: TableDefinition = TABLES[name];
  const of = (metricName: string, index: Record<string, string> = {}) => tableMetric(table, metricName, 'Sum', index);
  return {
    reads: of('ReadThrottleEvents'),
    writes: of('WriteThrottleEvents'),
    ...Object.fromEntries(
      indexes.map((index) => [index.name, of('WriteThrottleEvents', { GlobalSecondaryIndexName: index.name })]),
    ),
  };
}

/** A metric of DynamoDB for a table, or for one of its indexes or operations. */
export function tableMetric(
  { tableName }: dynamodb.TableV2,
  metricName: string,
  statistic: string,
  dimensions: Readonly<Record<string, string>> = {},
): cloudwatch.Metric {
  const dimensionsMap = { TableName: tableName, ...dimensions };
  return new cloudwatch.Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic });
}
