import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { TABLES, type TableDefinition } from '../../functions/adapters/dynamo/tables.ts';
import {
  LIMITED_KINDS,
  limitedMetric,
  METRICS,
  METRICS_NAMESPACE,
  threatMetric,
} from '../../functions/core/model/metric-names.ts';
import { THREAT_TYPES } from '../../functions/core/model/threat.ts';
import { type AlarmStates, isOn } from './alarm-rule.ts';
import { outputOf } from './references.ts';
import { FULL, PLAIN, synthesize } from './synthesize.ts';

const plain = Template.fromJSON(synthesize(PLAIN).operations);
const full = Template.fromJSON(synthesize(FULL).operations);

type Properties = Readonly<Record<string, never>> & {
  readonly TreatMissingData?: string;
  readonly ComparisonOperator?: string;
  readonly AlarmDescription: string;
  readonly AlarmActions?: readonly unknown[];
  readonly OKActions?: unknown;
};
const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
/** Alarms of failed requests, which notify as `Health`. */
const SYMPTOMS = ['SyntheticCheckFails', 'RequestsFail', 'ServerErrors', 'UrlFails', 'RestApiFails'];
const CAUSES = [
  /^TableThrottled(?:keys|limits|sessions|policies|idempotency)$/,
  /^StoreFailures$/,
  /^GatewayThrottled$/,
  /^SettingsUnreadable$/,
];
/** The name in docs/operations.md: the logical id without its group and hash. */
const nameOf = (id: string) => id.replace(/[0-9A-F]{8}$/, '').replace(/^[A-Z][a-z]+Alarms/, '');
const severityOf = (description: string) => /Severity: (page|ticket)\./.exec(description)?.[1] as 'page' | 'ticket';
const compositesOf = (template: Template): [id: string, properties: Properties][] =>
  Object.entries(template.findResources('AWS::CloudWatch::CompositeAlarm')).map(([id, { Properties }]) => [
    id,
    Properties,
  ]);
const alarmsOf = (template: Template): [id: string, properties: Properties][] =>
  Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(([id, { Properties }]) => [id, Properties]);

/** The metrics that an alarm looks at, one or those of its expression. */
function metricsOf(
  properties: Properties,
): { Namespace: string; MetricName: string; Dimensions: { Value: unknown }[] }[] {
  const { Metrics } = properties as { Metrics?: { MetricStat?: { Metric: never } }[] };
  if (Metrics === undefined) return [properties as never];
  return Metrics.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat.Metric]));
}

const OWN_NAMES = [
  ...Object.values(METRICS),
  ...LIMITED_KINDS.map(limitedMetric),
  ...THREAT_TYPES.flatMap((type) => (['flag', 'redact', 'block'] as const).map((action) => threatMetric(type, action))),
];

const ofGateway = { Name: 'FunctionName', Value: outputOf('GatewayFunction') };
const ofCounter = { Name: 'FunctionName', Value: outputOf('UsageCounterFunction') };
const ofRelay = { Name: 'FunctionName', Value: outputOf('EventRelayFunction') };
const ofDelivery = { Name: 'FunctionName', Value: outputOf('WebhookDeliveryFunction') };
const ofFunction = (name: string) => ({ Name: 'FunctionName', Value: outputOf(`${name}Function`) });
const queue = (name: string) => [{ Name: 'QueueName', Value: outputOf(`${name}.*QueueName`) }];
const once = { Statistic: 'Sum', Threshold: 1, EvaluationPeriods: 1 };
const thrice = { ...once, Threshold: 3 };

describe('the alarms', () => {
  test.each<[string, object]>([
    [METRICS.admittedWithoutLimits, { Namespace: METRICS_NAMESPACE, ...thrice, Dimensions: [ofGateway] }],
    [METRICS.unsettled, { Namespace: METRICS_NAMESPACE, ...thrice, Dimensions: [ofGateway] }],
    [METRICS.storeFailures, { Namespace: METRICS_NAMESPACE, ...thrice, Dimensions: [ofGateway] }],
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
      ['KeyWatch', 10_800],
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

  test('of tables add up throttled events of each table of requests and its indexes, at most ten metrics', () => {
    const ofTables = alarmsOf(plain).filter(([id]) => id.startsWith('TableAlarms'));
    const used = Object.entries<TableDefinition>(TABLES).filter(([, { access }]) => access.gateway !== undefined);
    expect(ofTables).toHaveLength(used.length);
    expect(used.map(([name]) => name)).toEqual(expect.arrayContaining(['keys', 'limits', 'sessions', 'records']));
    for (const [name, { indexes }] of used) {
      const [, properties] = ofTables.find(([id]) => id.includes(`Throttled${name}`)) ?? [];
      const metrics = metricsOf(properties as Properties);
      expect(metrics.length).toBeLessThanOrEqual(10);
      expect(metrics.map(({ MetricName }) => MetricName).sort()).toEqual(
        ['ReadThrottleEvents', 'WriteThrottleEvents', ...indexes.map(() => 'WriteThrottleEvents')].sort(),
      );
      const named = metrics.flatMap(({ Dimensions }) => Dimensions.map(({ Value }) => Value));
      expect(named).toEqual(expect.arrayContaining(indexes.map((index) => index.name)));
      expect(properties).toMatchObject({ Threshold: 1, EvaluationPeriods: 3 });
    }
  });

  test('of front doors compare their 5xx with the failures that the functions recorded', () => {
    const both = Template.fromJSON(synthesize({ ...PLAIN, restApi: true, publicFunctionUrls: true }).operations);
    const doors = (template: Template) =>
      alarmsOf(template).flatMap(([id, properties]) =>
        /^DoorAlarms.*Fails/.test(id) && 'Metrics' in properties ? [[id, metricsOf(properties)] as const] : [],
      );
    expect(doors(plain)).toMatchObject([
      [
        expect.stringContaining('Url'),
        [{ Namespace: 'AWS/Lambda', MetricName: 'Url5xxCount' }, { MetricName: METRICS.failures }],
      ],
    ]);
    const rest = doors(both).find(([id]) => id.includes('RestApi'))?.[1];
    expect(rest).toMatchObject([
      { Namespace: 'AWS/ApiGateway', MetricName: '5XXError', Dimensions: [{ Name: 'ApiName' }] },
      { MetricName: METRICS.failures },
      { MetricName: METRICS.failures },
    ]);
    expect(JSON.stringify(rest)).toMatch(/GatewayFunction.*AdminApiFunction/);
  });

  test('use our metrics by the names under which they are written', () => {
    const filtered = Object.values(plain.findResources('AWS::Logs::MetricFilter')).map(
      ({ Properties }) => Properties.MetricTransformations[0].MetricName,
    );
    const looked = alarmsOf(plain)
      .flatMap(([, properties]) => metricsOf(properties))
      .filter(({ Namespace }) => Namespace === METRICS_NAMESPACE);
    expect(looked.length).toBeGreaterThan(10);
    expect(looked.filter(({ MetricName }) => ![...OWN_NAMES, ...filtered].includes(MetricName))).toEqual([]);
    expect(filtered.sort()).toEqual([
      'Development.MessagesFailed',
      'Development.SettingsNotRead',
      'Development.StreamsCut',
    ]);
  });

  test.each([
    ['topics that are there', full, FULL.alarmTopicArn, FULL.alarmTicketTopicArn],
    [
      'topics of their own',
      plain,
      { Ref: expect.stringMatching(/^AlarmTopic/) },
      { Ref: expect.stringMatching(/^AlarmTicketTopic/) },
    ],
  ])(
    'notify %s by their severity, when they go on and off; symptoms do so together, as Health',
    (_name, template, page, ticket) => {
      const alarms = alarmsOf(template);
      expect(alarms.length).toBeGreaterThan(25);
      const topics = { page, ticket };
      const silent = alarms.flatMap(([id, { AlarmDescription, AlarmActions, OKActions }]) => {
        if (AlarmActions === undefined) return [nameOf(id)];
        expect([id, AlarmActions, OKActions]).toEqual([id, [topics[severityOf(AlarmDescription)]], AlarmActions]);
        return [];
      });
      expect(silent.sort()).toEqual(SYMPTOMS.filter((name) => name !== 'RestApiFails').sort());
    },
  );

  test('have the severity that the runbook gives them', () => {
    const rest = Template.fromJSON(synthesize({ ...PLAIN, restApi: true, publicFunctionUrls: true }).operations);
    const said = new Map<string, string>();
    for (const template of [plain, full, rest]) {
      for (const [id, { AlarmDescription }] of [...alarmsOf(template), ...compositesOf(template)]) {
        if (nameOf(id) !== 'Cause') said.set(nameOf(id), severityOf(AlarmDescription));
      }
    }
    expect(said.size).toBeGreaterThan(45);
    const rows = [...operations.matchAll(/^\| (page|ticket) \| (.+?) \|/gm)];
    const written = rows.flatMap(([, severity = '', cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, severity] as const),
    );
    const byRunbook = (name: string) =>
      written.filter(([pattern]) => new RegExp(`^${pattern.replace(/<\w+>/, '\\w+').replace('-', '')}$`).test(name));
    for (const [name, severity] of said)
      expect([name, byRunbook(name).map(([, one]) => one)]).toEqual([name, [severity]]);
    // The runbook names no alarm that does not exist.
    for (const [pattern] of written) {
      expect([pattern, [...said.keys()].some((name) => byRunbook(name).some(([one]) => one === pattern))]).toEqual([
        pattern,
        true,
      ]);
    }
  });

  test('fire if a SIEM does not accept findings, and exist only if one is set', () => {
    const ofFindings = (template: Template) => alarmsOf(template).filter(([id]) => id.startsWith('FindingsAlarms'));
    expect(ofFindings(plain)).toEqual([]);
    expect(ofFindings(full)).toHaveLength(2);
    for (const [MetricName, name, Threshold] of [
      ['ApproximateNumberOfMessagesVisible', 'FindingsDeadLetters', 1],
      ['ApproximateAgeOfOldestMessage', 'Findings[0-9A-F]{8}', 1_800],
    ] as const) {
      full.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName, Threshold, Dimensions: queue(name) });
    }
  });

  test.each<[string, ReturnType<typeof Template.fromJSON>, readonly string[], readonly string[]]>([
    [
      'plain',
      plain,
      ['AdminApi', 'EventRelay', 'Gateway', 'KeyWatch', 'SyntheticCheck', 'UsageCounter', 'WebhookDelivery'],
      [],
    ],
    [
      'full',
      full,
      [
        'AdminApi',
        'EventRelay',
        'FindingsExport',
        'Gateway',
        'KeyWatch',
        'OriginSecretRotation',
        'SyntheticCheck',
        'UsageCounter',
        'WebhookDelivery',
      ],
      ['FindingsExport'],
    ],
  ])(
    'of throttling and of failures are there for every function of the %s stack but those that a deployment alone asks',
    (_name, template, throttled, besides) => {
      const named = (suffix: string) =>
        alarmsOf(template).flatMap(
          ([id]) => new RegExp(`^FunctionAlarms(\\w+)${suffix}[0-9A-F]{8}$`).exec(id)?.[1] ?? [],
        );
      expect(named('Throttled').sort()).toEqual(throttled);
      // Streams and the rotation have separate alarms.
      expect(named('Fails').sort()).toEqual(
        [...['AdminApi', 'Gateway', 'KeyWatch', 'WebhookDelivery'], ...besides].sort(),
      );
    },
  );

  test('each link to a section of docs/operations.md, and each section of an alarm has a link', () => {
    const chapter = operations.split(/^## /m).find((text) => text.startsWith('Alarms')) ?? '';
    const anchorOf = (heading: string) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-');
    const headings = [...chapter.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
    const described = [
      ...alarmsOf(full),
      ...(Object.entries(full.findResources('AWS::CloudWatch::CompositeAlarm')).map(([id, { Properties }]) => [
        id,
        Properties,
      ]) as [string, Properties][]),
    ].map(([, { AlarmDescription }]) => /docs\/operations\.md#([a-z-]+)$/.exec(AlarmDescription)?.[1]);
    expect(new Set(described)).toEqual(new Set(headings.filter((heading) => heading !== 'rolled-back')));
    // What it means is in the alarm; how to look and what to do are commands, or say what there is to read.
    for (const section of chapter.split(/^### /m).slice(1)) {
      expect([section.split('\n')[0], section.split(/\s+/).length > 40]).toEqual([section.split('\n')[0], true]);
    }
  });
});

describe('health', () => {
  const all = Template.fromJSON(synthesize({ ...PLAIN, restApi: true, publicFunctionUrls: true }).operations);
  const composite = (name: string) =>
    compositesOf(all).find(([id]) => id.startsWith(name))?.[1] as Properties & Record<string, unknown>;
  const namesIn = (name: string) =>
    alarmsOf(all).flatMap(([id]) =>
      JSON.stringify(composite(name).AlarmRule).includes(`"${id}"`) ? [nameOf(id)] : [],
    );

  test('is one alarm of those that affect clients, which pages', () => {
    expect(namesIn('Health').sort()).toEqual([...SYMPTOMS, 'GatewayThrottled'].sort());
    expect(composite('Health')).toMatchObject({
      AlarmActions: [{ Ref: expect.stringMatching(/^AlarmTopic/) }],
      OKActions: [{ Ref: expect.stringMatching(/^AlarmTopic/) }],
    });
    expect(severityOf(composite('Health').AlarmDescription)).toBe('page');
  });

  test('sends no message while a cause is on, which has paged itself', () => {
    const causes = namesIn('Cause');
    for (const cause of CAUSES) expect([cause, causes.some((name) => cause.test(name))]).toEqual([cause, true]);
    // Records and captured texts are written after the response: they explain no failure, and must not hide one.
    for (const name of causes) expect([name, CAUSES.some((cause) => cause.test(name))]).toEqual([name, true]);
    for (const [id, { AlarmDescription, AlarmActions }] of alarmsOf(all)) {
      if (causes.includes(nameOf(id)))
        expect([id, severityOf(AlarmDescription), AlarmActions]).toEqual([id, 'page', [expect.anything()]]);
    }
    expect(composite('Cause').AlarmActions).toBeUndefined();
    expect(composite('Health')).toMatchObject({
      ActionsSuppressor: { 'Fn::GetAtt': [expect.stringMatching(/^Cause/), 'Arn'] },
      // Alarms of five minutes go on up to this much later than the check's, and the symptoms end two periods after the cause.
      ActionsSuppressorWaitPeriod: 120,
      ActionsSuppressorExtensionPeriod: 600,
    });
  });
});

describe('while alarms change their states, health', () => {
  const all = Template.fromJSON(synthesize({ ...PLAIN, restApi: true, publicFunctionUrls: true }).operations);
  const [composites, alarms] = [compositesOf(all), alarmsOf(all)];
  const ids = alarms.map(([id]) => id);
  const named = (pattern: RegExp) => ids.filter((id) => pattern.test(nameOf(id)));
  const symptoms = named(new RegExp(`^(?:${SYMPTOMS.join('|')})$`));
  const causes = CAUSES.flatMap(named);
  const throttled = named(/^GatewayThrottled$/);

  /** The composite alarms that are on, and of these the ones that send messages, once the suppressor has had its time. */
  function inAlarm(...on: string[]): { on: string[]; sending: string[] } {
    const states: AlarmStates = Object.fromEntries(on.map((id) => [id, 'ALARM']));
    const found = composites.filter(([, { AlarmRule }]) => isOn(AlarmRule, states));
    const sending = found.filter(([, properties]) => {
      const { AlarmActions, ActionsSuppressor } = properties as Properties & {
        ActionsSuppressor?: { 'Fn::GetAtt': [string, string] };
      };
      const [suppressor] = ActionsSuppressor?.['Fn::GetAtt'] ?? [];
      return AlarmActions !== undefined && !found.some(([id]) => id === suppressor);
    });
    const names = (list: typeof found) => list.map(([id]) => nameOf(id)).sort();
    return { on: names(found), sending: names(sending) };
  }

  test('is silent without a symptom, and pages once for each of them and for all', () => {
    expect(symptoms).toHaveLength(SYMPTOMS.length);
    expect(inAlarm()).toEqual({ on: [], sending: [] });
    for (const on of [...symptoms.map((id) => [id]), symptoms])
      expect([on, inAlarm(...on)]).toEqual([on, { on: ['Health'], sending: ['Health'] }]);
  });

  test('is on and sends nothing while a symptom has a cause, whichever', () => {
    expect(causes.length).toBeGreaterThan(7);
    for (const cause of causes) {
      for (const symptom of symptoms) {
        const seen = inAlarm(cause, symptom);
        expect([cause, symptom, seen]).toEqual([cause, symptom, { on: ['Cause', 'Health'], sending: [] }]);
      }
    }
  });

  test('pages again once the cause is over, and a cause without a symptom turns nothing else on', () => {
    for (const cause of causes.filter((id) => !throttled.includes(id)))
      expect([cause, inAlarm(cause)]).toEqual([cause, { on: ['Cause'], sending: [] }]);
    expect(inAlarm(...throttled)).toEqual({ on: ['Cause', 'Health'], sending: [] });
    expect(inAlarm(symptoms[0] as string).sending).toEqual(['Health']);
  });

  test('is hidden by no other alarm', () => {
    const others = ids.filter((id) => !causes.includes(id));
    expect(others.length).toBeGreaterThan(20);
    for (const other of others)
      expect([other, inAlarm(symptoms[0] as string, other).sending]).toEqual([other, ['Health']]);
  });

  test('counts alarms without data as off', () => {
    const states: AlarmStates = Object.fromEntries(ids.map((id) => [id, 'INSUFFICIENT_DATA']));
    expect(composites.filter(([, { AlarmRule }]) => isOn(AlarmRule, states))).toEqual([]);
  });
});

describe('the recipient', () => {
  test('is an encrypted topic whose key alarms of this account may use, and that requires TLS', () => {
    const ofThisAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
    const byAlarms = { Principal: { Service: 'cloudwatch.amazonaws.com' }, Condition: ofThisAccount };
    plain.hasResourceProperties('AWS::KMS::Key', {
      EnableKeyRotation: true,
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({ ...byAlarms, Action: ['kms:Decrypt', 'kms:GenerateDataKey*'], Effect: 'Allow' }),
        ]),
      },
    });
    plain.hasResourceProperties('AWS::SNS::Topic', {
      KmsMasterKeyId: { 'Fn::GetAtt': [Match.stringLikeRegexp('AlarmTopicKey'), 'Arn'] },
    });
    plain.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
          Match.objectLike({ ...byAlarms, Effect: 'Allow', Action: 'sns:Publish' }),
        ]),
      },
    });
    plain.resourceCountIs('AWS::SNS::Subscription', 0);
  });

  const topicsOf = (settings: object) => {
    const template = Template.fromJSON(synthesize({ ...PLAIN, ...settings }).operations);
    const actions = (severity: string) =>
      [
        ...new Set(
          [...alarmsOf(template), ...compositesOf(template)].flatMap(([, { AlarmDescription, AlarmActions = [] }]) =>
            severityOf(AlarmDescription) === severity ? [JSON.stringify(AlarmActions[0])] : [],
          ),
        ),
      ]
        .filter(Boolean)
        .map((text) => JSON.parse(text).Ref?.replace(/[0-9A-F]{8}$/, '') ?? JSON.parse(text));
    const mails = Object.values(template.findResources('AWS::SNS::Subscription')).map(
      ({ Properties: { Endpoint, TopicArn } }) =>
        [Endpoint, TopicArn.Ref?.replace(/[0-9A-F]{8}$/, '') ?? TopicArn].join(' '),
    );
    return {
      page: actions('page'),
      ticket: actions('ticket'),
      created: Object.keys(template.findResources('AWS::SNS::Topic')).length,
      mails: mails.sort(),
    };
  };
  const ON_CALL = 'arn:aws:sns:eu-central-1:123456789012:on-call';
  const TICKETS = 'arn:aws:sns:eu-central-1:123456789012:tickets';

  test.each([
    ['none', {}, { page: ['AlarmTopic'], ticket: ['AlarmTicketTopic'], created: 2, mails: [] }],
    [
      'one topic for all',
      { alarmTopicArn: ON_CALL, alarmEmails: ['a@example.com'] },
      { page: [ON_CALL], ticket: [ON_CALL], created: 0, mails: [`a@example.com ${ON_CALL}`] },
    ],
    [
      'addresses for all',
      { alarmEmails: ['a@example.com'] },
      {
        page: ['AlarmTopic'],
        ticket: ['AlarmTicketTopic'],
        created: 2,
        mails: ['a@example.com AlarmTicketTopic', 'a@example.com AlarmTopic'],
      },
    ],
    [
      'two topics',
      { alarmTopicArn: ON_CALL, alarmTicketTopicArn: TICKETS },
      { page: [ON_CALL], ticket: [TICKETS], created: 0, mails: [] },
    ],
    [
      'one topic twice',
      { alarmTopicArn: ON_CALL, alarmTicketTopicArn: ON_CALL, alarmEmails: ['a@example.com'] },
      { page: [ON_CALL], ticket: [ON_CALL], created: 0, mails: [`a@example.com ${ON_CALL}`] },
    ],
    [
      'a topic for tickets alone',
      { alarmTicketTopicArn: TICKETS },
      { page: ['AlarmTopic'], ticket: [TICKETS], created: 1, mails: [] },
    ],
    [
      'two lists of addresses',
      { alarmEmails: ['a@example.com'], alarmTicketEmails: ['b@example.com'] },
      {
        page: ['AlarmTopic'],
        ticket: ['AlarmTicketTopic'],
        created: 2,
        mails: ['a@example.com AlarmTopic', 'b@example.com AlarmTicketTopic'],
      },
    ],
    [
      'a topic and other addresses for tickets',
      { alarmTopicArn: ON_CALL, alarmTicketEmails: ['b@example.com'] },
      { page: [ON_CALL], ticket: ['AlarmTicketTopic'], created: 1, mails: ['b@example.com AlarmTicketTopic'] },
    ],
  ])('is, with %s in the settings, a topic of each severity', (_name, settings, expected) => {
    expect(topicsOf(settings)).toEqual(expected);
  });

  test('is an existing topic if one is named, and each address of the settings', () => {
    full.resourceCountIs('AWS::SNS::Topic', 0);
    full.resourceCountIs('AWS::KMS::Key', 0);
    full.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'on-call@example.com',
      TopicArn: FULL.alarmTopicArn,
    });
  });
});

describe('the dashboard', () => {
  const [dashboard] = Object.values(plain.findResources('AWS::CloudWatch::Dashboard'));
  const pieces = dashboard?.Properties.DashboardBody['Fn::Join'][1] as unknown[];
  const body = JSON.parse(pieces.map((piece) => (typeof piece === 'string' ? piece : 'REFERENCE')).join(''));
  const widgets = body.widgets as {
    type: string;
    properties: {
      title?: string;
      markdown?: string;
      metrics?: unknown[][];
      insightRule?: { ruleName: string };
    };
  }[];

  test('shows six questions, and queues', () => {
    const headings = widgets.flatMap(({ properties: { markdown } }) => (markdown === undefined ? [] : [markdown]));
    expect(headings).toEqual([
      '# Is it up?',
      '# Is a front door or a table failing?',
      '# Is it slow?',
      '# Who is attacked?',
      '# Who is limited?',
      '# What does it cost?',
      '# What waits?',
    ]);
  });

  test('shows metrics of ours by the names under which they are written', () => {
    const named = widgets
      .flatMap(({ properties: { metrics = [] } }) => metrics)
      .flatMap(([namespace, name]) => (namespace === METRICS_NAMESPACE ? [name as string] : []));
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => !(OWN_NAMES as string[]).includes(name))).toEqual([]);
    const searches =
      JSON.stringify(widgets.filter((one) => !JSON.stringify(one).includes('AWS/DynamoDB'))).match(
        /MetricName=\\+"([^"\\]+)/g,
      ) ?? [];
    expect(searches.length).toBeGreaterThan(3);
    for (const search of searches) expect(OWN_NAMES).toContain(search.replace(/^.*"/, ''));
  });

  test('runs no query of logs when it is opened: keys are counted by rules, and the rest are saved queries', () => {
    expect(widgets.filter(({ type, properties }) => type === 'log' || 'query' in properties)).toEqual([]);
    const rules = Object.values(plain.findResources('AWS::CloudWatch::InsightRule')).map(
      ({ Properties }) => Properties,
    );
    const shown = widgets.flatMap(({ properties: { insightRule } }) => insightRule?.ruleName ?? []);
    expect(rules.map(({ RuleName }) => RuleName).sort()).toEqual(shown.sort());
    const definitions = rules.map(({ RuleBody }) =>
      JSON.parse(
        (RuleBody['Fn::Join'][1] as unknown[]).map((one) => (typeof one === 'string' ? one : 'LOGS')).join(''),
      ),
    );
    expect(definitions).toHaveLength(2);
    for (const definition of definitions) {
      expect(definition).toMatchObject({ LogGroupNames: ['LOGS'], LogFormat: 'JSON', AggregateOn: 'Count' });
      // CloudWatch accepts four filters and four keys.
      expect(definition.Contribution.Filters.length).toBeLessThanOrEqual(4);
      expect(definition.Contribution.Keys[0]).toBe('$.keyId');
    }
    plain.resourceCountIs('AWS::Logs::QueryDefinition', 3);
  });

  test('shows the doors and web ACLs of the deployment; CloudFront and its WAF in us-east-1', () => {
    const waf = { ...PLAIN, region: 'eu-central-1', distribution: true, restApi: true, waf: true } as const;
    const { operations, gateway, edge } = synthesize(waf);
    const text = JSON.stringify(operations.Resources);
    const [cloudFront, urls, api] = ['AWS/CloudFront', 'Url5xxCount', 'AWS/ApiGateway'];
    for (const name of [cloudFront, urls, api]) expect(text).toContain(name);
    expect(text).toMatch(/us-east-1[^}]*AWS\/CloudFront|AWS\/CloudFront.{0,300}us-east-1/);
    for (const stack of [gateway, edge]) {
      const [acl] = Object.values(stack?.Resources ?? {}).filter(({ Type }) => Type === 'AWS::WAFv2::WebACL');
      const { MetricName = '' } = (acl?.Properties?.VisibilityConfig ?? {}) as { MetricName?: string };
      expect(MetricName).toMatch(/^svc-development-(gateway|eu-central-1-edge)$/);
      expect(text).toContain(`\\"WebACL\\",\\"${MetricName}\\"`);
    }
    for (const absent of [cloudFront, api, 'AWS/WAFV2']) expect(JSON.stringify(plain.toJSON())).not.toContain(absent);
  });

  test('shows every dead-letter queue, and throttling of every table and index', () => {
    const titled = (title: string) =>
      widgets.find(({ properties }) => properties.title === title)?.properties.metrics ?? [];
    expect(titled('Messages given up')).toHaveLength(4);
    const tables = Object.values<TableDefinition>(TABLES);
    const indexes = tables.flatMap((table) => table.indexes);
    expect(titled('Throttled reads and writes')).toHaveLength(2 * (tables.length + indexes.length));
  });
});

/** A metric may have no value that names an end user: those in CloudWatch cannot be deleted for them. */
test('throttled keys are shown only of tables whose keys name no end user, and never with a KMS key of the customer', () => {
  const shown = (settings: typeof PLAIN) =>
    Object.entries(synthesize(settings).data.Resources).flatMap(([id, { Type, Properties }]) => {
      if (Type !== 'AWS::DynamoDB::GlobalTable') return [];
      const [replica] = (Properties?.Replicas ?? []) as {
        ContributorInsightsSpecification?: object;
        GlobalSecondaryIndexes?: { ContributorInsightsSpecification?: object }[];
      }[];
      const ofIndexes = replica?.GlobalSecondaryIndexes?.map((index) => index.ContributorInsightsSpecification) ?? [];
      expect([id, ofIndexes.filter((one) => one !== undefined)]).toEqual([id, []]);
      const specification = replica?.ContributorInsightsSpecification;
      return specification === undefined ? [] : [[id.replace(/[0-9A-F]{8}$/, ''), specification]];
    });
  const throttled = { Enabled: true, Mode: 'THROTTLED_KEYS' };
  expect(shown(PLAIN)).toEqual([
    ['Keys', throttled],
    ['Limits', throttled],
  ]);
  expect(shown(FULL)).toEqual([]);
});
