import { expect } from '@jest/globals';
import type { Contract } from '../contract.ts';
import type { Reply } from '../reply.ts';
import { toResponseStream } from './responses-reply.ts';

export const GPT = 'gpt-4o-mini';

/** Calls of the Responses API beside the one that creates a response. */
export function storedResponsesCalls(contract: Contract) {
  const ask = (body: object, key = contract.key) => contract.call('/responses', JSON.stringify(body), { key });
  const create = async (more: object = {}, key = contract.key): Promise<Reply> => {
    const reply = await ask({ model: GPT, input: 'Hi', ...more }, key);
    expect(reply.status).toBe(200);
    return reply;
  };
  const at = (id: string, call = '', method = 'GET', key = contract.key) =>
    contract.call(`/responses/${id}${call}`, undefined, { method, key });
  const streamOf = async (id: string, query = '', key = contract.key) =>
    toResponseStream(await contract.fetch(`/responses/${id}?stream=true${query}`, undefined, { key }));
  /** Fetches a background response until it is done. */
  const polled = (id: string, key = contract.key) =>
    contract.settled(
      () => at(id, '', 'GET', key),
      ({ json }) => !['queued', 'in_progress'].includes(json.status),
    );
  return { ask, create, at, streamOf, polled };
}

// biome-ignore lint/suspicious/noExplicitAny: as it came
export function withoutSvc(event: any): unknown {
  if (event.response === undefined) return event;
  const { svc: _, ...response } = event.response;
  return { ...event, response };
}
