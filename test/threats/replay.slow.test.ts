import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Contract, saying } from '../contract/contract.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import { expectError } from '../contract/reply.ts';

const contract = new Contract(startLocalProcess, {});
beforeAll(() => contract.start());
afterAll(() => contract.stop());

const BLOCKS = { rules: [{ id: 'no-zeus', type: 'secret', pattern: 'Zeus', action: 'block' }] };

describe('a response that is stored for an Idempotency-Key', () => {
  test.each(['the key', 'the deployment'])(
    'is not replayed once the policy of %s blocks its request',
    async (owner) => {
      const { id, key } = await contract.createKey();
      const named = { key, headers: { 'idempotency-key': `before the policy of ${owner}` } };
      const body = saying('Tell me of Project Zeus', 'echo');
      const first = await contract.chat(body, named);
      const again = await contract.chat(body, named);
      expect([first.status, again.status, again.headers.get('x-svc-idempotent-replay')]).toEqual([200, 200, 'true']);
      const changed =
        owner === 'the key'
          ? await contract.admin('PATCH', `/keys/${id}`, { policy: BLOCKS })
          : await contract.admin('PUT', '/policy', BLOCKS);
      expect(changed.status).toBe(200);
      await contract.settled(
        () => contract.chat(body, { key }),
        ({ status }) => status === 400,
      );
      const blocked = await contract.chat(body, named);
      expectError(blocked, 'content_filter', 'messages[0].content');
      expect(blocked.headers.get('x-svc-idempotent-replay')).toBeNull();
    },
  );

  test('is not replayed after the key lost access to its model', async () => {
    const { id, key } = await contract.createKey();
    const named = { key, headers: { 'idempotency-key': 'before its models' } };
    const body = saying('Hello', 'echo');
    expect((await contract.chat(body, named)).status).toBe(200);
    await contract.admin('PATCH', `/keys/${id}`, { allowedModels: ['claude-*'] });
    const refused = await contract.settled(
      () => contract.chat(body, named),
      ({ status }) => status !== 200,
    );
    expectError(refused, 'insufficient_permissions', 'model');
  });
});
