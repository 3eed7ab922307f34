import { expect } from '@jest/globals';
import type { CallOptions, Contract } from '../contract.ts';
import type { Reply } from '../reply.ts';
import { toMessageStream } from './messages-reply.ts';

export const CLAUDE = 'claude-sonnet-4-5';
export const GPT = 'gpt-4o-mini';
export const TOOLS = ['get_weather', 'get_time'].map((name) => ({
  name,
  input_schema: { type: 'object', properties: {} },
}));
export const CALLS = [
  { id: 'toolu_1', name: 'get_weather', arguments: '{"city":"Rome","unit":"C"}' },
  { id: 'toolu_2', name: 'get_time', arguments: '{"zone":"Europe/Rome"}' },
];
/** Odd spacing, escapes, number forms and unknown fields: what a parser would lose on the way. */
export const ODD =
  '{ "model" : "claude-sonnet-4-5",\n\t"messages":[ {"role":"user","content":[{"type":"text","text":"caf\\u00e9 \\/ \\ud83d\\ude00",' +
  '"cache_control":{"type":"ephemeral"} }]} ],"temperature":1.0, "top_k":12345678901234567890,' +
  '"x_new":{"b":1E3,"a":[ ]},"max_tokens":50 ,"\\u00e9":null}\n';

/** A request of one user message. */
export function saying(content: string | object[], model = CLAUDE, more: object = {}): object {
  return { model, max_tokens: 500, messages: [{ role: 'user', content }], ...more };
}

/** The score of a session has 250 ms to be read, which a busy machine may take longer for. */
export const AT_MOST_THE_SESSION = expect.not.arrayContaining([
  expect.stringMatching(/^(?!session (?:score|memory)$)/),
]);

/** Calls of the Messages API, and the records of them. */
export function messagesCalls(contract: Contract) {
  const ask = (body: object | string, options?: CallOptions) =>
    contract.call('/messages', typeof body === 'string' ? body : JSON.stringify(body), options);
  const stream = async (body: object, options?: CallOptions) =>
    toMessageStream(await contract.fetch('/messages', JSON.stringify({ ...body, stream: true }), options));
  const count = (body: object, options?: CallOptions) =>
    contract.call('/messages/count_tokens', JSON.stringify(body), options);
  const recordOf = async (reply: { headers: Headers }, keyId: string) => {
    const id = reply.headers.get('x-request-id');
    const found = ({ json }: Reply) => json.data?.find((record: { id: string }) => record.id === id);
    const ask = () => contract.analytics(`/requests?keyId=${keyId}`);
    return found(await contract.settled(ask, (reply) => found(reply) !== undefined));
  };
  return { ask, stream, count, recordOf };
}
