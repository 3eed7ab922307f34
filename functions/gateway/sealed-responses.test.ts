import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { mintApiKey } from '../control/keys/index.ts';
import type { CacheScope } from '../control/stored-items/index.ts';
import { ResponseSealer, type SealerFor } from '../kernel/crypto/index.ts';
import { finish } from '../kernel/tasks/index.ts';
import { world } from './pipeline-routes.fixture.ts';

const SALT = Buffer.alloc(16, 7);
const IMPORTED = 'sk-summer2026';

/** The sealer of what is stored for a request with this secret: of an idempotent response, and of a cached one. */
async function sealersOf(secret: string): Promise<SealerFor[]> {
  const idempotent = Promise.withResolvers<SealerFor>();
  const repeated = world({
    secret,
    stream: false,
    headers: { 'idempotency-key': 'a-name' },
    more: {
      idempotentResponses: {
        begin: async ({ sealerFor }: { readonly sealerFor: SealerFor }) => {
          idempotent.resolve(sealerFor);
          return { status: 200, headers: {}, body: '{}' };
        },
      } as never,
    },
  });
  expect((await repeated.ask()).status).toBe(200);
  const cached = Promise.withResolvers<SealerFor>();
  const caching = world({
    secret,
    stream: false,
    isSilent: true,
    headers: { 'x-svc-cache': 'ttl=60' },
    policy: { cache: true },
    more: {
      responseCache: {
        nameOf: async (scope: CacheScope) => {
          cached.resolve(scope.sealerFor);
          throw new Error('seen');
        },
      } as never,
    },
  });
  const asked = caching.ask();
  const sealers = await Promise.all([idempotent.promise, cached.promise]);
  caching.change({ state: 'revoked' });
  await asked;
  return sealers;
}

/** What opens a stored response: one of these secrets, or nothing. */
function opener(sealerFor: SealerFor, secrets: readonly string[]): string | undefined {
  const sealed = finish(sealerFor('a name', SALT).seal('a response'));
  return secrets.find((secret) => {
    try {
      return finish(new ResponseSealer(secret, 'a name', SALT).open(sealed)) === 'a response';
    } catch {
      return false;
    }
  });
}

it('a stored response of an imported secret, which a person may have chosen, cannot be opened without the pepper', async () => {
  const guesses = [IMPORTED, createHash('sha256').update(IMPORTED).digest('hex'), 'hash', 'key_1'];
  // In place of the HMAC under the pepper, the fixture returns this.
  const peppered = `key of svc sealer ${IMPORTED}`;
  for (const sealerFor of await sealersOf(IMPORTED)) {
    expect([opener(sealerFor, guesses), opener(sealerFor, [peppered])]).toEqual([undefined, peppered]);
  }
});

it('a stored response of a secret of ours, which is random and stored nowhere, needs only the secret', async () => {
  const secret = mintApiKey();
  for (const sealerFor of await sealersOf(secret)) expect(opener(sealerFor, [secret])).toBe(secret);
});
