import { describe, expect, test } from '@jest/globals';
import { TABLES, type TableDefinition } from '../../functions/adapters/dynamo/tables.ts';
import { METRICS_NAMESPACE } from '../../functions/kernel/model/index.ts';
import { OWN_NAMES, plain } from './operations-templates.ts';
import { FULL, PLAIN, synthesize } from './synthesize.ts';

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
