import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from '../contract.ts';

export function importedKeysContract(contract: Contract): void {
  describe('imported keys', () => {
    const secretOf = () => `sk-${randomBytes(16).toString('base64url')}`;
    const sha256 = (secret: string) => createHash('sha256').update(secret).digest('hex');
    const given = (secret: string, more: object = {}) => ({
      ...{ name: 'Imported', permissions: ['chat_completions'], ...more },
      importedSecret: { sha256: sha256(secret), last4: secret.slice(-4) },
    });
    const importKey = (secret: string, more?: object) => contract.admin('POST', '/keys/import', given(secret, more));
    const ask = (key: string) => () => contract.chat(saying('Hi', 'gpt-4o-mini'), { key });
    const ends = async (secret: string, status: number) =>
      expect(await contract.everywhere(ask(secret), (reply) => reply.status === status)).toMatchObject({ status });

    test('the secret of another gateway is accepted, rotated and revoked, and another one is not', async () => {
      const [secret, other] = [secretOf(), secretOf()];
      expect((await ask(secret)()).status).toBe(401);
      const made = await importKey(secret);
      expect([made.status, made.json]).toMatchObject([
        201,
        { name: 'Imported', last4: secret.slice(-4), state: 'active' },
      ]);
      expect(made.json).not.toHaveProperty('key');
      await ends(secret, 200);
      // Neither the digest that was imported, nor anything else of it, is a secret.
      const refused = await Promise.all([other, sha256(secret), ''].map((key) => ask(key)()));
      expect(new Set(refused.map(({ status, json }) => JSON.stringify([status, json.error])))).toEqual(
        new Set([JSON.stringify([401, refused[0]?.json.error])]),
      );
      const path = `/keys/${made.json.id}`;
      const rotated = await contract.admin('POST', `${path}/rotate`, { graceSeconds: 600 });
      expect(rotated.json.key).toMatch(/^svc_sk_/);
      await ends(rotated.json.key, 200);
      await ends(secret, 200);
      await contract.admin('POST', `${path}/rotate`, { graceSeconds: 0 });
      await ends(secret, 401);
      const [last, audit] = [await contract.admin('DELETE', path), await contract.admin('GET', '/audit')];
      expect(last.json.state).toBe('revoked');
      const seen = [made.text, rotated.text, audit.text, contract.service.logs()].join('\n');
      expect([seen.includes(secret), seen.includes(sha256(secret))]).toEqual([false, false]);
    });

    test('a secret that a key here has or had is refused, also in another team and once it is revoked', async () => {
      const secret = secretOf();
      const { json } = await importKey(secret, { state: 'disabled' });
      expect(json.state).toBe('disabled');
      expect((await importKey(secret, { name: 'Twin' })).json.error.code).toBe('conflict');
      await contract.admin('DELETE', `/keys/${json.id}`);
      expect((await importKey(secret)).status).toBe(409);
      expect((await ask(secret)()).status).toBe(401);
      const { json: list } = await contract.admin('GET', `/keys?search=${json.id}`);
      expect(list.data).toMatchObject([{ name: 'Imported', state: 'revoked' }]);
    });

    test.each([
      ['a hash in capitals', { sha256: 'A'.repeat(64) }],
      ['the secret itself', { sha256: secretOf() }],
      ['none', undefined],
    ])('%s is no hash', async (_, importedSecret) => {
      const { status, text } = await contract.admin('POST', '/keys/import', { name: 'x', importedSecret });
      expect([status, text.includes('importedSecret')]).toEqual([400, true]);
      expect(text).not.toContain('sk-');
    });
  });
}
