import { describe, expect, test } from '@jest/globals';
import { mintApiKey } from '../../functions/control/keys/index.ts';
import { type CallOptions, type Contract, saying } from './contract.ts';
import { expectError } from './reply.ts';

export function authenticationContract(contract: Contract): void {
  const ask = (headers: Record<string, string>, options: CallOptions = {}) =>
    contract.chat(saying('Hello', 'echo'), { key: '', headers, ...options });

  describe('authentication', () => {
    test.each([
      ['Authorization: Bearer', (key: string) => ({ authorization: `Bearer ${key}` })],
      ['Authorization with the scheme in lower case', (key: string) => ({ authorization: `bearer ${key}` })],
      ['X-Svc-API-Key', (key: string) => ({ 'x-svc-api-key': key })],
      ["x-api-key, Anthropic's", (key: string) => ({ 'x-api-key': key })],
      ["x-goog-api-key, Google's", (key: string) => ({ 'x-goog-api-key': key })],
      ['the same key in two headers', (key: string) => ({ authorization: `Bearer ${key}`, 'x-svc-api-key': key })],
    ])('a key is taken from %s', async (_, headers) => {
      expect((await ask(headers(contract.key))).status).toBe(200);
    });

    test('every invalid key gets exactly the same 401', async () => {
      const good = contract.key;
      const bodies = new Set<string>();
      for (const headers of await badHeaders(contract, good)) {
        const reply = await ask(headers);
        expectError(reply, 'invalid_api_key');
        bodies.add(reply.text);
      }
      expect(bodies.size).toBe(1);
    });

    test('two different keys in two headers are refused, even if both are valid', async () => {
      const other = await contract.newKey();
      expectError(await ask({ authorization: `Bearer ${contract.key}`, 'x-api-key': other }), 'invalid_api_key');
    });

    test('a 401 contains nothing of the key that was sent', async () => {
      const key = mintApiKey();
      const { text, headers } = await ask({ authorization: `Bearer ${key}` });
      expect(text + JSON.stringify([...headers])).not.toContain(key.slice('svc_sk_'.length, -6));
    });

    test('a key is checked first: without one, no body, model or address is read', async () => {
      expectError(await contract.chat('{', { key: '' }), 'invalid_api_key');
      expectError(await contract.call('/admin/keys', undefined, { key: '' }), 'invalid_api_key');
    });
  });
}

async function badHeaders(contract: Contract, good: string): Promise<Record<string, string>[]> {
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const last = good.endsWith('0') ? '1' : '0';
  const expired = await contract.newKey({ expiresAt: '2020-01-01T00:00:00Z' });
  const revoked = await contract.createKey();
  await contract.admin('DELETE', `/keys/${revoked.id}`);
  const disabled = await contract.createKey();
  await contract.admin('PATCH', `/keys/${disabled.id}`, { state: 'disabled' });
  return [
    {},
    bearer(''),
    bearer('garbage'),
    bearer(`${good.slice(0, -1)}${last}`),
    bearer(good.toUpperCase()),
    bearer(`${good} `.repeat(2).trim()),
    bearer(good.slice(0, -1)),
    bearer(`${good}A`),
    bearer(mintApiKey()),
    { authorization: good },
    { authorization: `Basic ${good}` },
    { 'x-api-key': `Bearer ${good}` },
    bearer(expired),
    bearer(revoked.key),
    bearer(disabled.key),
  ];
}
