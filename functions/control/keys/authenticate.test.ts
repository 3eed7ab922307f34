import { describe, expect, it } from '@jest/globals';
import { GatewayError, StoreUnavailable } from '../../kernel/errors/index.ts';
import { type ApiKey, createKeySchema, PERMISSIONS } from '../../kernel/model/index.ts';
import { mintApiKey } from './api-key-format.ts';
import { type Authenticator, authenticate, authorize } from './authenticate.ts';
import { KeyCache, KeyUses } from './key-cache.ts';
import type { KeyFinder } from './key-store.ts';
import { NONE_IMPORTED } from './no-tokens.fixture.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const clock = { now: () => NOW, monotonic: () => 0 };

function keyOf(secret: string, fields: Partial<ApiKey> = {}): ApiKey {
  return {
    ...createKeySchema.parse({ name: 'a key', permissions: ['chat_completions'] }),
    id: 'key_1',
    state: 'active',
    last4: secret.slice(-4),
    createdAt: new Date(NOW).toISOString(),
    secretHash: `hash ${secret}`,
    ...fields,
  };
}

const [GOOD, UNKNOWN, DISABLED, REVOKED, EXPIRED, ENDS_NOW, REVOKED_AND_EXPIRED, OLD, OLDEST] = Array.from(
  { length: 9 },
  mintApiKey,
) as [string, string, string, string, string, string, string, string, string];
const past = '2026-05-31T23:59:59.999Z';
const ROTATED = keyOf(GOOD, {
  expiresAt: '2026-06-01T00:00:00.001Z',
  retiredSecrets: [
    { hash: `hash ${OLDEST}`, last4: OLDEST.slice(-4), validUntil: new Date(NOW).toISOString() },
    { hash: `hash ${OLD}`, last4: OLD.slice(-4), validUntil: '2026-06-01T00:00:00.001Z' },
  ],
});
const keys = new Map(
  [
    ROTATED,
    keyOf(DISABLED, { state: 'disabled' }),
    keyOf(REVOKED, { state: 'revoked' }),
    keyOf(EXPIRED, { expiresAt: past }),
    keyOf(ENDS_NOW, { expiresAt: new Date(NOW).toISOString() }),
    keyOf(REVOKED_AND_EXPIRED, { state: 'revoked', expiresAt: past }),
  ].map((key) => [key.secretHash, key]),
);
for (const secret of [OLD, OLDEST]) keys.set(`hash ${secret}`, ROTATED);
let lookups = 0;
let uses: string[] = [];
const find = async (hashes: readonly string[]) => {
  lookups += 1;
  return hashes.map((hash) => keys.get(hash)).find((key) => key !== undefined);
};
const authenticatorOver = (finder: KeyFinder): Authenticator => ({
  clock,
  hasher: {
    hashes: async (secret) => [`hash ${secret}`],
    pepperId: async () => '',
    pseudonym: async () => '',
    mint: async () => mintApiKey(),
    isSealed: async () => true,
  },
  keys: new KeyCache(finder, clock),
  uses: new KeyUses({ noteUse: async ({ id }) => void uses.push(id) }, clock),
  identities: {
    accepts: (secret) => secret.startsWith('token'),
    find: async (token, address, isRunning = false) => keyOf('', { id: `${token} ${address} ${isRunning}` }),
  },
  imported: NONE_IMPORTED,
  teams: { join: async (key) => key },
});
const authenticator = authenticatorOver({ find });
const present = (headers: Record<string, string>) => authenticate(new Headers(headers), '192.0.2.1', authenticator);
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('a valid key', () => {
  it.each([
    ['as a bearer token', bearer(GOOD)],
    ['in any case of the scheme, with spaces', { authorization: `bEARER   ${GOOD}` }],
    ['in our own header', { 'X-Svc-API-Key': GOOD }],
    ["where Anthropic's SDK puts it", { 'x-api-key': GOOD }],
    ["where Google's SDK puts it", { 'x-goog-api-key': GOOD }],
    ['in several headers, all alike', { ...bearer(GOOD), 'x-api-key': GOOD, 'x-svc-api-key': GOOD }],
  ])('is found %s', async (_, headers) =>
    expect(await present(headers)).toMatchObject({ id: 'key_1', secretHash: `hash ${GOOD}` }),
  );
});

describe('after a rotation', () => {
  it('the old secret is the same key until its grace is over', async () => {
    expect((await present(bearer(OLD))).id).toBe('key_1');
    const late = { ...authenticator, clock: { ...clock, now: () => NOW + 1 } };
    expect(await thrownBy(() => authenticate(new Headers(bearer(OLD)), '192.0.2.1', late))).toMatchObject({
      status: 401,
    });
  });
});

describe('the use of a key', () => {
  it('is noted where it was let in, and nowhere else', async () => {
    uses = [];
    const one = authenticatorOver({ find });
    for (const secret of [GOOD, DISABLED, REVOKED, EXPIRED, UNKNOWN, OLDEST]) {
      await thrownBy(() => authenticate(new Headers(bearer(secret)), '192.0.2.1', one));
    }
    expect(uses).toEqual(['key_1']);
  });
});

describe('every failure to present one', () => {
  it('meets the very same answer, whatever the reason, with nothing of the key in it', async () => {
    const wrong = GOOD.slice(0, -1) + (GOOD.endsWith('0') ? '1' : '0');
    const all = [
      {},
      bearer(''),
      bearer(UNKNOWN),
      bearer(DISABLED),
      bearer(REVOKED),
      bearer(EXPIRED),
      bearer(ENDS_NOW),
      bearer(OLDEST),
      bearer(REVOKED_AND_EXPIRED),
      bearer(wrong),
      bearer('junk'),
      bearer(`${GOOD} ${GOOD}`),
      { authorization: GOOD },
      { authorization: `Basic ${GOOD}` },
      { authorization: `Bearer${GOOD}` },
      { 'x-api-key': '' },
      { ...bearer(GOOD), 'x-api-key': UNKNOWN },
      { ...bearer(GOOD), 'x-goog-api-key': 'junk' },
      { 'x-api-key': `Bearer ${GOOD}` },
    ];
    const answers = await Promise.all(all.map((headers) => thrownBy(() => present(headers))));
    const faces = answers.map((error) => {
      expect(error).toBeInstanceOf(GatewayError);
      const { status, headers, svc } = error as GatewayError;
      return JSON.stringify({ status, headers, svc, body: (error as GatewayError).toBody() });
    });
    expect(new Set(faces).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, code: 'invalid_api_key' });
    for (const secret of [GOOD, UNKNOWN, DISABLED]) expect(faces[0]).not.toContain(secret.slice(7, 12));
  });

  it('costs no look-up for what is no key by its form', async () => {
    const before = lookups;
    for (const secret of ['junk', `${GOOD}0`, GOOD.toLowerCase().replace(/.$/, '_')])
      await thrownBy(() => present(bearer(secret)));
    expect(lookups).toBe(before);
  });
});

it('a store that is away is not taken for a wrong key', async () => {
  const away = authenticatorOver({
    find: async () => Promise.reject(new StoreUnavailable('keys table: TimeoutError')),
  });
  expect(await thrownBy(() => authenticate(new Headers(bearer(GOOD)), '192.0.2.1', away))).toBeInstanceOf(
    StoreUnavailable,
  );
});

describe('using a key', () => {
  it.each([
    ['from an address outside its list', { ipWhitelist: ['10.0.0.0/8'] }, 'chat_completions', '11.0.0.1'],
    ['from an address that cannot be read', { ipWhitelist: ['10.0.0.0/8'] }, 'chat_completions', ''],
    ['from outside where any key may', { ipWhitelist: ['10.0.0.0/8'] }, undefined, '11.0.0.1'],
    ['without the permission', { permissions: ['audio'] }, 'chat_completions', '1.2.3.4'],
    [
      'with a permission that is excluded',
      { permissions: ['admin'], excludePermissions: ['chat_completions'] },
      'chat_completions',
      '1.2.3.4',
    ],
  ] as const)('is refused %s', async (_, fields, permission, address) => {
    const key = keyOf(GOOD, fields as unknown as Partial<ApiKey>);
    expect(await thrownBy(() => authorize(key, permission, address))).toMatchObject({
      status: 403,
      code: 'insufficient_permissions',
    });
  });

  it.each([
    ['from any address where it names none', {}, 'chat_completions', 'junk'],
    ['from an address in its list', { ipWhitelist: ['10.0.0.0/8'] }, 'chat_completions', '::ffff:10.1.2.3'],
    ['without a permission where any key may', { permissions: [] }, undefined, '1.2.3.4'],
  ] as const)('is allowed %s', (_, fields, permission, address) => {
    expect(authorize(keyOf(GOOD, fields as unknown as Partial<ApiKey>), permission, address)).toBeUndefined();
  });

  it('is allowed everything to an administrator', () => {
    for (const permission of PERMISSIONS)
      expect(authorize(keyOf(GOOD, { permissions: ['admin'] }), permission, '::1')).toBeUndefined();
  });
});

it('a token for MCP servers has no use elsewhere, also where any key may call', async () => {
  const token = keyOf(GOOD, { permissions: ['mcp'], mcpServers: ['crm'] } as unknown as Partial<ApiKey>);
  expect(authorize(token, 'mcp', '::1')).toBeUndefined();
  for (const permission of [undefined, 'chat_completions'] as const) {
    expect(await thrownBy(() => authorize(token, permission, '::1'))).toMatchObject({
      code: 'insufficient_permissions',
      message: 'This token is for MCP servers only.',
    });
  }
});
