import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Preset } from '../../functions/core/model/policy.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import type { ProviderSettings, Service } from '../contract/service.ts';
import { AGENTS } from './agents.ts';
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';
import { runSession } from './session.ts';
import { STEPS } from './steps.ts';

/** What the service may do with an honest request under each preset. */
const HARMLESS: readonly (readonly [Preset, readonly string[]])[] = [
  ['balanced', ['allow']],
  ['strict', ['allow', 'flag', 'redact']],
];

let provider: ScriptedProvider;
let service: Service;
beforeAll(async () => {
  provider = await startScriptedProvider();
  service = await startLocalProcess(provider.settings as ProviderSettings);
}, 120_000);
afterAll(async () => {
  await service.stop();
  await provider.close();
});

test('the script has twenty turns or more', () => {
  expect(STEPS.length).toBeGreaterThanOrEqual(20);
});

describe.each(AGENTS.map((agent) => [agent.name, agent] as const))('%s', (_name, agent) => {
  test.each(HARMLESS)('completes the script under %s', async (preset, harmless) => {
    const { records, done, fault, exitCode, printed } = await runSession(agent, { preset }, service, provider);
    const troubled = records
      .filter(({ action, status }) => !harmless.includes(action) || status !== 200)
      .flatMap(({ status, errorCode, action, findings }) => [
        `${action} ${status} ${errorCode}`,
        ...findings.map(({ rule, score, location }) => `${rule} ${score} ${location.part} ${location.field}`),
      ]);
    expect([...new Set(troubled)]).toEqual([]);
    expect({ done, fault, exitCode, printed: printed.slice(-2000) }).toMatchObject({ done: STEPS.length, exitCode: 0 });
    // Each turn is a separate request to the route of the client's protocol; one more sends the last result.
    const turns = records.filter(({ route }) => route === agent.route);
    expect(turns.length).toBeGreaterThan(STEPS.length);
  });
});
