import { describe, expect, test } from '@jest/globals';
import { GITHUB_TOKEN } from '../../contract/inspection/planted-secret.ts';
import { expectError } from '../../contract/reply.ts';
import { contract } from '../default-service.ts';

const CLAUDE = 'claude-sonnet-4-5';
const refer = (id: string) => ({ type: 'item_reference', id });
const ask = (input: unknown, options: { key?: string; headers?: Record<string, string> } = {}, more: object = {}) =>
  contract.call('/responses', JSON.stringify({ model: CLAUDE, input, ...more }), options);
/** The id of the message of a new response. */
async function received(text: string, options: { key?: string; headers?: Record<string, string> } = {}) {
  contract.upstream.next({ text });
  const { status, json } = await ask('Hi', options);
  expect(status).toBe(200);
  return json.output[0].id as string;
}
const messageOf = async (id: string, options: { key?: string }) =>
  (await ask([refer(id)], options)).json.error?.message.replace(id, 'ID');

describe('a reference to a stored item', () => {
  test('of another key is the 404 of an unknown one', async () => {
    const [one, other] = [await contract.newKey(), await contract.newKey()];
    const id = await received('The word is heliotrope.', { key: one });
    const unknown = id.replace(/[0-9a-f]{32}/, 'f'.repeat(32));
    const theirs = await messageOf(id, { key: other });
    expect(theirs).toMatch(/^Item with id 'ID' not found\./);
    expect(theirs).toBe(await messageOf(unknown, { key: other }));
    expectError(await ask([refer(id)], { key: contract.service.adminKey }), 'not_found', 'input[0].id');
    expect((await ask([refer(id)], { key: one })).status).toBe(200);
  });

  test('with an id near a known one is unknown: another index, kind or form', async () => {
    const id = await received('Well');
    const near = [
      id.replace(/0$/, '1'),
      id.replace('msg_', 'fc_'),
      id.replace('msg_', 'ctc_'),
      `${id}0`,
      id.replace(/0$/, '00000'),
    ];
    for (const other of near) {
      const { status } = await ask([refer(other)]);
      expect([other, status === 404 || status === 400]).toEqual([other, true]);
    }
    expect((await ask([refer(id)])).status).toBe(200);
  });

  test('that another secret of the key received is unknown, before and after the grace', async () => {
    const { id: keyId, key: old } = await contract.createKey();
    const id = await received('Well', { key: old });
    const rotated = await contract.admin('POST', `/keys/${keyId}/rotate`, { graceSeconds: 3600 });
    expectError(await ask([refer(id)], { key: rotated.json.key }), 'not_found', 'input[0].id');
    expect((await ask([refer(id)], { key: old })).status).toBe(200);
  });

  test('is unknown once the data of its end user was deleted, also to a request without them', async () => {
    const id = await received('Well', { headers: { 'x-end-user-id': 'maria' } });
    const other = await received('Well', { headers: { 'x-end-user-id': 'not-maria' } });
    expect((await ask([refer(id)])).status).toBe(200);
    await contract.admin('DELETE', '/end-users/maria');
    expectError(await ask([refer(id)]), 'not_found', 'input[0].id');
    expect((await ask([refer(other)])).status).toBe(200);
  });

  test('is subject to the policy for input, whatever the policy for output let pass', async () => {
    const policy = { input: { secret: { action: 'block' } }, output: { secret: { action: 'flag' } } };
    const key = await contract.newKey({ policy });
    const id = await received(`Take ${GITHUB_TOKEN} for it.`, { key });
    expectError(await ask([refer(id)], { key }), 'content_filter', 'input[0].content[0].text');
  });
});

describe('many references', () => {
  test('100,000 to one item are refused as a body of too many parts', async () => {
    const id = await received('Well');
    expectError(await ask(Array.from({ length: 100_000 }, () => ({ id }))), 'invalid_json');
  });

  test('to more than 10,000 responses are refused; the number of items has no limit', async () => {
    const id = await received('Well');
    const others = Array.from({ length: 10_001 }, (_, at) => refer(`msg_${String(at).padStart(32, '0')}0`));
    expectError(await ask(others), 'invalid_value', 'input[10000].id');
    expect((await ask(Array.from({ length: 4_000 }, () => refer(id)))).status).toBe(200);
  });

  test('to one large item make no large request', async () => {
    const id = await received('All is well. '.repeat(60_000));
    const before = contract.upstream.requests.length;
    const reply = await ask(Array.from({ length: 2_048 }, () => refer(id)));
    expectError(reply, 'request_too_large');
    expect(contract.upstream.requests).toHaveLength(before);
  });
});
