import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toParam } from '../../functions/core/base/first-fault.ts';
import type { Preset } from '../../functions/core/model/policy.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import type { ProviderSettings, Service } from '../contract/service.ts';
import { readPublished } from '../fidelity/schema/read-published.ts';
import type { PublishedRoute } from '../fidelity/schema/shape.ts';
import { unknownIn } from '../fidelity/schema/unknown-in.ts';
import { AGENTS } from './agents.ts';
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';
import { runSession } from './session.ts';
import { STEPS } from './steps.ts';

/** What the service may do with an honest request under each preset. */
const HARMLESS: readonly (readonly [Preset, readonly string[]])[] = [
  ['balanced', ['allow']],
  ['strict', ['allow', 'flag', 'redact']],
];

const published = readPublished();

/** A model of each protocol that a provider of this service has. */
const MODELS = [
  'gpt-5.5',
  'gpt-4.1',
  'claude-sonnet-4-5',
  'gemini-3-pro-preview',
  'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
] as const;

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
  const cases = [agent.model, ...MODELS.filter((model) => model !== agent.model)].flatMap((model) =>
    HARMLESS.map(([preset, harmless]) => [model, preset, harmless] as const),
  );

  test.each(cases)('completes the script with %s under %s', async (model, preset, harmless) => {
    const { records, done, fault, exitCode, printed } = await runSession(agent, { preset }, service, provider, model);
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
    // A body in the agent's protocol passes as the agent wrote it.
    if (model !== agent.model) expect(foreignIn(provider.bodies)).toEqual([]);
  });
});

/** The published route that a translated body is for. */
function routeOf(body: unknown): string {
  const { contents, model } = body as { contents?: unknown; model?: string };
  if (contents !== undefined) return 'POST /v1beta/models/{call}';
  if (model === undefined) return 'POST /model/{modelId}/converse';
  return model.startsWith('claude') ? 'POST /v1/messages' : 'POST /v1/chat/completions';
}

/** The members of forwarded requests that the provider's published types do not name, by the API's name. */
function foreignIn(bodies: readonly unknown[]): string[] {
  const found = bodies.flatMap((body) => {
    const name = routeOf(body);
    const places = unknownIn((published.get(name) as PublishedRoute).request, body);
    return places.map((place) => `${name}: ${toParam(place).replace(/\[\d+\]/g, '[]')}`);
  });
  return [...new Set(found)];
}
