import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Preset } from '../../functions/kernel/model/index.ts';
import type { ProviderSettings, Service } from '../contract/service.ts';
import { unpublishedIn } from '../fidelity/schema/unpublished-in.ts';
import { type Providers, type Reply, startProviders } from '../support/start-providers.ts';
import { versionIn } from '../support/version-in.ts';
import {
  type Ask,
  type Client,
  type Connection,
  IMAGE,
  type Outcome,
  RESULT,
  type Target,
  TOOL,
} from './any-model/client.ts';
import { LANGCHAIN } from './any-model/langchain.ts';
import { LIMITS } from './any-model/limits.ts';
import { SDKS } from './any-model/sdks.ts';
import { VERCEL } from './any-model/vercel.ts';
import { startService } from './start-service.ts';

/** Each SDK with a model of each protocol. scripts/clients-matrix.ts makes a table of the titles. */
const CLIENTS: readonly Client[] = [...SDKS, ...VERCEL, ...LANGCHAIN];

/** A model of each protocol that a provider of this service has, and where its requests have what a feature needs. */
const TARGETS: Readonly<Record<Target, { model: string; schema: RegExp; reasoning: RegExp }>> = {
  OpenAI: {
    model: 'gpt-5.5',
    schema: /"type":"json_schema"/,
    reasoning: /"reasoning_effort":"medium"|"effort":"medium"/,
  },
  Anthropic: {
    model: 'claude-sonnet-4-5',
    schema: /"output_config":\{"format":/,
    reasoning: /"thinking":\{"type":"enabled"/,
  },
  Google: { model: 'gemini-2.5-pro', schema: /"response(?:Json)?Schema":/, reasoning: /"thinkingBudget":\d{4}/ },
  Bedrock: {
    model: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
    schema: /"outputConfig":\{"textFormat":|"output_config":\{"format":/,
    reasoning: /"thinking":\{"type":"enabled"/,
  },
};

const TEXT = 'It is sunny in Rome today.';
const CITY = '{"city":"Rome"}';
const CALL = { id: 'call_1', name: TOOL.name, arguments: CITY };
const TOKENS = { input: 31, output: 7 };
/** Vercel's provider for Anthropic sends a schema as a tool, unless it knows the model's name. */
const JSON_TOOL = /"name":"json"/;

const replies: Reply[] = [];
const bodies: string[] = [];
let providers: Providers;
let service: Service;
const keys = new Map<Preset, string>();

beforeAll(async () => {
  providers = await startProviders((body) => {
    const sent = JSON.stringify(body);
    bodies.push(sent);
    const reply = replies.shift() ?? { text: TEXT, tokens: TOKENS };
    return JSON_TOOL.test(sent) ? { toolCalls: [{ ...CALL, name: 'json' }] } : reply;
  });
  service = await startService(providers.settings as ProviderSettings);
  for (const preset of PRESETS) keys.set(preset, await newKey(preset));
});
afterAll(async () => {
  await service.stop();
  await providers.close();
});
beforeEach(() => {
  replies.length = 0;
  bodies.length = 0;
});

const PRESETS: readonly Preset[] = ['balanced', 'strict'];

async function newKey(preset: Preset): Promise<string> {
  const response = await fetch(`${service.adminUrl}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: preset, rateLimit: { requests: 1_000_000, period: 'hour' }, policy: { preset } }),
  });
  return ((await response.json()) as { key: string }).key;
}

interface Trial {
  readonly client: Client;
  readonly target: Target;
  ask(has?: Ask['has'], streams?: boolean): Promise<Outcome>;
}

/** What a client does with a model, by the name in the table. */
const FEATURES: Readonly<Record<string, (trial: Trial) => Promise<void>>> = {
  text: async ({ ask }) => {
    expect((await ask()).text).toBe(TEXT);
  },
  stream: async ({ ask }) => {
    expect((await ask(undefined, true)).text).toBe(TEXT);
  },
  'tool call': ({ ask }) => callTool(() => ask('tool')),
  'streamed tool call': ({ ask }) => callTool(() => ask('tool', true)),
  'structured output': async ({ ask, target }) => {
    replies.push({ text: CITY });
    expect((await ask('schema')).value).toEqual({ city: 'Rome' });
    const sent = bodies.at(-1) ?? '';
    if (!JSON_TOOL.test(sent)) expect(sent).toMatch(TARGETS[target].schema);
    expect(sent).toContain('city');
  },
  image: async ({ ask }) => {
    expect((await ask('image')).text).toBe(TEXT);
    expect(bodies.at(-1)).toContain(IMAGE);
  },
  reasoning: async ({ ask, target }) => {
    expect((await ask('reasoning')).text).toBe(TEXT);
    expect(bodies.at(-1)).toMatch(TARGETS[target].reasoning);
  },
  usage: async ({ ask }) => {
    expect((await ask()).usage).toEqual(TOKENS);
  },
  'streamed usage': async ({ ask }) => {
    expect((await ask(undefined, true)).usage).toEqual(TOKENS);
  },
  'error 429': async ({ client, ask }) => {
    for (const streams of [false, true]) {
      replies.push({ status: 429 });
      const error = await ask(undefined, streams).catch((thrown: unknown) => thrown);
      expect({ error, isRateLimit: client.isRateLimit(error) }).toMatchObject({ isRateLimit: true });
    }
  },
};

async function callTool(ask: () => Promise<Outcome>): Promise<void> {
  replies.push({ text: 'Let me see.', toolCalls: [CALL] });
  const { calls, text } = await ask();
  expect([calls, text]).toEqual([[{ name: TOOL.name, args: { city: 'Rome' } }], TEXT]);
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toContain(RESULT);
}

describe.each(
  CLIENTS.map(
    (client) =>
      [`${client.name} (${client.package} ${versionIn(import.meta.dirname, client.package)})`, client] as const,
  ),
)('%s', (_name, client) => {
  describe.each(Object.entries(TARGETS))('%s', (name, { model }) => {
    const target = name as Target;
    const limits = LIMITS.filter((one) => one.clients.test(client.name) && one.targets.includes(target));
    const trialOf = (preset: Preset): Trial => {
      const connection: Connection = {
        origin: service.baseUrl.replace(/\/v1$/, ''),
        key: keys.get(preset) as string,
      };
      const ask: Trial['ask'] = (has, streams = false) =>
        client.ask(connection, { model, streams, ...(has && { has }) });
      return { client, target, ask };
    };

    describe.each(PRESETS.map((preset) => [preset]))('%s', (preset) => {
      for (const [feature, check] of Object.entries(FEATURES)) {
        const limit = limits.find(({ features }) => features.includes(feature));
        if (limit === undefined) {
          test(feature, async () => {
            await check(trialOf(preset));
            // A body of the model's own protocol passes as the client wrote it.
            if (client.own !== target) expect(unpublishedIn(bodies.map((body) => JSON.parse(body)))).toEqual([]);
          });
        } else {
          // The table shows the reason; the test fails once the feature works.
          test(`${feature} (no: ${limit.reason})`, async () => {
            await expect(check(trialOf(preset))).rejects.toThrow(limit.error);
          });
        }
      }
    });
  });
});
