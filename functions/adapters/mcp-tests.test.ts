import { expect, it } from '@jest/globals';
import { TEST_KEY } from '../kernel/model/api-key.fixture.ts';
import type { ApiKey } from '../kernel/model/index.ts';
import { createSecretSealer } from './aws/secret-sealer.ts';
import { McpTests, withMcpTests } from './mcp-tests.ts';

const SECRET = async () => 'c'.repeat(64);
const TEST = { keyId: TEST_KEY.id, server: 'crm', tool: 'search' };

function world() {
  const state = { now: Date.parse('2026-12-01T00:00:00Z'), key: TEST_KEY as ApiKey | undefined };
  const stored = async () => state.key && { key: state.key, version: 1 };
  const tests = new McpTests({ credentialsKey: SECRET, keys: { get: stored }, clock: { now: () => state.now } });
  return { state, tests };
}
const INVALID = { code: 'invalid_api_key' };

it('a token is the key for one tool, at any address, as long as it may use the tool', async () => {
  const { state, tests } = world();
  const { token, expiresAt } = await tests.token(TEST);
  expect(expiresAt).toBe('2026-12-01T00:01:00.000Z');
  state.key = { ...TEST_KEY, ipWhitelist: ['192.0.2.1'], allowedTools: ['crm/*'] };
  const scope = { id: TEST_KEY.id, mcpServers: ['crm'], ipWhitelist: [] };
  expect(await tests.find(token, '')).toMatchObject({ ...scope, allowedTools: ['crm/search'] });
  state.key = { ...TEST_KEY, allowedTools: ['crm/read', 'mail/*'] };
  expect(await tests.find(token, '')).toMatchObject({ ...scope, allowedTools: ['crm/read', 'mail/*'] });
});

it('a tool with a name like a pattern gets no more than the key may use', async () => {
  const { state, tests } = world();
  const { token } = await tests.token({ ...TEST, tool: '*' });
  state.key = { ...TEST_KEY, allowedTools: ['crm/search'] };
  expect((await tests.find(token, '')).allowedTools).toEqual(['crm/search']);
});

it('a token ends after a minute, and with its key; a running request goes on', async () => {
  const { state, tests } = world();
  const { token } = await tests.token(TEST);
  state.now += 60_000;
  await expect(tests.find(token, '')).rejects.toMatchObject(INVALID);
  expect((await tests.find(token, '', true)).id).toBe(TEST_KEY.id);
  state.key = { ...TEST_KEY, state: 'revoked' };
  await expect(tests.find(token, '', true)).rejects.toMatchObject(INVALID);
  state.key = undefined;
  await expect(tests.find(token, '', true)).rejects.toMatchObject(INVALID);
});

it('what is sealed for another purpose, or changed, is refused', async () => {
  const { tests } = world();
  const text = JSON.stringify({ ...TEST, untilMs: Number.MAX_SAFE_INTEGER });
  const other = await createSecretSealer(SECRET, 'svc credential').seal(text, 'mcp test');
  const { token } = await tests.token(TEST);
  for (const wrong of [
    `svc_test_${other}`,
    `${token.slice(0, -6)}AAAAAA`,
    'svc_test_',
    'svc_test_a.b',
    `svc_test_${text}`,
  ])
    await expect(tests.find(wrong, '')).rejects.toMatchObject(INVALID);
});

it('other secrets are left to others', async () => {
  const { tests } = world();
  const others = { accepts: (secret: string) => secret === 'jwt', find: async () => ({ ...TEST_KEY, id: 'idn_1' }) };
  const all = withMcpTests(tests, others);
  const { token } = await tests.token(TEST);
  expect([token, 'jwt', 'svc_sk_1'].map((secret) => all.accepts(secret))).toEqual([true, true, false]);
  expect([(await all.find('jwt', '')).id, (await all.find(token, '')).id]).toEqual(['idn_1', TEST_KEY.id]);
});
