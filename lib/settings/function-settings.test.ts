import { describe, expect, test } from '@jest/globals';
import type { Setting, StageSetting } from '../../functions/adapters/env.ts';
import { GATEWAY_SETTINGS } from '../../functions/gateway/env.ts';
import { FUNCTION_SETTINGS, localVariables, readLocalSettings, stageVariables } from './function-settings.ts';
import { STAGE_SETTINGS } from './stage-settings.ts';

const ofFunctions = Object.values(FUNCTION_SETTINGS).flatMap((table) => Object.entries<Setting>(table));
const ofStages = [...ofFunctions, ...Object.entries<StageSetting>(STAGE_SETTINGS)];

describe('each setting', () => {
  test('is the same in all tables that name its variable or its path in cdk.json', () => {
    const unlike = (key: (name: string, setting: Setting) => string | undefined) =>
      ofFunctions.filter(([name, setting]) =>
        ofFunctions.some(([other, like]) => like !== setting && key(other, like) === key(name, setting)),
      );
    expect(unlike((_name, { variable }) => variable)).toEqual([]);
    expect(unlike((name, { path = name }) => path)).toEqual([]);
  });

  test.each(ofStages)('has a valid example: %s', (_name, { inStage, example }) => {
    if (inStage !== undefined) expect(inStage().parse(example)).toEqual(example);
  });

  test.each(ofFunctions)('is read as its example: %s', (_name, { schema, toText, example }) => {
    expect(schema.safeParse(toText?.(example as never)).success).toBe(true);
  });
});

test('a function gets variables only for settings that are set', () => {
  const stage = { sessionIdleMinutes: 15, providerTimeoutSeconds: 2, retentionDays: { records: 14, audit: 30 } };
  expect(stageVariables(GATEWAY_SETTINGS, stage)).toEqual({
    SVC_SESSION_IDLE_MINUTES: '15',
    SVC_PROVIDER_TIMEOUT_MS: '2000',
    SVC_RECORD_DAYS: '14',
  });
  expect(stageVariables(GATEWAY_SETTINGS, {})).toEqual({});
});

test('the local run reads the same settings, except those of a deployment', () => {
  expect(localVariables(GATEWAY_SETTINGS)).not.toHaveProperty('SVC_BEDROCK');
  const settings = readLocalSettings(GATEWAY_SETTINGS, { SVC_SESSION_IDLE_MINUTES: '15', SVC_RECORD_DAYS: '' });
  expect(settings).toMatchObject({ sessionIdleMinutes: 15, recordDays: 30 });
  expect(settings).not.toHaveProperty('echo');
});
