/** One gateway and one provider for the tests of a file that imports this. */
import { afterAll, beforeAll } from '@jest/globals';
import { GITHUB_TOKEN } from '../../contract/inspection/planted-secret.ts';
import { type Exchange, type Gateway, startGateway } from '../../fidelity/gateway.ts';
import type { Answer } from '../../fidelity/upstream.ts';
import { APIS, jsonsIn, type ResponseApi, sse } from './answer-formats.ts';

export const LEAK = JSON.stringify(`The token is ${GITHUB_TOKEN} for now.`);
export const FINE = '"All is well."';
export const MARK = GITHUB_TOKEN.slice(4, 16);

export let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

export async function ask({ path, body, type }: ResponseApi, answer: Answer): Promise<Exchange> {
  const [exchange] = await gateway.askAll([{ path, body, type: type ?? 'application/json', answer }]);
  return exchange as Exchange;
}

/** The value with a leak in each place, in turn: as a text, in a list and in objects. */
export function variantsOf(value: unknown): unknown[] {
  const leak = JSON.parse(LEAK) as string;
  const own = [leak, [leak], [{ text: leak }], { text: leak }, { 0: leak }, [[leak]], 4.5];
  if (typeof value !== 'object' || value === null) return own;
  const inside = Object.entries(value).flatMap(([name, member]) =>
    variantsOf(member).map((variant) =>
      Array.isArray(value) ? value.with(Number(name), variant) : { ...value, [name]: variant },
    ),
  );
  return [...own, ...inside];
}

/** What a client has that joins the strings of one member over all events. */
export function joinedIn(text: string, name: string): string {
  const strings: string[] = [];
  const visit = (value: unknown, of: string): void => {
    if (typeof value === 'string' && of === name) strings.push(value);
    if (typeof value === 'object' && value !== null)
      for (const [at, item] of Object.entries(value)) visit(item, Array.isArray(value) ? of : at);
  };
  for (const { svc: _, ...event } of jsonsIn(text)) visit(event, '');
  return strings.join('');
}

export const {
  chat: CHAT,
  responses: RESPONSES,
  messages: MESSAGES,
  gemini: GEMINI,
  completions: COMPLETIONS,
} = APIS as Record<string, ResponseApi>;
export const streamOf = (api: ResponseApi | undefined) => ({ ...api, ...api?.streamed }) as ResponseApi;
export const chatChunk = (delta: object, more: object = {}, reason: string | null = null) =>
  JSON.stringify({ id: 'c1', ...more, choices: [{ index: 0, delta, finish_reason: reason }] });
export const CHAT_END = [chatChunk({}, {}, 'stop'), '[DONE]'];
/** Events of the Messages API around those of its first block. */
export const blockEvents = (block: object, ...deltas: object[]) => [
  {
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} },
  },
  { type: 'content_block_start', index: 0, content_block: block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];
export const eventsOf = (events: readonly object[]) => sse(...events.map((event) => JSON.stringify(event)));
