import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import type { ProviderSettings, Service } from '../contract/service.ts';
import { type Providers, type Reply, startProviders } from '../support/start-providers.ts';
import { MAIL, ORDER, SENT } from '../threats/mail-agent.ts';
import type { Client, Target } from './any-model/client.ts';
import { LANGCHAIN } from './any-model/langchain.ts';
import { SDKS } from './any-model/sdks.ts';
import { VERCEL } from './any-model/vercel.ts';
import { startService } from './start-service.ts';
import { unpairedIn } from './unpaired-calls.ts';

/** Each SDK with a model of each protocol, of which the policy removes a tool call. */
const CLIENTS: readonly Client[] = [...SDKS, ...VERCEL, ...LANGCHAIN];
const MODELS: Readonly<Record<Target, string>> = {
  // Its items are sent back as references by Vercel's SDK, those of models with reasoning are not.
  OpenAI: 'gpt-4o-mini',
  Anthropic: 'claude-sonnet-4-5',
  Google: 'gemini-2.5-pro',
  Bedrock: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
};

const calls = (...made: readonly (readonly [name: string, args: object])[]) =>
  made.map(([name, args], at) => ({ id: `call_${name}_${at}`, name, arguments: JSON.stringify(args) }));
const READ = ['read_mail', { id: 'm-1' }] as const;
const NEXT = ['read_mail', { id: 'm-2' }] as const;
const SEND = ['send_email', { to: SENT.to, body: SENT.body }] as const;
const ANSWER = ['send_email', { to: 'kim@partner.example', body: 'Thursday suits us.' }] as const;
const REPLIES: readonly Reply[] = [
  { toolCalls: calls(READ) },
  { text: 'Let me see.', toolCalls: calls(NEXT, SEND, ANSWER) },
  { text: 'Done.' },
];

let replies: Reply[] = [];
const bodies: string[] = [];
const faults: string[] = [];
let providers: Providers;
let service: Service;
let key: string;

beforeAll(async () => {
  providers = await startProviders((body) => {
    bodies.push(JSON.stringify(body));
    const isContinued = (body as { previous_response_id?: string }).previous_response_id != null;
    const fault = isContinued ? unansweredIn(body) : unpairedIn(body);
    if (fault === undefined) return replies.shift() ?? {};
    faults.push(fault);
    return { status: 400 };
  });
  service = await startService(providers.settings as ProviderSettings);
  key = await newKey();
});
async function newKey(): Promise<string> {
  const policy = { output: { tool_misuse: { action: 'block' } } };
  const response = await fetch(`${service.adminUrl}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'blocking', rateLimit: { requests: 1_000_000, period: 'hour' }, policy }),
  });
  return ((await response.json()) as { key: string }).key;
}

afterAll(async () => {
  await service.stop();
  await providers.close();
});
beforeEach(() => {
  replies = [...REPLIES];
  bodies.length = 0;
  faults.length = 0;
});

describe.each(CLIENTS.map((client) => [client.name, client] as const))('%s', (_, client) => {
  test.each(
    Object.entries(MODELS).flatMap(([target, model]) =>
      [false, true].map((streams) => [target, streams ? 'streamed' : 'whole', model, streams] as const),
    ),
  )('with %s, %s, reads the text in the place of a removed call, and goes on', async (_, __, model, streams) => {
    const connection = { origin: service.baseUrl.replace(/\/v1$/, ''), key };
    const outcome = await client
      .ask(connection, { model, streams, has: 'mail' })
      .catch((error: unknown) => ({ text: String(error), calls: [] }));
    expect(faults).toEqual([]);
    expect(outcome.text).toBe('Done.');
    expect(outcome.calls).toEqual([READ, NEXT, ANSWER].map(([name, args]) => ({ name, args })));
    expect(bodies).toHaveLength(3);
    const last = bodies[2] as string;
    // The provider has no item for the text.
    expect(last).not.toMatch(/"item_reference","id":"msg_[0-9a-f]{32}\d"/);
    expect(last).not.toContain(SENT.body);
    expect(last.indexOf('Let me see.')).toBeLessThan(last.indexOf('The call of send_email was blocked'));
  });
});

test.each([[false], [true]])(
  'a response that its provider stores with the removed call can be continued, and not fetched (stream: %s)',
  async (streams) => {
    const openai = new OpenAI({ apiKey: key, baseURL: service.baseUrl, maxRetries: 0 });
    replies = [{ text: 'Let me see.', toolCalls: calls(SEND) }, { text: 'Done.' }];
    const model = MODELS.OpenAI;
    const call = { type: 'function_call', call_id: 'c1', name: 'read_mail', arguments: '{"id":"m-1"}' } as const;
    const input = [
      { role: 'user', content: 'Summarise mail m-1.' } as const,
      call,
      { type: 'function_call_output', call_id: 'c1', output: MAIL(ORDER) } as const,
    ];
    const asked = { model, input, store: true };
    const { id, output } = await (streams
      ? openai.responses.stream(asked).finalResponse()
      : openai.responses.create(asked));
    expect(output.map(({ type }) => type)).toEqual(['message', 'message']);
    await expect(openai.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    for (const input of ['Go on.', [{ role: 'user', content: 'Go on.' } as const]]) {
      replies = [{ text: 'Done.' }];
      const next = await openai.responses.create({ model, input, previous_response_id: id });
      expect(next.output_text).toBe('Done.');
      expect(JSON.parse(bodies.at(-1) as string).input).toEqual([
        { type: 'function_call_output', call_id: 'call_send_email_0', output: expect.stringContaining('not run') },
        { role: 'user', content: 'Go on.' },
      ]);
    }
    const other = await newKey();
    const stolen = new OpenAI({ apiKey: other, baseURL: service.baseUrl, maxRetries: 0 }).responses.create({
      ...{ model, input: 'Go on.', previous_response_id: id },
    });
    await expect(stolen).rejects.toMatchObject({ status: 404 });
  },
);

/** OpenAI's 400 "No tool output found for function call": the stored response has the call that was removed. */
function unansweredIn(body: unknown): string | undefined {
  const { previous_response_id: previous, input } = body as { previous_response_id?: string; input?: unknown };
  if (previous === undefined || previous === null) return undefined;
  const items = Array.isArray(input) ? (input as { call_id?: string }[]) : [];
  return items.some(({ call_id }) => call_id === 'call_send_email_0')
    ? undefined
    : 'No tool output found for function call call_send_email_0.';
}
