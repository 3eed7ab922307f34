import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type Node, RootConstruct } from 'constructs';
import { readSettings } from './settings.ts';

const right = { logRetentionDays: 30, memoryMb: 1024, tracing: false };

const outside = (outsideDetectors: object) => ({ ...right, outsideDetectors });

function nodeWith(context: Readonly<Record<string, unknown>>): Node {
  const { node } = new RootConstruct();
  for (const [name, value] of Object.entries(context)) node.setContext(name, value);
  return node;
}

test('the settings of the stage that is asked for are read', () => {
  const stages = { Production: { ...right, region: 'eu-central-1', echo: false }, Development: {} };
  expect(readSettings(nodeWith({ stage: 'Production', stages }))).toEqual({
    ...stages.Production,
    stage: 'Production',
  });
});

test('Development is the stage where none is named', () => {
  expect(readSettings(nodeWith({ stages: { Development: right } }))).toEqual({ ...right, stage: 'Development' });
});

test.each(['Production', 'Staging', 'Development'])('cdk.json has right settings for %s', (stage) => {
  const { context } = JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8'));
  expect(readSettings(nodeWith({ ...context, stage })).stage).toBe(stage);
});

describe('a wrong setting is named', () => {
  test.each<[settings: unknown, message: string]>([
    [{ ...right, memoryMb: 64 }, 'context.stages.Staging: memoryMb: '],
    [{ ...right, logRetentionDays: 31 }, 'context.stages.Staging: logRetentionDays: '],
    [{ ...right, tracing: 'yes' }, 'context.stages.Staging: tracing: '],
    [{ ...right, region: 'Frankfurt' }, 'context.stages.Staging: region: is not the name of a region'],
    [{ ...right, memoryMB: 64 }, '"memoryMB"'],
    [{ memoryMb: 1024 }, 'logRetentionDays: '],
    [outside({ bedrockGuardrail: { id: 'My guardrail' } }), 'outsideDetectors.bedrockGuardrail.id: must be the id or'],
    [outside({ bedrockGuardrail: { id: 'gr1', version: 'latest' } }), 'outsideDetectors.bedrockGuardrail.version: '],
    [outside({ moderation: 'google' }), 'outsideDetectors.moderation: '],
    [outside({ deadlineMs: 1 }), 'outsideDetectors.deadlineMs: '],
    [{ ...right, retentionDays: { audit: 0 } }, 'retentionDays.audit: '],
    [{ ...right, encryptionKeyArn: 'alias/mine' }, 'encryptionKeyArn: must be the ARN of a KMS key'],
    [{ ...right, recordExport: { every: 'week' } }, 'recordExport.every: '],
    [{ ...right, recordExport: { every: 'day', keptDays: 0 } }, 'recordExport.keptDays: '],
    [{ ...right, alarmTopicArn: 'alarms' }, 'alarmTopicArn: must be the ARN of an SNS topic'],
    [{ ...right, alarmEmails: ['nobody'] }, 'alarmEmails.0: '],
    [{ ...right, alarmLimits: { dailyCostUsd: 0 } }, 'alarmLimits.dailyCostUsd: '],
    [{ ...right, watchedProviders: ['Open AI'] }, 'watchedProviders.0: must be the name of a provider'],
    [{ ...right, logLevel: 'loud' }, 'logLevel: '],
    [{ ...right, otlp: { endpoint: 'collector:4318' } }, 'otlp.endpoint: must be an http or https address'],
    [{ ...right, otlp: { endpoint: 'http://127.0.0.1:4318', protocol: 'grpc' } }, 'otlp.protocol: '],
    [{ ...right, otlp: { endpoint: 'http://127.0.0.1:4318', headersSecretArn: 'otlp' } }, 'otlp.headersSecretArn: '],
    [{ ...right, tracePropagation: 'everybody' }, 'tracePropagation: '],
    [{ ...right, bedrock: { models: ['a b'] } }, 'bedrock.models.0: must be the id or the ARN of a model'],
    [outside({ when: 'uncertain:0.9-0.2' }), 'outsideDetectors.when: must be always, uncertain, or'],
    [undefined, 'context.stages.Staging: missing'],
  ])('%j', (settings, message) => {
    expect(() => readSettings(nodeWith({ stage: 'Staging', stages: { Staging: settings } }))).toThrow(message);
  });

  test('an unknown stage', () => {
    expect(() => readSettings(nodeWith({ stage: 'Prod' }))).toThrow('-c stage=Prod: choose from Production,');
  });
});
