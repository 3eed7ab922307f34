import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { METRICS } from '../../functions/kernel/model/index.ts';
import { ownMetric } from './alarm.ts';
import { distributionMetric } from './distribution.ts';
import { type Doors, urlMetric } from './door-alarms.ts';
import type { WebAcl } from './web-acl.ts';

export interface DoorWidgetsProps {
  /** The function with a URL; undefined without one. */
  readonly url: lambda.IFunction | undefined;
  readonly syntheticCheck: lambda.IFunction | undefined;
  readonly doors: Doors;
  readonly webAcls: readonly WebAcl[];
}

/** Graphs of the front doors that the deployment has. */
export function doorWidgets(props: DoorWidgetsProps, width: number): cloudwatch.IWidget[] {
  const { syntheticCheck, webAcls } = props;
  const { restApi, distribution } = props.doors;
  const graph = (title: string, left: cloudwatch.IMetric[], right: cloudwatch.IMetric[] = []) =>
    new cloudwatch.GraphWidget({ title, width, left, right });
  const labelled = (label: string, metric: cloudwatch.Metric) => metric.with({ label });
  const urlOf = (handler: lambda.IFunction, name: string, statistic: string, label: string) =>
    labelled(label, urlMetric(handler, name, statistic));
  const ofCheck = (name: string, statistic: string, label: string) =>
    syntheticCheck === undefined ? [] : [labelled(label, ownMetric(syntheticCheck, name, statistic))];
  return [
    ...(syntheticCheck === undefined
      ? []
      : [
          graph(
            'Synthetic check',
            ofCheck(METRICS.syntheticCheckSucceeded, 'Minimum', 'succeeded'),
            ofCheck(METRICS.syntheticCheckDuration, 'Maximum', 'ms'),
          ),
        ]),
    ...(props.url === undefined
      ? []
      : [
          graph(
            'Function URL',
            [
              urlOf(props.url, 'UrlRequestCount', 'Sum', 'requests'),
              urlOf(props.url, 'Url4xxCount', 'Sum', '4xx'),
              urlOf(props.url, 'Url5xxCount', 'Sum', '5xx'),
            ],
            [urlOf(props.url, 'UrlRequestLatency', 'p99', 'ms, p99')],
          ),
        ]),
    ...(restApi === undefined
      ? []
      : [
          graph(
            'REST API (4xx includes its throttling)',
            [
              restApi.metricCount({ statistic: 'Sum', label: 'requests' }),
              restApi.metricClientError({ statistic: 'Sum', label: '4xx' }),
              restApi.metricServerError({ statistic: 'Sum', label: '5xx' }),
            ],
            [restApi.metricLatency({ statistic: 'p99', label: 'ms, p99' })],
          ),
        ]),
    ...(distribution === undefined
      ? []
      : [
          graph(
            'Distribution: failed, %',
            [
              labelled('5xx', distributionMetric(distribution, '5xxErrorRate', 'Average')),
              labelled('4xx', distributionMetric(distribution, '4xxErrorRate', 'Average')),
            ],
            [labelled('requests', distributionMetric(distribution, 'Requests', 'Sum'))],
          ),
        ]),
    ...(webAcls.length === 0
      ? []
      : [
          graph(
            'WAF: blocked requests',
            webAcls.map((acl) => labelled(acl.scope, acl.blockedRequests())),
          ),
        ]),
  ];
}
