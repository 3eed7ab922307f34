import { describe, expect, it } from '@jest/globals';
import type { StoredItems } from '../control/stored-items/index.ts';
import { ResponseSealer } from '../kernel/crypto/index.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import { readJsonDocument } from '../kernel/json/index.ts';
import type { OutputItem } from '../kernel/model/index.ts';
import { loadApi } from '../translation/index.ts';
import { expandReferences, keepItems } from './response-items.ts';
import { runningRequest } from './running-request.fixture.ts';

const { items: RULES } = (await loadApi('openai-responses'))();
const A = 'a'.repeat(32);
const B = 'b'.repeat(32);
const scheduler = { cpuMs: () => 0, monotonic: () => 0, nextTurn: async () => {} };

type Find = StoredItems['find'];
type Keep = StoredItems['keep'];

function world({ items = [], keepFails }: { items?: readonly OutputItem[]; keepFails?: Error } = {}) {
  const finds: Parameters<Find>[] = [];
  const keeps: Parameters<Keep>[] = [];
  const storedItems = {
    find: async (...asked: Parameters<Find>) => {
      finds.push(asked);
      return new Map(items.map((item) => [item.id as string, item]));
    },
    keep: async (...asked: Parameters<Keep>) => {
      keeps.push(asked);
      if (keepFails) throw keepFails;
    },
    remove: async () => {},
  };
  const tracking = { sessionId: null, endUserId: 'ann', environment: null, appVersion: null, tags: {} };
  const running = runningRequest({ requestId: `req_${A}`, tracking });
  const context = { ...running.context, sealerFor: (name: string) => new ResponseSealer('secret', name) };
  const request = { ...running, context };
  const expand = async (body: unknown, maxBodyBytes = 10_000) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const deps = { storedItems, maxBodyBytes, scheduler };
    return (await expandReferences(context, readJsonDocument(text), RULES, deps)).text;
  };
  const keep = (output: readonly OutputItem[] = items) =>
    keepItems(context, request.lifetime, output, request.outcome.note, { storedItems });
  return { request, expand, keep, finds, keeps };
}

const refer = (id: string) => ({ type: 'item_reference', id });
const MESSAGE = { id: `msg_${A}0`, type: 'message', role: 'assistant', content: 'Well' };
const CALL = { id: `fc_${A}1`, type: 'function_call', call_id: 'c', name: 'n', arguments: '{"é":1}' };
const OTHER = { id: `msg_${B}0`, type: 'message', role: 'assistant', content: 'Other' };
const ITEMS = [MESSAGE, CALL, OTHER];

describe('references to stored items', () => {
  it('are replaced one for one, and every other byte stays', async () => {
    const { expand, finds } = world({ items: ITEMS });
    const around = [
      '{ "model":"m",\n"input":[{"role" : "user"} , ',
      ' ,',
      ',{"type":"item_reference","id":"x"}], "n":1.0}',
    ];
    const [message, call] = [JSON.stringify(refer(MESSAGE.id)), JSON.stringify({ id: CALL.id })];
    const [asMessage, asCall] = [JSON.stringify(MESSAGE), JSON.stringify({ ...CALL, id: undefined })];
    expect(await expand(around[0] + message + around[1] + call + around[2])).toBe(
      around[0] + asMessage + around[1] + asCall + around[2],
    );
    expect(finds).toHaveLength(1);
  });

  it('are read together, each response once, for the key', async () => {
    const { expand, finds } = world({ items: ITEMS });
    await expand({ input: [...ITEMS, ...ITEMS].map(({ id }) => refer(id)) });
    expect(finds).toMatchObject([[{ keyId: 'key_1' }, new Set([A, B]), 10_000]]);
  });

  it('cost nothing in a request without them', async () => {
    const { expand, finds } = world({ items: ITEMS });
    const text = JSON.stringify({ input: [MESSAGE, CALL, refer('msg_1')] });
    expect([await expand(text), finds]).toEqual([text, []]);
  });

  it('that are unknown are a 404 that names the first and what to do', async () => {
    const { expand } = world({ items: [MESSAGE] });
    await expect(expand({ input: [refer(MESSAGE.id), refer(CALL.id), refer(OTHER.id)] })).rejects.toMatchObject({
      code: 'not_found',
      param: 'input[1].id',
      message: `Item with id 'fc_${A}1' not found. Send the item itself, or set \`store: false\`, so that your client sends items and not their ids.`,
    });
    // Another kind of item at the same index of the same response.
    await expect(expand({ input: [refer(`fc_${A}0`)] })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('name at most 10,000 responses, and no more are looked up', async () => {
    const { expand, finds } = world({ items: ITEMS });
    const input = Array.from({ length: 10_001 }, (_, at) => refer(`msg_${at.toString(16).padStart(32, '0')}0`));
    await expect(expand({ input }, 1e6)).rejects.toMatchObject({ code: 'invalid_value', param: 'input[10000].id' });
    expect(finds).toEqual([]);
  });

  it('may be many', async () => {
    const input = Array.from({ length: 12_000 }, () => refer(CALL.id));
    expect(JSON.parse(await world({ items: ITEMS }).expand({ input }, 2e6)).input).toHaveLength(12_000);
  });

  it('are refused before a text above the limit of a body is built', async () => {
    const large = { ...MESSAGE, content: 'é'.repeat(2_000_000) };
    const { expand } = world({ items: [large] });
    const input = Array.from({ length: 2_048 }, () => refer(large.id));
    await expect(expand({ input }, 6 * 1024 * 1024)).rejects.toMatchObject({ code: 'request_too_large', status: 413 });
  });

  it('are refused by a byte above the limit of a body, with all of the request', async () => {
    const { expand } = world({ items: [{ ...MESSAGE, content: 'é'.repeat(100) }] });
    const body = { input: [{ role: 'user', content: 'é'.repeat(100) }, refer(MESSAGE.id)] };
    const length = Buffer.byteLength(await expand(body));
    expect(Buffer.byteLength(await expand(body, length))).toBe(length);
    await expect(expand(body, length - 1)).rejects.toMatchObject({
      code: 'request_too_large',
      message: `With the items that it refers to, the request body is larger than the limit of ${length - 1} bytes.`,
    });
  });

  it('expand to no more parts than a body may have', async () => {
    const many = { ...MESSAGE, content: Array.from({ length: 90_000 }, () => ({})) };
    const { expand } = world({ items: [many] });
    const input = [refer(many.id), refer(many.id), refer(many.id)];
    await expect(expand({ input }, 1e6)).rejects.toMatchObject({ code: 'invalid_json' });
  });
});

describe('the items of a response', () => {
  it('are stored under its id for the key and the end user', async () => {
    const { keep, keeps } = world({ items: ITEMS });
    await keep();
    expect(keeps).toMatchObject([[{ keyId: 'key_1' }, { id: A, items: ITEMS, endUserId: 'ann' }]]);
  });

  it('are not stored if there are none, or the request was stopped', async () => {
    const { keep, keeps, request } = world({ items: ITEMS });
    await keep([]);
    request.lifetime.stop('cancelled');
    await keep();
    expect(keeps).toEqual([]);
  });

  it.each([
    [new StoreUnavailable('idempotency table: TimeoutError'), 'items not stored: idempotency table: TimeoutError'],
    [new RangeError('larger than 1 bytes'), 'items not stored: larger than 1 bytes'],
  ])('that cannot be stored are noted: %s', async (keepFails, note) => {
    const { keep, request } = world({ items: ITEMS, keepFails });
    await keep();
    expect(request.outcome.internal).toBe(note);
  });
});
