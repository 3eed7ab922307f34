import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { TABLES, type TableDefinition } from '../../functions/adapters/dynamo/tables.ts';
import { METRICS, METRICS_NAMESPACE } from '../../functions/kernel/model/index.ts';
import { alarmsOf, full, metricsOf, OWN_NAMES, type Properties, plain, queue } from './operations-templates.ts';
import { PLAIN, synthesize } from './synthesize.ts';

describe('the alarms', () => {
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
});
