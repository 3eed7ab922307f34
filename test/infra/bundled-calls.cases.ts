import { readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildFunctions, bundledCalls } from './bundled-calls.ts';
import { permissionsByRole } from './permissions.ts';
import { FULL, PLAIN, synthesize } from './synthesize.ts';

const FUNCTIONS = path.resolve(import.meta.dirname, '../../functions');
const functions = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'handler.ts')
  .map((file) => path.dirname(file));

const { outsideDetectors, federationAudiences, alertTopicArns } = FULL;
/** Settings that have every function and every outside call, and findings in both places where they may go. */
const deployments = [{ eventBridge: {} }, FULL.findings].map((findings) =>
  permissionsByRole(
    synthesize({ ...PLAIN, distribution: true, findings, outsideDetectors, federationAudiences, alertTopicArns }),
  ),
);
/** By the construct's name, which is the folder's but for one. */
const roleOf = (name: string) =>
  name === 'origin-secret'
    ? 'OriginSecretRotationRole'
    : `${name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Role`;

/** What Lambda does with a function's role, and no code of it. */
const BY_LAMBDA = [
  /^logs:(CreateLogStream|PutLogEvents)$/,
  /^dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)$/,
  /^sqs:(ReceiveMessage|DeleteMessage)$/,
];

/** What a class brings along that a function shares with others, and never calls. */
const NEVER_CALLED: Readonly<Record<string, readonly string[]>> = {
  // SqsEventPublisher, only for GET /readyz: events are relayed.
  gateway: ['sqs:SendMessage'],
  'key-watch': ['dynamodb:DeleteItem'],
  'first-admin-key': ['dynamodb:BatchGetItem', 'dynamodb:DeleteItem'],
  'usage-counter': ['dynamodb:Query'],
  // Amazon Bedrock, which tests of providers call with a Bedrock API key only.
  'admin-api': ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'],
  // SqsEventPublisher, the other way round.
  'event-relay': ['sqs:GetQueueAttributes'],
};
/** Lambda polls mapped queues, and reports failed batches, with the function's permissions. */
const ALSO_BY_LAMBDA: Readonly<Record<string, readonly string[]>> = {
  'webhook-delivery': ['sqs:GetQueueAttributes'],
  'findings-export': ['sqs:GetQueueAttributes'],
  'usage-counter': ['sqs:SendMessage'],
};

/** Calls of paths that are no commands of the SDK's clients. */
const BY_PATH: Readonly<Record<string, readonly string[]>> = {
  // functions/translation/providers/bedrock/openai-models.ts
  gateway: ['bedrock:GetInvoke', 'bedrock:CancelInvoke', 'bedrock:DeleteInvoke'],
};

beforeAll(() => buildFunctions(functions));

test('every function has a role', () => {
  expect(functions.length).toBeGreaterThan(9);
  for (const name of functions) for (const granted of deployments) expect(granted).toHaveProperty(roleOf(name));
});

describe.each(functions)('the role of %s', (name) => {
  const granted = deployments.flatMap((roles) => roles[roleOf(name)] ?? []);
  const rights = [...new Set(granted.map((right) => right.split(' ')[0] ?? ''))];
  const own = rights.filter(
    (right) =>
      !BY_LAMBDA.some((pattern) => pattern.test(right)) &&
      !ALSO_BY_LAMBDA[name]?.includes(right) &&
      !BY_PATH[name]?.includes(right),
  );

  test('grants only the calls in its code, except calls that it never makes', () => {
    const called = bundledCalls(name);
    expect(called.length).toBeGreaterThan(0);
    const needless = NEVER_CALLED[name] ?? [];
    expect(own.sort()).toEqual(called.filter((call) => !needless.includes(call)));
    expect(needless.filter((call) => !called.includes(call))).toEqual([]);
  });
});
