import { expect, test } from '@jest/globals';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { lintTemplates } from './lint-templates.ts';
import { FULL, PLAIN, validate } from './synthesize.ts';

// The larger first: the validator is set up again for types of resources that it has not seen.
const full = validate(FULL);
const plain = validate(PLAIN);

test.each([
  ['plain', plain],
  ['full', full],
])(
  'CloudFormation knows every type, property and reference of the %s stacks',
  (_name, { data, gateway, operations }) => {
    expect(lintTemplates({ data, gateway, operations })).toEqual([]);
  },
);

test.each([
  ['plain', plain],
  ['full', full],
])('cdk-nag finds nothing in the %s stacks that has no reason', (_name, { findings, error }) => {
  expect(findings).toEqual([]);
  expect(error).toBeUndefined();
});

test('synthesis fails on a finding without a reason', () => {
  const { error, findings } = validate(PLAIN, (stacks) => new Queue(stacks.data, 'Planted'));
  expect(error).toBeDefined();
  expect(findings).toContain('AwsSolutions-SQS4: svc-development-data/Planted/Resource');
});

test('a warning counts as a finding', () => {
  const { findings } = validate(
    PLAIN,
    (stacks) => new LogGroup(stacks.gateway, 'Planted', { retention: RetentionDays.INFINITE }),
  );
  expect(findings).toEqual(['Serverless-CloudWatchLogGroupRetentionPeriod: svc-development-gateway/Planted/Resource']);
});
