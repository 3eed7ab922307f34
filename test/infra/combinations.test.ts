import { describe, expect, test } from '@jest/globals';
import { rolloutOf, type Settings } from '../../lib/settings.ts';
import { keptResources, lossesBetween } from './kept-resources.ts';
import { lintTemplates } from './lint-templates.ts';
import { type Axes, pairwiseRows } from './pairwise-rows.ts';
import { permissionsByRole } from './permissions.ts';
import { FULL, PLAIN, synthesize } from './synthesize.ts';

const keyOf = (region: string) => `arn:aws:kms:${region}:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab`;

/** Each setting off and on, and what else it may be; undefined is absent. */
const AXES: Axes = {
  rollout: [undefined, 'none', 'all-at-once', 'canary-10-5m', 'linear-10-1m'],
  stage: ['Development', 'Staging', 'Production'],
  region: [undefined, 'eu-central-1', 'us-east-1'],
  recordExport: [undefined, { every: 'hour' }, FULL.recordExport],
  bedrock: [undefined, { models: [] }, FULL.bedrock],
  vpc: [undefined, FULL.vpc],
  encryptionKeyArn: [undefined, ...['eu-central-1', 'us-east-1'].map(keyOf)],
  alarmTopicArn: [undefined, FULL.alarmTopicArn],
  tracing: [false, true],
  provisionedConcurrency: [undefined, 2],
  reservedConcurrency: [undefined, 100],
  outsideDetectors: [undefined, FULL.outsideDetectors],
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
];

/** A row as readSettings takes it: what is absent is not there, nor what AWS refuses beside another setting. */
function settingsOf(row: Record<string, unknown>): Settings {
  const present = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
  const { encryptionKeyArn: key, ...rest } = present;
  // A key is of one region.
  const ofItsRegion = typeof key === 'string' && key.includes(`:${rest.region}:`);
  const settings = { ...PLAIN, ...rest, ...(ofItsRegion && { encryptionKeyArn: key }) } as Settings;
  if (['none', 'all-at-once'].includes(rolloutOf(settings))) return settings;
  const { provisionedConcurrency: _, ...gradual } = settings;
  return gradual;
}

function nameOf(settings: Settings): string {
  const choices = Object.entries(settings).filter(([name]) => name in AXES);
  return choices.map(([name, value]) => (typeof value === 'object' ? name : `${name}=${value}`)).join(' ');
}

const rows = pairwiseRows(AXES).map(settingsOf);
const plain = keptResources(synthesize(PLAIN));
const usedReasons = new Set<string>();

describe.each(rows.map((settings) => [nameOf(settings), settings] as const))('%s', (_name, settings) => {
  const stacks = synthesize(settings);

  test('synthesizes; cdk-nag finds nothing without a reason, CloudFormation knows all of it', () => {
    expect(stacks.error).toBeUndefined();
    expect(stacks.findings).toEqual([]);
    expect(lintTemplates({ data: stacks.data, gateway: stacks.gateway, operations: stacks.operations })).toEqual([]);
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

test('each reason for a right on more than one resource is in use', () => {
  expect([...usedReasons].sort()).toEqual(WILDCARDS.map(([, reason]) => reason).sort());
});

test('any two choices of different settings meet in a row', () => {
  const axes = { a: [1, 2, 3], b: [1, 2], c: ['x', 'y'] };
  const small = pairwiseRows(axes);
  for (const a of axes.a) for (const b of axes.b) expect(small).toContainEqual(expect.objectContaining({ a, b }));
  for (const a of axes.a) for (const c of axes.c) expect(small).toContainEqual(expect.objectContaining({ a, c }));
  for (const b of axes.b) for (const c of axes.c) expect(small).toContainEqual(expect.objectContaining({ b, c }));
  expect(small.length).toBeLessThan(3 * 2 * 2);
  const [most = 0, next = 0] = Object.values(AXES)
    .map((choices) => choices.length)
    .sort((a, b) => b - a);
  expect(rows.length).toBeGreaterThanOrEqual(most * next);
});
