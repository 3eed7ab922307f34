import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PolicySettings, RequestRecord } from '../../functions/kernel/model/index.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import type { ProviderSettings, Service } from '../contract/service.ts';
import { unpublishedIn } from '../fidelity/schema/unpublished-in.ts';
import { versionIn } from '../support/version-in.ts';
import { AGENTS } from './agents.ts';
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';
import { runSession } from './session.ts';
import { STEPS } from './steps.ts';

/** What the service may do with an honest request under each policy. */
type Harmless = readonly [name: string, policy: PolicySettings, actions: readonly string[]];
const HARMLESS: readonly Harmless[] = [
  ['balanced', { preset: 'balanced' }, ['allow']],
  ['strict', { preset: 'strict' }, ['allow', 'flag', 'redact']],
];
const { SVC_TEST_POLICY } = process.env;
const POLICIES: readonly Harmless[] =
  SVC_TEST_POLICY === undefined
    ? HARMLESS
    : [['SVC_TEST_POLICY', JSON.parse(SVC_TEST_POLICY) as PolicySettings, ['allow', 'flag', 'redact']]];

/** Models of each protocol that a provider of this service has. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  OpenAI: ['gpt-5.5', 'gpt-4.1'],
  Anthropic: ['claude-sonnet-4-5'],
  Google: ['gemini-2.5-pro', 'gemini-3-pro-preview'],
  Bedrock: ['eu.anthropic.claude-sonnet-4-5-20250929-v1:0'],
};

let provider: ScriptedProvider;
let service: Service;
beforeAll(async () => {
  provider = await startScriptedProvider();
  service = await startLocalProcess(provider.settings as ProviderSettings);
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

test('the script has twenty turns or more', () => {
  expect(STEPS.length).toBeGreaterThanOrEqual(20);
});

/** Each agent with models of each protocol. scripts/clients-matrix.ts makes a table of the titles. */
const NAMED = AGENTS.map(
  (agent) => [`${agent.name} (${versionIn(import.meta.dirname, agent.package)})`, agent] as const,
);

describe.each(NAMED)('%s', (_name, agent) => {
  describe.each(Object.entries(TARGETS))('%s', (_target, models) => {
    const cases = models.flatMap((model) => POLICIES.map((policy) => [model, ...policy] as const));

    test.each(cases)('%s under %s', async (model, _name, policy, harmless) => {
      const { records, done, fault, exitCode, printed } = await runSession(agent, policy, service, provider, model);
      // The embedded stores miss their deadlines on a busy machine, and the agent tries again.
      const isTroubled = ({ action, status, errorCode }: RequestRecord) =>
        !harmless.includes(action) || (status !== 200 && errorCode !== 'unavailable');
      const troubled = records
        .filter(isTroubled)
        .flatMap(({ status, errorCode, action, findings }) => [
          `${action} ${status} ${errorCode}`,
          ...findings.map(({ rule, score, location }) => `${rule} ${score} ${location.part} ${location.field}`),
        ]);
      expect([...new Set(troubled)]).toEqual([]);
      expect({ done, fault, exitCode, printed: printed.slice(-2000) }).toMatchObject({
        done: STEPS.length,
        exitCode: 0,
      });
      // Each turn is a separate request; one more sends the last result.
      expect(records.length).toBeGreaterThan(STEPS.length);
      // A body of the model's own protocol passes as the agent wrote it.
      if (!models.includes(agent.model)) expect(unpublishedIn(provider.bodies)).toEqual([]);
    });
  });
});
