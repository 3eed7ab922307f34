import { expect } from '@jest/globals';
import type { CallOptions, Contract } from '../contract.ts';
import { type ResponseStream, toResponseStream } from './responses-reply.ts';

export const GPT = 'gpt-4o-mini';
export const CLAUDE = 'claude-sonnet-4-5';
export const MODELS = [['echo'], [GPT], [CLAUDE]];
export const PROMPT = 'Good morning to you';
export const CALLS = [
  { id: 'call_1', name: 'get_weather', arguments: '{"city":"Rome","unit":"C"}' },
  { id: 'call_2', name: 'get_time', arguments: '{"zone":"Europe/Rome"}' },
];
export const TOOLS = CALLS.map(({ name }) => ({
  type: 'function' as const,
  name,
  strict: false,
  parameters: { type: 'object', properties: {} },
}));
/** Odd spacing, escapes, number forms and unknown fields: what a parser would lose on the way. */
export const ODD =
  '{ "model" : "gpt-4o-mini",\n\t"input":[ {"role":"user","content":[{"type":"input_text","text":"caf\\u00e9 \\/ \\ud83d\\ude00"} ]},' +
  '{"type":"hologram","x":[ 1.0 ]}],"temperature":1.0, "x_big":12345678901234567890,' +
  '"x_new":{"b":1E3,"a":[ ]},"tools":[{"type":"web_search"}] ,"\\u00e9":null}\n';

export const asking = (input: unknown, model = GPT, more: object = {}) => ({ model, input, ...more });

export function expectGood({ status, headers, faults }: ResponseStream): void {
  expect([status, faults]).toEqual([200, []]);
  expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
}

/** Calls of the Responses API. */
export function responsesCalls(contract: Contract) {
  const ask = (body: object | string, options?: CallOptions) =>
    contract.call('/responses', typeof body === 'string' ? body : JSON.stringify(body), options);
  const stream = async (body: object, options?: CallOptions) =>
    toResponseStream(await contract.fetch('/responses', JSON.stringify({ ...body, stream: true }), options));
  return { ask, stream };
}
