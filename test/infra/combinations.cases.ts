import { describe, expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { readSettings, type Settings } from '../../lib/settings/settings.ts';
import { keptResources, lossesBetween } from './kept-resources.ts';
import { lintTemplates } from './lint-templates.ts';
import { type Axes, pairwise, type Row } from './pairwise.ts';
import { permissionsByRole } from './permissions.ts';
import { FULL, PLAIN, synthesize } from './synthesize.ts';

const certificateIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1234abcd-12ab`;
const ZONE = { hostedZoneId: 'Z0123456789EXAMPLE', zoneName: 'example.com' };

/** Each setting off and on, and what else it may be; undefined is absent. */
const AXES: Axes = {
  distribution: [undefined, false, { logBucket: 'our-logs' }],
  domain: [
    undefined,
    { name: 'ai.example.com', certificateArn: certificateIn('us-east-1') },
    { name: 'ai.example.com', ...ZONE },
  ],
  onlyThroughDistribution: [undefined, true],
  restApi: [
    undefined,
    true,
    {
      domain: { name: 'api.example.com', certificateArn: certificateIn('eu-central-1'), ...ZONE },
      throttle: { requestsPerSecond: 50, burst: 100 },
      allowedAddresses: ['192.0.2.0/24', '2001:db8::/32'],
      accessLogs: true,
    },
  ],
  waf: [undefined, true, { rateLimit: 500, logs: true }],
  findings: [undefined, { eventBridge: {} }, FULL.findings],
  dashboardUrl: [undefined, FULL.dashboardUrl],
  oidc: [undefined, FULL.oidc],
  rollout: [undefined, 'none', 'all-at-once', 'canary-10-5m', 'linear-10-1m'],
  stage: ['Development', 'Staging', 'Production'],
  region: [undefined, 'eu-central-1', 'us-east-1'],
  recordExport: [undefined, { every: 'hour' }, FULL.recordExport],
  bedrock: [undefined, { models: [] }, FULL.bedrock],
  vpc: [undefined, FULL.vpc],
  encryptionKeyArn: [undefined, FULL.encryptionKeyArn],
  alarmTopicArn: [undefined, FULL.alarmTopicArn],
  tracing: [false, true],
  provisionedConcurrency: [undefined, 2],
  reservedConcurrency: [undefined, 100],
  outsideDetectors: [undefined, FULL.outsideDetectors],
  syntheticCheck: [undefined, false],
  retentionDays: [undefined, FULL.retentionDays],
  corsOrigins: [undefined, FULL.corsOrigins],
  otlp: [undefined, FULL.otlp],
  alarmEmails: [undefined, FULL.alarmEmails],
  alarmLimits: [undefined, FULL.alarmLimits],
  watchedProviders: [undefined, FULL.watchedProviders],
  logLevel: [undefined, FULL.logLevel],
  tracePropagation: [undefined, FULL.tracePropagation],
};

/**
 * Rights that are not on one resource, each with the reason that AWS gives for it. Nothing else may be granted on `*`, or on
 * names with a `*` in them.
 */
const WILDCARDS: readonly (readonly [right: RegExp, reason: string])[] = [
  [/^xray:Put(TraceSegments|TelemetryRecords) on \*$/, 'X-Ray knows no resources'],
  [/^dynamodb:ListStreams on \*$/, 'Lambda asks for it before it reads a stream; granted for all or none'],
  [/^cloudwatch:DescribeAlarms on \*$/, 'CodeDeploy polls alarms, which are told of all or none'],
  [/^ec2:\w+ on \* where .*lambda:SourceFunctionArn/, "by Lambda's own calls alone, which it refuses to limit further"],
  [/^bedrock:InvokeModel\w* on arn:[^ ]*:(foundation-model|inference-profile)\/[^ ]*/, 'by the setting `bedrock`'],
  [/^dynamodb:DescribeExport on Records\/export\/\*$/, 'the ids of exports are made by DynamoDB'],
  [/^s3:\w+ on RecordExportBucket\/records\/\*$/, "the export's files, whose names DynamoDB chooses"],
  [/^s3:(Put|Delete)Object on DistributionFiles\/\*$/, "the dashboard's files, which each build names anew"],
];

/** A row as cdk.json would have it; undefined where readSettings refuses it: some settings need another, or do not go with it. */
function settingsOf({ stage, ...row }: Row): Settings | undefined {
  const { stage: _, ...base } = PLAIN;
  const { node } = new RootConstruct();
  node.setContext('stage', stage);
  node.setContext('stages', { [String(stage)]: JSON.parse(JSON.stringify({ ...base, ...row })) });
  try {
    return readSettings(node);
  } catch {
    return undefined;
  }
}

function nameOf(settings: Settings): string {
  const choices = Object.entries(settings).filter(([name]) => name in AXES);
  return choices.map(([name, value]) => (typeof value === 'object' ? name : `${name}=${value}`)).join(' ');
}

const rows = pairwise(AXES, (row) => settingsOf(row) !== undefined).map((row) => settingsOf(row) as Settings);
const plain = keptResources(synthesize(PLAIN));
const usedReasons = new Set<string>();

describe.each(rows.map((settings) => [nameOf(settings), settings] as const))('%s', (_name, settings) => {
  const stacks = synthesize(settings);

  test('synthesizes; cdk-nag has no finding without a reason, and CloudFormation supports every property', () => {
    expect(stacks.error).toBeUndefined();
    expect(stacks.findings).toEqual([]);
    const { data, gateway, operations, edge } = stacks;
    expect(lintTemplates({ data, gateway, operations, ...(edge && { edge }) })).toEqual([]);
  });

  test('replaces and removes nothing of a deployment with plain settings', () => {
    expect(lossesBetween(plain, keptResources(stacks))).toEqual([]);
  });

  test('grants nothing on more than one resource without a reason', () => {
    const broad = Object.values(permissionsByRole(stacks))
      .flat()
      .filter((right) => right.split(' where ')[0]?.includes('*'));
    const unreasoned = broad.filter((right) => {
      const found = WILDCARDS.find(([pattern]) => pattern.test(right));
      if (found !== undefined) usedReasons.add(found[1]);
      return found === undefined;
    });
    expect(unreasoned).toEqual([]);
  });
});

test('each reason for a permission on more than one resource is in use', () => {
  expect([...usedReasons].sort()).toEqual(WILDCARDS.map(([, reason]) => reason).sort());
});

test('every choice of every setting is in a row', () => {
  for (const [name, choices] of Object.entries(AXES)) {
    const taken = rows.map((settings) => JSON.stringify(settings[name as keyof Settings]));
    for (const choice of choices)
      expect([name, taken]).toEqual([name, expect.arrayContaining([JSON.stringify(choice)])]);
  }
});
