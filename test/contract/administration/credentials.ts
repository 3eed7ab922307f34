import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from '../contract.ts';
import { PLANTED } from '../service.ts';

export function credentialsContract(contract: Contract): void {
  describe('credentials', () => {
    test('that a key names are used for its requests, named in their records, rotated and deleted', async () => {
      const value = `sk-stored-${'m3Vx7'.repeat(5)}`;
      const body = { name: 'Customer', provider: 'openai', value, keysOnly: true, skipTest: true };
      const made = await contract.admin('POST', '/credentials', body);
      expect([made.status, made.json.last4]).toEqual([201, value.slice(-4)]);
      const { id } = made.json;
      const { id: keyId, key } = await contract.createKey({ credentialId: id });
      const ask = () => contract.chat(saying('Hi', 'gpt-4o-mini'), { key });
      const { status, headers } = await ask();
      expect([status, contract.sent.headers.authorization]).toEqual([200, `Bearer ${value}`]);
      await contract.chat(saying('Hi', 'gpt-4o-mini'));
      expect(contract.sent.headers.authorization).toBe(`Bearer ${PLANTED.openaiKey}`);
      const record = await contract.settled(
        () => contract.analytics(`/requests/${headers.get('x-request-id')}`),
        (reply) => reply.status === 200,
      );
      expect(record.json.credentialId).toBe(id);

      const next = value.replace('m3', 'n4');
      const rotated = await contract.admin('POST', `/credentials/${id}/rotate`, {
        value: next,
        graceSeconds: 0,
        skipTest: true,
      });
      expect([rotated.status, rotated.json.previous]).toEqual([200, null]);
      await contract.everywhere(ask, () => contract.sent.headers.authorization === `Bearer ${next}`);
      expect((await contract.admin('DELETE', `/credentials/${id}`)).status).toBe(409);
      await contract.admin('PATCH', `/keys/${keyId}`, { credentialId: null });
      expect((await contract.admin('DELETE', `/credentials/${id}`)).json.deleted).toBe(true);
      const seen = [made.text, rotated.text, record.text, (await contract.admin('GET', '/audit')).text];
      expect([...seen, contract.service.logs()].join('\n')).not.toMatch(/sk-stored-\w{6}/);
    });
  });
}
