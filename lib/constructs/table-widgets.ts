import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { TABLE_NAMES, TABLES, type TableDefinition, type TableName } from '../../functions/adapters/dynamo/tables.ts';
import { tableMetric } from './table-alarms.ts';

const PERIOD = Duration.minutes(5);

/** Graphs of throttling, of DynamoDB's own errors and of latency, by table. */
export function tableWidgets(
  tables: Readonly<Record<TableName, dynamodb.TableV2>>,
  width: number,
): cloudwatch.IWidget[] {
  return [
    new cloudwatch.GraphWidget({ title: 'Throttled reads and writes', width, left: throttled(tables) }),
    byOperation('System errors of DynamoDB', 'SystemErrors', 'Sum', tables, width),
    byOperation('Latency of DynamoDB, ms', 'SuccessfulRequestLatency', 'Average', tables, width),
  ];
}

function throttled(tables: Readonly<Record<TableName, dynamodb.TableV2>>): cloudwatch.Metric[] {
  return TABLE_NAMES.flatMap((name) => {
    const { indexes }: TableDefinition = TABLES[name];
    const of = (metricName: string, label: string, index?: string) =>
      tableMetric(tables[name], metricName, 'Sum', index === undefined ? {} : { GlobalSecondaryIndexName: index }).with(
        {
          label,
          period: PERIOD,
        },
      );
    return [
      of('ReadThrottleEvents', `${name}, reads`),
      of('WriteThrottleEvents', `${name}, writes`),
      ...indexes.flatMap((index) => [
        of('ReadThrottleEvents', `${name}/${index.name}, reads`, index.name),
        of('WriteThrottleEvents', `${name}/${index.name}, writes`, index.name),
      ]),
    ];
  });
}

/** Metrics whose operations are unknown at synthesis; at most 1,024 characters. */
function byOperation(
  title: string,
  metricName: string,
  statistic: string,
  tables: Readonly<Record<TableName, dynamodb.TableV2>>,
  width: number,
): cloudwatch.GraphWidget {
  const names = Object.values(tables).map(({ tableName }) => `"${tableName}"`);
  const terms = `MetricName="${metricName}" TableName=(${names.join(' OR ')})`;
  const search = new cloudwatch.MathExpression({
    expression: `SEARCH('{AWS/DynamoDB,Operation,TableName} ${terms}', '${statistic}', ${PERIOD.toSeconds()})`,
    usingMetrics: {},
    period: PERIOD,
    label: `\${PROP('Dim.TableName')} \${PROP('Dim.Operation')}`,
  });
  return new cloudwatch.GraphWidget({ title, width, left: [search] });
}
