import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import {
  DIMENSIONS,
  LIMITED_KINDS,
  limitedMetric,
  METRICS,
  METRICS_NAMESPACE,
  THREAT_TYPES,
  threatMetric,
} from '../../functions/kernel/model/index.ts';
import type { WatchedFunctions, WatchedGateway } from '../functions/function-context.ts';
import type { DataStack } from '../stacks/data-stack.ts';
import { ownMetric } from './alarm.ts';
import { containerWidgets } from './container-alarms.ts';
import type { Doors } from './door-alarms.ts';
import { doorWidgets } from './door-widgets.ts';
import { LogInsights } from './log-insights.ts';
import { shareOfClients } from './request-alarms.ts';
import { tableWidgets } from './table-widgets.ts';
import type { WebAcl } from './web-acl.ts';

const WHOLE = 24;
const HALF = 12;
const THIRD = 8;
const PERIOD = Duration.minutes(5);

export interface OperationsDashboardProps {
  readonly gateway: WatchedGateway;
  /** All but the gateway. */
  readonly functions: WatchedFunctions;
  /** Whether the gateway's function has a URL. */
  readonly hasUrls: boolean;
  readonly data: DataStack;
  readonly doors: Doors;
  readonly webAcls: readonly WebAcl[];
  readonly health: cloudwatch.IAlarm;
  readonly alarms: readonly cloudwatch.IAlarm[];
}

/** The CloudWatch dashboard, with a section for each question of an operator. */
export class OperationsDashboard extends Construct {
  readonly address: string;
  private readonly props: OperationsDashboardProps;
  private readonly gateway: WatchedGateway;
  private readonly insights: LogInsights;

  constructor(scope: Construct, id: string, props: OperationsDashboardProps) {
    super(scope, id);
    this.props = props;
    this.gateway = props.gateway;
    this.insights = new LogInsights(this, 'LogInsights', { logGroup: props.gateway.logGroup });
    const dashboard = new cloudwatch.Dashboard(this, 'Dashboard', {
      // Dashboards of all regions share one list of names.
      dashboardName: `${Stack.of(this).stackName}-${Stack.of(this).region}`,
      defaultInterval: Duration.hours(12),
      widgets: [
        ...this.isItUp(),
        ...this.isADoorOrTableFailing(),
        ...this.isItSlow(),
        ...this.whoIsAttacked(),
        ...this.whoIsLimited(),
        ...this.whatDoesItCost(),
        ...this.whatWaits(),
      ],
    });
    const { region } = Stack.of(this);
    this.address = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboard.dashboardName}`;
  }

  private isItUp(): cloudwatch.IWidget[][] {
    const { health, alarms } = this.props;
    return [
      [heading('Is it up?')],
      [
        new cloudwatch.AlarmStatusWidget({
          title: 'Health and alarms',
          alarms: [health, ...alarms],
          width: WHOLE,
          height: 6,
        }),
      ],
      [
        this.graph('Requests and failures', THIRD, METRICS.requests, METRICS.failures, METRICS.serverErrors),
        this.searched('Failed provider calls', THIRD, METRICS.providerErrors, [
          DIMENSIONS.provider,
          DIMENSIONS.errorType,
        ]),
        this.graph(
          'Fallbacks and stores',
          THIRD,
          METRICS.fallbacks,
          METRICS.storeFailures,
          METRICS.admittedWithoutLimits,
        ),
      ],
    ];
  }

  private isADoorOrTableFailing(): cloudwatch.IWidget[][] {
    const { gateway, functions, hasUrls, data, doors, webAcls } = this.props;
    const url = hasUrls ? gateway.handler : undefined;
    const props = { url, syntheticCheck: functions.syntheticCheck?.handler, doors, webAcls };
    return [
      [heading('Is a front door or a table failing?')],
      doorWidgets(props, THIRD),
      ...(gateway.endpointName !== undefined ? [this.webFunction()] : []),
      ...(gateway.containers === undefined ? [] : [containerWidgets(gateway, gateway.containers, THIRD)]),
      tableWidgets(data.tables, THIRD),
    ];
  }

  /** What Lambda measures of a Web Function: https://docs.aws.amazon.com/lambda/latest/dg/web-functions-monitoring-metrics.html */
  private webFunction(): cloudwatch.IWidget[] {
    const graph = (title: string, namespace: string, statistic: string) =>
      new cloudwatch.GraphWidget({
        title,
        width: HALF,
        left: [
          new cloudwatch.MathExpression({
            expression: `SEARCH('Namespace="${namespace}" FunctionName="${this.gateway.functionName}"', '${statistic}', ${PERIOD.toSeconds()})`,
            usingMetrics: {},
            period: PERIOD,
            label: '',
          }),
        ],
      });
    return [
      graph('Web Function: requests, responses and environments', 'AWS/Lambda/Web', 'Sum'),
      graph('Web Function: use of quotas and limits', 'AWS/Lambda/Web/Usage', 'Maximum'),
    ];
  }

  private isItSlow(): cloudwatch.IWidget[][] {
    const percentiles = (title: string, name: string, label: string) =>
      new cloudwatch.GraphWidget({
        title,
        width: THIRD,
        left: ['p50', 'p95', 'p99'].map((statistic) => this.metric(name, statistic, `${statistic}, ${label}`)),
      });
    return [
      [heading('Is it slow?')],
      [
        percentiles('Own work', METRICS.ownDuration, 'ms'),
        percentiles('Whole requests', METRICS.requestDuration, 's'),
        percentiles('Streams: time to the first piece', METRICS.timeToFirstToken, 's'),
      ],
      [
        new cloudwatch.GraphWidget({
          title: 'Phases of own work, p95, ms',
          width: THIRD,
          left: [
            METRICS.authentication,
            METRICS.admission,
            METRICS.inputInspection,
            METRICS.outputInspection,
            METRICS.outsideInspection,
          ].map((name) => this.metric(name, 'p95', name.replace('Duration', ''))),
        }),
        this.searched('Providers, p95, s', THIRD, METRICS.operationDuration, [DIMENSIONS.provider], 'p95'),
        new cloudwatch.GraphWidget({
          title: 'Tokens a second and concurrency',
          width: THIRD,
          left: [this.metric(METRICS.outputTokensPerSecond, 'p50', 'tokens a second, p50')],
          ...(this.gateway.handler !== undefined && {
            right: [
              this.gateway.handler.metric('ConcurrentExecutions', { statistic: 'Maximum', label: 'concurrency' }),
            ],
          }),
        }),
      ],
    ];
  }

  private whoIsAttacked(): cloudwatch.IWidget[][] {
    const byType = (action: 'flag' | 'redact' | 'block') =>
      new cloudwatch.GraphWidget({
        title: `Findings: ${action}`,
        width: THIRD,
        stacked: true,
        left: THREAT_TYPES.map((type) => this.metric(threatMetric(type, action), 'Sum', type)),
      });
    const { gateway, functions } = this.props;
    const syntheticCheck = functions.syntheticCheck?.handler;
    const share = (action: 'blocked' | 'flagged', label: string) =>
      shareOfClients(action, { gateway, syntheticCheck, least: 1 }).with({ label, period: PERIOD });
    return [
      [heading('Who is attacked?')],
      [
        new cloudwatch.GraphWidget({
          title: "Requests blocked and flagged, % of clients' requests",
          width: HALF,
          left: [share('blocked', 'blocked'), share('flagged', 'flagged or redacted')],
        }),
        this.graph('Requests blocked and flagged', HALF, METRICS.blocked, METRICS.flagged),
      ],
      [byType('block'), byType('redact'), byType('flag')],
      this.approvals(),
      [this.insights.widget('AttackedKeys', 'Keys with most blocked, redacted or flagged requests', WHOLE)],
    ];
  }

  private approvals(): cloudwatch.IWidget[] {
    const { approvalsRequested, approvalsDecided, approvalsWaiting } = METRICS;
    const sum = (of: Parameters<typeof ownMetric>[0], name: string, label: string) =>
      ownMetric(of, name).with({ label, period: PERIOD });
    const { gateway, functions } = this.props;
    const asked = sum(gateway, approvalsRequested, 'asked');
    const byCode = sum(gateway, approvalsDecided, 'decided by codes');
    const byPeople = sum(functions.adminApi.handler, approvalsDecided, 'decided by people');
    const waiting = ownMetric(functions.keyWatch.handler, approvalsWaiting, 'Maximum').with({
      label: 'waiting',
      period: PERIOD,
    });
    return [
      new cloudwatch.GraphWidget({
        title: 'Tool calls that ask a person',
        width: HALF,
        left: [asked, byCode, byPeople],
      }),
      new cloudwatch.GraphWidget({ title: 'Tool calls that wait for a person', width: HALF, left: [waiting] }),
    ];
  }

  private whoIsLimited(): cloudwatch.IWidget[][] {
    return [
      [heading('Who is limited?')],
      [
        new cloudwatch.GraphWidget({
          title: 'Requests refused by a limit',
          width: HALF,
          stacked: true,
          left: LIMITED_KINDS.map((kind) => this.metric(limitedMetric(kind), 'Sum', kind)),
        }),
        this.insights.widget('LimitedKeys', 'Keys with most refused requests', HALF),
      ],
    ];
  }

  private whatDoesItCost(): cloudwatch.IWidget[][] {
    const { provider, model } = DIMENSIONS;
    return [
      [heading('What does it cost?')],
      [
        this.searched('US dollars at list prices, by model', THIRD, METRICS.costUsd, [provider, model]),
        this.searched('Output tokens, by model', THIRD, METRICS.outputTokens, [provider, model]),
        this.graph('Tokens', THIRD, METRICS.inputTokens, METRICS.outputTokens, METRICS.cachedInputTokens),
      ],
    ];
  }

  private whatWaits(): cloudwatch.IWidget[][] {
    const { gateway, functions, data } = this.props;
    const { usageCounter, eventRelay } = functions;
    const queues = {
      events: data.eventsQueue,
      deliveries: data.deliveriesQueue,
      ...(functions.findingsExport !== undefined && { findings: data.findingsQueue }),
    };
    const given = Object.entries({
      ...Object.fromEntries(Object.entries(queues).map(([label, queue]) => [label, queue.deadLetterQueue?.queue])),
      uncounted: data.uncounted,
      unrelayed: data.unrelayed,
    });
    return [
      [heading('What waits?')],
      [
        new cloudwatch.GraphWidget({
          title: 'Age of the oldest change not counted or relayed, ms',
          width: THIRD,
          left: [
            usageCounter.handler.metric('IteratorAge', { statistic: 'Maximum', label: 'records to be counted' }),
            eventRelay.handler.metric('IteratorAge', { statistic: 'Maximum', label: 'events to be relayed' }),
          ],
        }),
        new cloudwatch.GraphWidget({
          title: 'Age of the oldest message, s',
          width: THIRD,
          left: Object.entries(queues).map(([label, queue]) =>
            queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', label }),
          ),
        }),
        new cloudwatch.GraphWidget({
          title: 'Messages given up',
          width: THIRD,
          left: given.flatMap(([label, queue]) =>
            queue === undefined
              ? []
              : [queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', label })],
          ),
        }),
      ],
      [
        new cloudwatch.GraphWidget({
          title: 'Failed or throttled functions',
          width: WHOLE,
          left: Object.entries({ gateway, ...functions }).flatMap(([name, { handler }]) =>
            handler === undefined
              ? []
              : [
                  handler.metricErrors({ statistic: 'Sum', label: `${name} failed` }),
                  handler.metricThrottles({ statistic: 'Sum', label: `${name} throttled` }),
                ],
          ),
        }),
      ],
    ];
  }

  private metric(name: string, statistic: string, label: string): cloudwatch.Metric {
    return ownMetric(this.gateway, name, statistic).with({ label, period: PERIOD });
  }

  private graph(title: string, width: number, ...names: string[]): cloudwatch.GraphWidget {
    return new cloudwatch.GraphWidget({ title, width, left: names.map((name) => this.metric(name, 'Sum', name)) });
  }

  /** All metrics of a name with these dimensions, whose values are unknown at synthesis. */
  private searched(title: string, width: number, name: string, by: readonly string[], statistic = 'Sum') {
    const schema = [METRICS_NAMESPACE, DIMENSIONS.function, ...by].map((part) => `"${part}"`).join(',');
    const terms = `"${DIMENSIONS.function}"="${this.gateway.functionName}" MetricName="${name}"`;
    const label = `\${PROP('Dim.${by[0]}')} ${by[1] === undefined ? '' : `\${PROP('Dim.${by[1]}')}`}`.trim();
    const search = new cloudwatch.MathExpression({
      expression: `SEARCH('{${schema}} ${terms}', '${statistic}', ${PERIOD.toSeconds()})`,
      usingMetrics: {},
      period: PERIOD,
      label,
    });
    return new cloudwatch.GraphWidget({ title, width, left: [search] });
  }
}

function heading(question: string): cloudwatch.TextWidget {
  return new cloudwatch.TextWidget({
    markdown: `# ${question}`,
    width: WHOLE,
    height: 1,
    background: cloudwatch.TextWidgetBackground.TRANSPARENT,
  });
}
