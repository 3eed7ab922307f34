import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { METRICS, METRICS_NAMESPACE } from '../../functions/kernel/model/index.ts';
import {
  alarmsOf,
  full,
  ofCounter,
  ofDelivery,
  ofFunction,
  ofGateway,
  ofRelay,
  once,
  plain,
  queue,
  thrice,
} from './operations-templates.ts';
import { outputOf } from './references.ts';
import { FULL, PLAIN, synthesize } from './synthesize.ts';

describe('the alarms', () => {
  test.each<[string, object]>([
    [METRICS.admittedWithoutLimits, { Namespace: METRICS_NAMESPACE, ...thrice, Dimensions: [ofGateway] }],
    [METRICS.recordsLost, { Namespace: METRICS_NAMESPACE, ...once, Dimensions: [ofGateway] }],
    [
      METRICS.unknownKeys,
      {
        Namespace: METRICS_NAMESPACE,
        Statistic: 'Sum',
        Threshold: 1_000,
        EvaluationPeriods: 2,
        Dimensions: [ofGateway],
      },
    ],
    [METRICS.unsettled, { Namespace: METRICS_NAMESPACE, ...thrice, Dimensions: [ofGateway] }],
    [METRICS.storeFailures, { Namespace: METRICS_NAMESPACE, ...thrice, Dimensions: [ofGateway] }],
    [
      METRICS.alertFailures,
      { Namespace: METRICS_NAMESPACE, ...once, EvaluationPeriods: 3, Dimensions: [ofFunction('KeyWatch')] },
    ],
    [METRICS.deadDeliveries, { Namespace: METRICS_NAMESPACE, ...once, Dimensions: [ofDelivery] }],
    [METRICS.serverErrors, { Namespace: METRICS_NAMESPACE, Statistic: 'Sum', Threshold: 3, Dimensions: [ofGateway] }],
    [
      METRICS.ownDuration,
      {
        Namespace: METRICS_NAMESPACE,
        ExtendedStatistic: 'p99',
        Threshold: 500,
        EvaluationPeriods: 3,
        Dimensions: [ofGateway],
      },
    ],
    ['IteratorAge', { Statistic: 'Maximum', Threshold: 900_000, EvaluationPeriods: 3, Dimensions: [ofCounter] }],
    ['IteratorAge', { Statistic: 'Maximum', Threshold: 900_000, EvaluationPeriods: 3, Dimensions: [ofRelay] }],
    ['Errors', { Statistic: 'Sum', Threshold: 1, EvaluationPeriods: 3, Dimensions: [ofCounter] }],
    ['Errors', { Statistic: 'Sum', Threshold: 1, EvaluationPeriods: 3, Dimensions: [ofRelay] }],
    ['Errors', { ...once, Dimensions: [ofGateway] }],
    ['Throttles', { ...thrice, Dimensions: [ofGateway] }],
    ['Throttles', { ...once, Dimensions: [ofRelay] }],
    ['Errors', { ...once, Dimensions: [ofFunction('AdminApi')] }],
    ['Errors', { ...once, Threshold: 2, Period: 3_600, Dimensions: [ofFunction('KeyWatch')] }],
    ['Errors', { ...thrice, Dimensions: [ofDelivery] }],
    ...['Uncounted', 'Unrelayed', 'EventsDeadLetters', 'DeliveriesQueueDeadLetters'].map((name): [string, object] => [
      'ApproximateNumberOfMessagesVisible',
      { Namespace: 'AWS/SQS', Statistic: 'Maximum', Threshold: 1, Dimensions: queue(name) },
    ]),
  ])('go off for %s', (MetricName, properties) => {
    plain.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
      ...properties,
    });
  });

  test('of shares fire only with enough requests', () => {
    for (const [id, { Metrics }] of alarmsOf(plain) as unknown as [string, { Metrics?: { Expression?: string }[] }][]) {
      if (!/RequestsFail|ProviderFails/.test(id)) continue;
      const least = id.includes('RequestsFail') ? 20 : 10;
      expect(Metrics?.[0]?.Expression).toMatch(new RegExp(`^IF\\(.* >= ${least}, 100 \\* .*, 0\\)$`));
    }
    const ids = (template: Template) =>
      alarmsOf(template).map(([id]) => /ProviderFails(\w+)[0-9A-F]{8}$/.exec(id)?.[1]);
    expect(ids(plain).filter(Boolean).sort()).toEqual(['anthropic', 'bedrock', 'gemini', 'openai']);
    expect(ids(full).filter(Boolean).sort()).toEqual(['bedrock', 'openai']);
    // By the name under which it is counted.
    expect(JSON.stringify(full.findResources('AWS::CloudWatch::Alarm'))).toContain('"Value":"aws.bedrock"');
  });

  test('on approvals counts the decisions by codes and by people, of an hour with enough of them', () => {
    type Approvals = { Period?: number; EvaluationPeriods: number; Metrics: MetricOfExpression[] };
    type MetricOfExpression = { Id: string; Expression?: string; MetricStat?: { Period: number; Metric: MetricIn } };
    type MetricIn = { MetricName: string };
    const [, alarm] = alarmsOf(plain).find(([id]) => id.includes('ApprovalsUndecided')) as unknown as [
      string,
      Approvals,
    ];
    expect(alarm).toMatchObject({ Threshold: 90, EvaluationPeriods: 2 });
    const [sum, ...metrics] = alarm.Metrics;
    expect(sum?.Expression).toBe('IF(asked >= 5, 100 * (asked - FILL(byCode, 0) - FILL(byPeople, 0)) / asked, 0)');
    expect(metrics.map(({ Id, MetricStat }) => [Id, MetricStat?.Metric.MetricName, MetricStat?.Period])).toEqual([
      ['asked', METRICS.approvalsRequested, 3600],
      ['byCode', METRICS.approvalsDecided, 3600],
      ['byPeople', METRICS.approvalsDecided, 3600],
    ]);
  });

  test.each([
    ['BlockedShare', 'blocked', 'blockedPercent', 10],
    ['FlaggedShare', 'flagged', 'flaggedPercent', 25],
  ] as const)(
    '%s compares with the requests of clients, if these are enough; the settings decide',
    (name, action, setting, percent) => {
      const shareOf = (template: Template) =>
        alarmsOf(template).find(([id]) => id.includes(name))?.[1] as unknown as {
          Threshold: number;
          Metrics: {
            Id: string;
            Expression?: string;
            MetricStat?: { Stat: string; Period: number; Metric: { MetricName: string } };
          }[];
        };
      const read = (template: Template) => {
        const { Threshold, Metrics } = shareOf(template);
        const stats = Metrics.flatMap(({ Id, MetricStat }) =>
          MetricStat ? [[Id, MetricStat.Metric.MetricName, MetricStat.Stat, MetricStat.Period]] : [],
        );
        return [Threshold, Metrics[0]?.Expression, ...stats];
      };
      // Each run of the check makes two requests, one of which is blocked.
      const part = action === 'blocked' ? '(blocked - FILL(runs, 0))' : 'flagged';
      const all = '(requests - 2 * FILL(runs, 0))';
      const expression = (least: number) => `IF(${all} >= ${least}, 100 * ${part} / ${all}, 0)`;
      const stats = [
        [action, METRICS[action], 'Sum', 900],
        ['requests', METRICS.requests, 'Sum', 900],
        ['runs', METRICS.syntheticCheckSucceeded, 'SampleCount', 900],
      ];
      expect(read(plain)).toEqual([percent, expression(50), ...stats]);
      expect(read(full)).toEqual([
        FULL.alarmLimits?.[setting],
        expression(FULL.alarmLimits?.minRequests as number),
        ...stats,
      ]);
      const unchecked = Template.fromJSON(
        synthesize({ ...PLAIN, syntheticCheck: false, compute: 'web-function' }).operations,
      );
      expect(read(unchecked)).toEqual([
        percent,
        `IF(requests >= 50, 100 * ${action} / requests, 0)`,
        ...stats.slice(0, 2),
      ]);
    },
  );

  test('are set by the settings', () => {
    full.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: METRICS.ownDuration, Threshold: 250 });
    full.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: METRICS.costUsd,
      Threshold: 100,
      Period: 86_400,
      Statistic: 'Sum',
    });
    full.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: METRICS.spansLost });
    plain.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: METRICS.issuerKeysUnreadable, Threshold: 1 });
    const ofTokens = alarmsOf(full).filter(([id]) => id.includes('CredentialExpiry'));
    expect(ofTokens).toMatchObject([
      [
        expect.any(String),
        {
          Threshold: 1,
          ComparisonOperator: 'GreaterThanOrEqualToThreshold',
          TreatMissingData: 'notBreaching',
          Metrics: [
            { Expression: 'IF(left < 300, 1, 0)' },
            { MetricStat: { Stat: 'Minimum', Period: 300, Metric: { MetricName: METRICS.credentialExpirySeconds } } },
          ],
        },
      ],
    ]);
    expect(alarmsOf(plain).filter(([id]) => id.includes('CredentialExpiry'))).toEqual([]);
    for (const MetricName of ['ExecutionsFailed', 'ExecutionsTimedOut']) {
      full.hasResourceProperties('AWS::CloudWatch::Alarm', { Namespace: 'AWS/States', MetricName, ...once });
    }
    for (const MetricName of [METRICS.costUsd, METRICS.spansLost, 'ExecutionsFailed']) {
      plain.resourcePropertiesCountIs('AWS::CloudWatch::Alarm', { MetricName }, 0);
    }
  });

  test('of concurrency compare with the quota that the account has now, or with what is reserved', () => {
    const named = (template: Template) =>
      alarmsOf(template).find(([id]) => id.includes('ConcurrencyNearLimit'))?.[1] as unknown as {
        Threshold: number;
        Metrics: { Expression?: string; MetricStat?: { Stat: string; Metric: object } }[];
      };
    const metrics = (template: Template) =>
      named(template).Metrics.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat]));
    expect(
      [plain, full].map((template) => [named(template).Threshold, named(template).Metrics[0]?.Expression]),
    ).toEqual([
      [80, '100 * claimed / SERVICE_QUOTA(running)'],
      [80, `100 * running / ${FULL.reservedConcurrency}`],
    ]);
    // Those of the account have no dimension.
    expect(metrics(plain)).toMatchObject(
      ['ClaimedAccountConcurrency', 'ConcurrentExecutions'].map((MetricName) => ({
        Stat: 'Maximum',
        Metric: { Namespace: 'AWS/Lambda', MetricName },
      })),
    );
    expect(JSON.stringify(metrics(plain))).not.toContain('Dimensions');
    expect(metrics(full)).toMatchObject([{ Stat: 'Maximum', Metric: { MetricName: 'ConcurrentExecutions' } }]);
    expect(JSON.stringify(metrics(full))).toContain('GatewayFunction');
  });

  test('of silence fire without data: if the synthetic check fails or does not run, and if a schedule stops', () => {
    const silences = alarmsOf(plain).filter(([, properties]) => 'breaching' === properties.TreatMissingData);
    expect(
      silences.map(([id, { ComparisonOperator }]) => [id.replace(/[0-9A-F]{8}$/, ''), ComparisonOperator]),
    ).toEqual(
      ['DoorAlarmsSyntheticCheckFails', 'ScheduleAlarmsKeyWatchSilent', 'ScheduleAlarmsWebhookDeliverySilent'].map(
        (id) => [id, 'LessThanThreshold'],
      ),
    );
    plain.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: METRICS_NAMESPACE,
      MetricName: METRICS.syntheticCheckSucceeded,
      Statistic: 'Minimum',
      Threshold: 1,
      Period: 60,
      EvaluationPeriods: 3,
      Dimensions: [{ Name: 'FunctionName', Value: outputOf('SyntheticCheckFunction') }],
    });
    for (const [name, period] of [
      ['KeyWatch', 900],
      ['WebhookDelivery', 900],
    ] as const) {
      const [, silent] = silences.find(([id]) => id.includes(name)) ?? [];
      const { Metrics } = silent as unknown as { Metrics: { Expression?: string; MetricStat?: { Period: number } }[] };
      expect(Metrics[0]?.Expression).toBe('invoked - FILL(failed, 0)');
      expect(Metrics[1]?.MetricStat).toMatchObject({
        Period: period,
        Metric: { Namespace: 'AWS/Events', Dimensions: [{ Name: 'RuleName' }] },
      });
      expect(JSON.stringify(Metrics)).toContain(name);
    }
    const without = Template.fromJSON(synthesize({ ...PLAIN, syntheticCheck: false }).operations);
    expect(alarmsOf(without).filter(([id]) => id.includes('SyntheticCheck'))).toEqual([]);
  });
});
