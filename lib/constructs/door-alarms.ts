import { Duration, type Stack } from 'aws-cdk-lib';
import type * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { METRICS } from '../../functions/kernel/model/index.ts';
import type { WatchedGateway } from '../functions/function-context.ts';
import { createAlarm, createSilenceAlarm, ownMetric } from './alarm.ts';
import type { Distribution } from './distribution.ts';

/** With fewer in five minutes a door is not evaluated. */
const FEW_FAILURES = 5;

export interface Doors {
  readonly restApi: apigateway.RestApi | undefined;
  readonly distribution: Distribution | undefined;
}

/** The front doors of a gateway stack. */
export function doorsOf({ node }: Stack): Doors {
  return {
    restApi: node.tryFindChild('RestApi')?.node.findChild('Api') as apigateway.RestApi | undefined,
    distribution: node.tryFindChild('Distribution') as Distribution | undefined,
  };
}

/** A metric of a function URL: https://docs.aws.amazon.com/lambda/latest/dg/urls-monitoring.html */
export function urlMetric(handler: lambda.IFunction, metricName: string, statistic: string): cloudwatch.Metric {
  return handler.metric(metricName, { statistic }) as cloudwatch.Metric;
}

/**
 * A metric of a Web Function's endpoint; Lambda writes no value for a period without such responses.
 * https://docs.aws.amazon.com/lambda/latest/dg/web-functions-monitoring-metrics.html
 */
function endpointMetric({ functionName, endpointName = '' }: WatchedGateway, metricName: string): cloudwatch.Metric {
  return new cloudwatch.Metric({
    namespace: 'AWS/Lambda/Web',
    metricName,
    dimensionsMap: { FunctionName: functionName, EndpointName: endpointName },
    statistic: 'Sum',
  });
}

export interface DoorAlarmsProps {
  readonly gateway: WatchedGateway;
  /** Whether the gateway's function has a URL. */
  readonly hasUrls: boolean;
  readonly adminApi: lambda.IFunction;
  readonly restApi: apigateway.RestApi | undefined;
  /** undefined if the check is off. */
  readonly syntheticCheck: lambda.IFunction | undefined;
}

/**
 * Alarms for requests that fail before the functions or after them. The distribution has no alarm: its metrics are only in us-east-1, where
 * the stack may not be, and the synthetic check sees its failures.
 */
export class DoorAlarms extends Construct {
  /** Alarms of failed requests. */
  readonly symptoms: readonly cloudwatch.IAlarm[];

  constructor(scope: Construct, id: string, props: DoorAlarmsProps) {
    super(scope, id);
    const { gateway, hasUrls, adminApi, restApi, syntheticCheck } = props;
    const failed = (handler: Pick<lambda.IFunction, 'functionName'>) => ownMetric(handler, METRICS.failures);
    const url =
      hasUrls && gateway.handler !== undefined
        ? createAlarm(this, 'UrlFails', {
            metric: unrecorded(urlMetric(gateway.handler, 'Url5xxCount', 'Sum'), { gateway: failed(gateway) }),
            threshold: FEW_FAILURES,
            periods: 2,
            means: 'The function URL returned 5xx that the gateway did not record.',
            runbook: 'a-front-door-fails',
            severity: 'page',
            topics: undefined,
          })
        : undefined;
    const endpoint =
      gateway.endpointName === undefined
        ? undefined
        : createAlarm(this, 'EndpointFails', {
            metric: unrecorded(endpointMetric(gateway, 'HTTPResponseStatusClass5XX'), { gateway: failed(gateway) }),
            threshold: FEW_FAILURES,
            periods: 2,
            means: 'The endpoint of the Web Function returned 5xx that the gateway did not record.',
            runbook: 'a-front-door-fails',
            severity: 'page',
            topics: undefined,
          });
    const api =
      restApi &&
      createAlarm(this, 'RestApiFails', {
        metric: unrecorded(restApi.metricServerError({ statistic: 'Sum' }), {
          gateway: failed(gateway),
          admin: failed(adminApi),
        }),
        threshold: FEW_FAILURES,
        periods: 2,
        means: 'The REST API returned 5xx that the functions did not record.',
        runbook: 'a-front-door-fails',
        severity: 'page',
        topics: undefined,
      });
    const check =
      syntheticCheck &&
      createSilenceAlarm(this, 'SyntheticCheckFails', {
        metric: ownMetric(syntheticCheck, METRICS.syntheticCheckSucceeded, 'Minimum'),
        threshold: 1,
        period: Duration.minutes(1),
        periods: 3,
        means: 'A request through the front door got no response or a wrong one, or the check does not run.',
        runbook: 'synthetic-check-fails',
        severity: 'page',
        topics: undefined,
      });
    this.symptoms = [url, endpoint, api, check].filter((alarm) => alarm !== undefined);
  }
}

/** The 5xx of a door beyond the failures that functions recorded. */
function unrecorded(
  door: cloudwatch.Metric,
  recorded: Readonly<Record<string, cloudwatch.Metric>>,
): cloudwatch.MathExpression {
  const known = Object.keys(recorded).map((name) => `FILL(${name}, 0)`);
  return new cloudwatch.MathExpression({
    expression: ['door', ...known].join(' - '),
    usingMetrics: { door, ...recorded },
    label: 'unrecorded 5xx',
  });
}
