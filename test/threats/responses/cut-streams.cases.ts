import { beforeAll, describe, expect, test } from '@jest/globals';
import { namesIn } from '../../fuzz/hostile-calls.ts';
import { CONVERSATIONS, MAIL, ORDER, SENT } from '../mail-agent.ts';
import { sse } from './answer-formats.ts';
import { gateway } from './answers.ts';
import { CALL_APIS } from './called-tools.ts';

type Name = keyof typeof CALL_APIS;

const SEND = { name: 'send_email', args: SENT };
const REPLY = { name: 'send_email', args: { to: 'kim@partner.example', subject: 'Offer', body: 'Thursday suits us.' } };
const USER = 'Summarise mail m-1 and reply to Kim that Thursday suits us.';
/** The client's API, the model, and the API of the model's provider. */
const ROUTES: readonly (readonly [client: Name, model: string, provider: Name])[] = [
  ['chat', 'gpt', 'chat'],
  ['chat', 'claude', 'messages'],
  ['chat', 'gemini', 'gemini'],
  ['responses', 'gpt', 'responses'],
  ['responses', 'claude', 'messages'],
  ['messages', 'claude', 'messages'],
  ['messages', 'gpt', 'chat'],
  ['messages', 'gemini', 'gemini'],
  ['gemini', 'gemini', 'gemini'],
  ['gemini', 'gpt', 'chat'],
];
/** The event that ends a call. */
const END: Readonly<Record<Name, RegExp>> = {
  chat: /"finish_reason":"/,
  responses: /output_item\.done/,
  messages: /content_block_stop/,
  gemini: /"functionCall":\{(?:\}|"name":"\w+","args")/,
};
const FAILED = JSON.stringify({ type: 'error', error: { message: 'Failed.', type: 'api_error', code: 500 } });

let asking: string;
beforeAll(async () => {
  asking = await gateway.newKey({ output: { tool_misuse: { action: 'ask', threshold: 0.5 } } });
});

/** What clients get of streams with these events. */
async function receive(client: Name, model: string, streams: readonly (readonly string[])[]): Promise<string[]> {
  const api = CALL_APIS[client];
  const asked = streams.map((events) => ({
    path: (lane: number) => api.path(lane, true).replace('gemini-', `${model}-`),
    body: (lane: number) => {
      const members = { ...api.members(lane, true), ...CONVERSATIONS[client](USER, MAIL(ORDER)) };
      return JSON.stringify({ ...members, ...(client !== 'gemini' && { model: `${model}-w${lane}` }) });
    },
    type: 'application/json',
    headers: { authorization: `Bearer ${asking}` },
    answer: sse(...events),
  }));
  return (await gateway.askAll(asked)).map(({ text }) => text);
}

/** Vertex AI's pieces of arguments are not translated. */
const sizeFor = (client: Name, provider: Name) => (client !== provider && provider === 'gemini' ? 1000 : 7);
const eventsOf = (client: Name, provider: Name, call: typeof SEND) =>
  String(CALL_APIS[provider].streamed([call], sizeFor(client, provider)).body)
    .split('\n\n')
    .flatMap((event) => /^data: (.*)/m.exec(event)?.[1] ?? []);

describe.each(ROUTES)('a stream to %s of %s that its provider ends early', (client, model, provider) => {
  test('has no call that waits for an approval, wherever it is cut, and ends with an error', async () => {
    const events = eventsOf(client, provider, SEND);
    const end = events.findIndex((event) => END[provider].test(event));
    const cuts = events.map((_, at) => events.slice(0, at + 1));
    const texts = await receive(client, model, [...cuts, ...cuts.map((cut) => [...cut, FAILED])]);
    for (const text of texts) expect(namesIn(text)).not.toContain('send_email');
    for (const text of texts.slice(0, end)) expect(text).toMatch(/"error":\{/);
  });

  test('has no held call that is incomplete', async () => {
    const events = eventsOf(client, provider, REPLY);
    const end = events.findIndex((event) => END[provider].test(event));
    const cuts = events.slice(0, end).map((_, at) => events.slice(0, at + 1));
    for (const text of await receive(client, model, cuts)) expect(namesIn(text)).not.toContain('send_email');
    const [whole] = await receive(client, model, [events]);
    expect(namesIn(whole as string)).toContain('send_email');
  });
});
