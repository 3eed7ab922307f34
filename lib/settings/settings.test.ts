import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type Node, RootConstruct } from 'constructs';
import { distributionOf, readSettings, restApiOf, unusedNote, wafOf } from './settings.ts';

const CERTIFICATE = 'arn:aws:acm:eu-central-1:123456789012:certificate/1234abcd-12ab';
const right = { logRetentionDays: 30, memoryMb: 1024, tracing: false };

const keyArn = 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const domain = { name: 'ai.example.com', certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1234abcd' };
const vpc = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] };

const privateApi = (settings: object, restApi: object = {}) => ({
  ...right,
  distribution: false,
  vpc,
  restApi: { vpcEndpointIds: ['vpce-0a1b2c3d'], ...restApi },
  ...settings,
});

const PRIVATE_CONTAINERS = {
  compute: 'fargate',
  vpc: { ...vpc, subnetIds: ['subnet-0a1b2c3d', 'subnet-4e5f6a7b'] },
  fargate: { certificateArn: CERTIFICATE, domainName: 'ai.example.com' },
};

const JUDGE = 'anthropic/claude-haiku-4-5';
const outside = (outsideDetectors: object) => ({ ...right, outsideDetectors });

function nodeWith(context: Readonly<Record<string, unknown>>): Node {
  const { node } = new RootConstruct();
  for (const [name, value] of Object.entries(context)) node.setContext(name, value);
  return node;
}

test('reads the settings of the requested stage', () => {
  const stages = { Production: { ...right, region: 'eu-central-1', echo: false }, Development: {} };
  expect(readSettings(nodeWith({ stage: 'Production', stages }))).toEqual({
    ...stages.Production,
    stage: 'Production',
  });
});

test('a prefix of the stage distinguishes gateways of an account', () => {
  const stages = { 'payments/Production': right, Production: right };
  expect(readSettings(nodeWith({ stage: 'payments/Production', stages }))).toEqual({
    ...right,
    stage: 'Production',
    prefix: 'payments',
  });
  expect(() => readSettings(nodeWith({ stage: 'payments/Staging', stages }))).toThrow(
    'cdk.json, context.stages.payments/Staging: missing',
  );
  for (const stage of [
    'payments/Test',
    'Payments/Production',
    '/Production',
    'a/b/Production',
    `${'a'.repeat(21)}/Production`,
  ])
    expect(() => readSettings(nodeWith({ stage, stages: { [stage]: right } }))).toThrow(
      `-c stage=${stage}: choose from`,
    );
});

test('reads Development by default', () => {
  expect(readSettings(nodeWith({ stages: { Development: right } }))).toEqual({ ...right, stage: 'Development' });
});

test.each(['Production', 'Staging', 'Development'])('accepts the settings of %s in cdk.json', (stage) => {
  const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));
  expect(readSettings(nodeWith({ ...context, stage })).stage).toBe(stage);
});

test('takes the concurrency for operations from the stage, else from the number that npm run deploy computed', () => {
  const read = (context: object, settings: object = {}) =>
    readSettings(nodeWith({ ...context, stages: { Development: { ...right, ...settings } } })).operationsConcurrency;
  expect(read({ operationsConcurrency: '90' })).toBe(90);
  expect(read({ operationsConcurrency: '90' }, { operationsConcurrency: 0 })).toBe(0);
  expect(read({})).toBeUndefined();
  for (const operationsConcurrency of ['-1', '1.5', 'many', '1001'])
    expect(() => read({ operationsConcurrency })).toThrow('must be a whole number up to 1,000');
});

test('allows provisioned concurrency only with a rollout that does not split the alias', () => {
  const Production = { ...right, provisionedConcurrency: 5, reservedConcurrency: 5, vpc };
  const read = (settings: object) => readSettings(nodeWith({ stage: 'Production', stages: { Production: settings } }));
  expect(read({ ...Production, rollout: 'all-at-once' }).provisionedConcurrency).toBe(5);
  // The default is a canary.
  expect(() => read(Production)).toThrow('set rollout to "all-at-once"');
});

describe('names a wrong setting', () => {
  test.each<[settings: unknown, message: string]>([
    [{ ...right, memoryMb: 64 }, 'context.stages.Staging: memoryMb: '],
    [{ ...right, logRetentionDays: 31 }, 'context.stages.Staging: logRetentionDays: '],
    [{ ...right, tracing: 'yes' }, 'context.stages.Staging: tracing: '],
    [{ ...right, region: 'Frankfurt' }, 'context.stages.Staging: region: is not the name of a region'],
    [{ ...right, memoryMB: 64 }, '"memoryMB"'],
    [{ memoryMb: 1024 }, 'logRetentionDays: '],
    [
      { ...right, restApi: { vpcEndpointIds: ['vpce-0a1b2c3d'] } },
      'needs "distribution": false and no publicFunctionUrls',
    ],
    [privateApi({ publicFunctionUrls: true }), 'needs "distribution": false and no publicFunctionUrls'],
    [privateApi({ vpc: undefined }), 'reaches a private API only with `vpc`; else set syntheticCheck to false'],
    [privateApi({}, { allowedAddresses: ['192.0.2.1'] }), 'restApi.allowedAddresses: not with vpcEndpointIds'],
    [privateApi({}, { domain: { name: 'a.example.com', certificateArn: CERTIFICATE } }), 'restApi.domain: not with'],
    [
      privateApi({}, { vpcEndpointIds: ['vpc-0a1b2c3d'] }),
      'restApi.vpcEndpointIds.0: must be an id like vpce-0a1b2c3d',
    ],
    [{ ...right, tags: { 'aws:team': 'shop' } }, 'tags.aws:team: must not begin with aws:'],
    [{ ...right, tags: { team: 'a;b' } }, 'tags.team: must consist of letters, digits, spaces and'],
    [
      { ...right, tags: Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`t${at}`, ''])) },
      'tags: may have 48',
    ],
    [{ ...right, bootstrapQualifier: 'My-Org' }, 'bootstrapQualifier: must be 1 to 10 lower-case letters and digits'],
    [{ ...right, permissionsBoundary: 'arn:aws:iam::aws:policy/x' }, 'permissionsBoundary: must be the name of a'],
    [outside({ bedrockGuardrail: { id: 'My guardrail' } }), 'outsideDetectors.bedrockGuardrail.id: must be the id or'],
    [outside({ bedrockGuardrail: { id: 'gr1', version: 'latest' } }), 'outsideDetectors.bedrockGuardrail.version: '],
    [outside({ bedrockGuardrailChecks: ['topics'] }), 'outsideDetectors.bedrockGuardrailChecks.0: '],
    [outside({ bedrockGuardrailChecks: [] }), 'outsideDetectors.bedrockGuardrailChecks: '],
    [outside({ moderation: 'google' }), 'outsideDetectors.moderation: '],
    [outside({ deadlineMs: 1 }), 'outsideDetectors.deadlineMs: '],
    [outside({ judge: { model: 'claude-haiku-4-5' } }), 'outsideDetectors.judge.model: must be provider/model'],
    [outside({ judge: { model: 'azure/a/../b' } }), 'outsideDetectors.judge.model: is not a valid model'],
    [outside({ judge: { model: JUDGE, score: 0.4 } }), 'outsideDetectors.judge.score: '],
    [outside({ judge: { model: JUDGE, budgetUsdPerDay: 0 } }), 'outsideDetectors.judge.budgetUsdPerDay: '],
    [outside({ judge: { score: 0.8 } }), 'outsideDetectors.judge.model: '],
    [
      outside({ judge: { model: 'antropic/claude-haiku-4-5' } }),
      "outsideDetectors.judge: model 'antropic/claude-haiku-4-5' has no price",
    ],
    [{ ...right, retentionDays: { audit: 0 } }, 'retentionDays.audit: '],
    [{ ...right, account: 123456789012 }, 'account: must be the 12 digits of an AWS account in quotation marks'],
    [{ ...right, account: '1234' }, 'account: must be the 12 digits'],
    [{ ...right, encryptionKeyArn: 'alias/mine' }, 'encryptionKeyArn: must be the ARN of a KMS key'],
    [{ ...right, recordExport: { every: 'week' } }, 'recordExport.every: '],
    [{ ...right, recordExport: { every: 'day', keptDays: 0 } }, 'recordExport.keptDays: '],
    [{ ...right, alarmTopicArn: 'alarms' }, 'alarmTopicArn: must be the ARN of an SNS topic'],
    [{ ...right, alarmEmails: ['nobody'] }, 'alarmEmails.0: '],
    [{ ...right, alarmLimits: { dailyCostUsd: 0 } }, 'alarmLimits.dailyCostUsd: '],
    [{ ...right, watchedProviders: ['Open AI'] }, 'watchedProviders.0: must be the name of a provider'],
    [{ ...right, logLevel: 'loud' }, 'logLevel: '],
    [{ ...right, otlp: { endpoint: 'collector:4318' } }, 'otlp.endpoint: must be an http or https URL'],
    [{ ...right, otlp: { endpoint: 'http://user:pass@collector' } }, 'otlp.endpoint: must hold no user name'],
    [{ ...right, otlp: { endpoint: 'http://collector/#a' } }, 'otlp.endpoint: must hold no fragment'],
    [{ ...right, otlp: { endpoint: 'http://collector\n' } }, 'otlp.endpoint: must hold no white space'],
    [{ ...right, dashboardUrl: 'https://svc.example.com\r\n' }, 'dashboardUrl: must hold no white space'],
    [{ ...right, dashboardUrl: 'http://svc.example.com' }, 'dashboardUrl: must begin with https://'],
    [{ ...right, corsOrigins: ['https://app.example.com\n'] }, 'corsOrigins.0: must be an origin'],
    [{ ...right, otlp: { endpoint: 'http://127.0.0.1:4318', protocol: 'grpc' } }, 'otlp.protocol: '],
    [{ ...right, otlp: { endpoint: 'http://127.0.0.1:4318', headersSecretArn: 'otlp' } }, 'otlp.headersSecretArn: '],
    [{ ...right, tracePropagation: 'everybody' }, 'tracePropagation: '],
    [{ ...right, bedrock: { models: ['a b'] } }, 'bedrock.models.0: must be the id or the ARN of a model'],
    [outside({ when: 'uncertain:0.9-0.2' }), 'outsideDetectors.when: must be always, uncertain, or'],
    [{ ...right, encryptionKeyArn: keyArn }, 'encryptionKeyArn: needs `region`'],
    [{ ...right, encryptionKeyArn: keyArn, region: 'eu-west-1' }, 'encryptionKeyArn: needs `region`'],
    [{ ...right, distribution: { logs: true } }, 'distribution'],
    [{ ...right, distribution: { logBucket: 'Our_logs' } }, 'distribution'],
    [{ ...right, distribution: { readTimeoutSeconds: 181 } }, 'distribution'],
    [{ ...right, waf: true }, 'region: needed with the distribution and `waf` or `domain`'],
    [
      { ...right, domain: { name: 'ai.example.com', hostedZoneId: 'Z1', zoneName: 'example.com' } },
      'region: needed with the distribution and `waf` or `domain`',
    ],
    [{ ...right, distribution: false, publicFunctionUrls: false }, 'publicFunctionUrls: `false` would leave no'],
    [{ ...right, publicFunctionUrls: true }, 'publicFunctionUrls: only without the distribution'],
    [
      { ...right, distribution: false, onlyThroughDistribution: true },
      'onlyThroughDistribution: needs the distribution',
    ],
    [{ ...right, distribution: false, domain }, 'domain: needs the distribution'],
    [{ ...right, distribution: false, waf: true }, 'waf: needs the distribution or the REST API'],
    [{ ...right, domain: { name: 'ai.example.com' } }, 'domain: needs a certificateArn, or a zone'],
    [
      { ...right, domain: { ...domain, zoneName: 'example.com' } },
      'domain: hostedZoneId and zoneName are needed together',
    ],
    [{ ...right, domain: { ...domain, name: 'https://ai.example.com' } }, 'domain.name: must be the name of a host'],
    [
      { ...right, domain: { ...domain, certificateArn: domain.certificateArn.replace('us-east-1', 'eu-west-1') } },
      'domain.certificateArn: must be of us-east-1',
    ],
    [{ ...right, oidc: { issuer: 'https://id.example.com', clientId: 'c' } }, 'oidc: needs `dashboardUrl`'],
    [{ ...right, restApi: { timeout: 1 } }, 'restApi: Unrecognized key: "timeout"'],
    [{ ...right, restApi: { domain: { name: 'api.example.com' } } }, 'restApi.domain.certificateArn: '],
    [{ ...right, waf: { rateLimit: 1 } }, 'waf.rateLimit: Too small'],
    [{ ...right, rollout: 'blue-green' }, 'rollout: '],
    [{ ...right, vpc: { ...vpc, subnetIds: [] } }, 'vpc.subnetIds: '],
    [{ ...right, vpc: { ...vpc, vpcId: 'my-vpc' } }, 'vpc.vpcId: must be an id like vpc-'],
    [{ ...right, compute: 'web-function', restApi: true }, 'restApi: not with compute web-function'],
    [{ ...right, compute: 'fargate', restApi: true }, 'restApi: not with compute fargate'],
    [{ ...right, compute: 'fargate', distribution: false }, 'compute: fargate without the distribution needs'],
    [
      { ...right, compute: 'fargate', distribution: false, fargate: { certificateArn: CERTIFICATE } },
      'needs fargate.certificateArn and fargate.domainName',
    ],
    [privateApi({ compute: 'web-function' }), 'restApi.vpcEndpointIds: not with compute web-function'],
    [
      privateApi({ ...PRIVATE_CONTAINERS, vpc: undefined, syntheticCheck: false }),
      'restApi.vpcEndpointIds: with compute fargate needs `vpc`',
    ],
    [privateApi({ ...PRIVATE_CONTAINERS, waf: true }), 'waf: not with a private load balancer'],
    [{ ...right, monthlyBudgetUsd: 0 }, 'monthlyBudgetUsd: '],
    [{ ...right, compute: 'fargate', fargate: { minTasks: 11 } }, 'fargate.minTasks: 11 is more than maxTasks, 10'],
    [{ ...right, compute: 'fargate', fargate: { cpu: 4_096 } }, 'fargate.memoryMb: 2048 does not go with 4096'],
    [{ ...right, compute: 'fargate', fargate: { cpu: 512 } }, 'fargate.cpu: '],
    [
      { ...right, compute: 'fargate', vpc: { ...vpc, subnetIds: ['subnet-0a1b2c3d'] } },
      'vpc.subnetIds: compute fargate',
    ],
    [
      { ...right, compute: 'fargate', region: 'eu-west-1', fargate: { certificateArn: CERTIFICATE } },
      'fargate.certificateArn: must be of eu-west-1',
    ],
    [
      { ...right, provisionedConcurrency: 2, rollout: 'canary-10-5m' },
      'provisionedConcurrency: not with the rollout canary-10-5m',
    ],
    [
      { ...right, provisionedConcurrency: 3, reservedConcurrency: 2 },
      'provisionedConcurrency: 3 is more than reservedConcurrency, 2',
    ],
    [undefined, 'context.stages.Staging: missing'],
  ])('%j', (settings, message) => {
    expect(() => readSettings(nodeWith({ stage: 'Staging', stages: { Staging: settings } }))).toThrow(message);
  });

  test('an unknown stage', () => {
    expect(() => readSettings(nodeWith({ stage: 'Prod' }))).toThrow('-c stage=Prod: choose from Production,');
  });
});

describe('compute can be changed alone', () => {
  const all = { ...right, tracing: true, rollout: 'linear-10-1m', reservedConcurrency: 10, fargate: { maxTasks: 20 } };
  const noteOf = (settings: object) =>
    unusedNote(readSettings(nodeWith({ stage: 'Staging', stages: { Staging: settings } })));
  test.each([
    [undefined, 'The gateway with compute function-url does not use fargate.'],
    [
      'web-function',
      'The gateway with compute web-function does not use memoryMb, reservedConcurrency, tracing (used by the other functions), rollout (used by the other functions), fargate.',
    ],
    [
      'fargate',
      'The gateway with compute fargate does not use memoryMb, reservedConcurrency, tracing (used by the other functions), rollout (used by the other functions).',
    ],
  ])('to %s: a note names what is not used', (compute, note) => {
    expect(noteOf({ ...all, ...(compute !== undefined && { compute }) })).toBe(note);
  });
  test('there is no note if all is used', () => {
    const { memoryMb: _, ...others } = right;
    expect([noteOf(right), noteOf({ ...others, compute: 'fargate' })]).toEqual([undefined, undefined]);
  });
});

test('a judging model has a price in the table, or in the settings', () => {
  const mine = { 'mine/small': { input: 1, output: 2 } };
  for (const settings of [
    outside({ judge: { model: JUDGE } }),
    { ...outside({ judge: { model: 'mine/small' } }), modelPrices: mine },
  ]) {
    expect(readSettings(nodeWith({ stage: 'Staging', stages: { Staging: settings } }))).toMatchObject(settings);
  }
});

test('the distribution is on by default, the REST API and WAF are off, and each can be a boolean', () => {
  expect([distributionOf({}), restApiOf({}), wafOf({})]).toEqual([{}, undefined, undefined]);
  const on = { distribution: true, restApi: true, waf: true };
  expect([distributionOf(on), restApiOf(on), wafOf(on)]).toEqual([{}, {}, {}]);
  expect(distributionOf({ distribution: false })).toBeUndefined();
  expect(wafOf({ waf: { rateLimit: 10 } })).toEqual({ rateLimit: 10 });
});
