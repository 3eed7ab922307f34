import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../kernel/errors/index.ts';
import { CircuitBreaker, type Target } from '../translation/index.ts';
import { A, B, FINE, failure, limited, PASSING, REFUSAL, REFUSED_US, SILENT, setUp } from './call-provider.fixture.ts';
import type { PipelineDeps } from './pipeline-deps.ts';

describe('a stored credential', () => {
  const stored = (replacement?: string) => {
    const read: string[] = [];
    const storedCredentials: NonNullable<PipelineDeps['storedCredentials']> = {
      forCall: async (provider, { credentialId }) => {
        read.push(`${provider} ${credentialId}`);
        return provider === 'b' ? undefined : { id: `cred_${provider}`, value: 'new' };
      },
      afterRefusal: async ({ id }) => (replacement === undefined ? undefined : { id, value: replacement }),
    };
    return { storedCredentials, read };
  };

  it('is that of the key for each target, and in the record the last one', async () => {
    const { storedCredentials, read } = stored();
    const { call, asked, outcome } = setUp({ a: [SILENT], b: [SILENT] }, undefined, undefined, { storedCredentials });
    await call([A, B, { provider: 'silent', model: 's' }]);
    expect(asked).toEqual(['a/m new', 'b/n', 'silent/s new']);
    expect(read).toEqual(['a cred_own', 'b cred_own', 'silent cred_own']);
    expect(outcome.calls.list.map(({ credentialId }) => credentialId)).toEqual(['cred_a', undefined, 'cred_silent']);
    expect(outcome.calls.lastCredentialId).toBe('cred_silent');
  });

  it('that is refused is replaced by another value once, without a pause', async () => {
    const { call, asked, pauses } = setUp({ a: [REFUSED_US, FINE] }, undefined, undefined, stored('old'));
    expect(await call([A])).toBe(FINE);
    expect([asked, pauses]).toEqual([['a/m new', 'a/m old'], []]);
    const failing = setUp({ a: [REFUSED_US, REFUSED_US] }, undefined, undefined, stored('old'));
    await expect(failing.call([A])).rejects.toBe(REFUSED_US);
    expect(failing.asked).toEqual(['a/m new', 'a/m old']);
  });

  it('that has no other value goes on to the fallback, and the settings are not read for it', async () => {
    let renewals = 0;
    const renewedSince = async () => {
      renewals += 1;
      return true;
    };
    const source = { version: 1, renewedSince };
    const { call, asked } = setUp({ a: [REFUSED_US] }, undefined, source, stored());
    expect(await call([A, B])).toBe(FINE);
    expect([asked, renewals]).toEqual([['a/m new', 'b/n'], 0]);
  });

  it('that cannot be used is a failure of its target: the fallback is called', async () => {
    const { storedCredentials } = stored();
    const forCall = async (provider: string) => {
      if (provider === 'a') throw failure({ fallback: 'now' });
      return undefined;
    };
    const { call, asked } = setUp({}, undefined, undefined, { storedCredentials: { ...storedCredentials, forCall } });
    expect(await call([A, B])).toBe(FINE);
    expect(asked).toEqual(['b/n']);
  });
});

describe('a provider that rejects our credentials', () => {
  /** Credentials that change this many times when they are read again. */
  const source = (changes: number) => {
    const asked: string[] = [];
    const credentials = {
      version: 1,
      async renewedSince(version: number, provider: string) {
        asked.push(`${version} ${provider}`);
        if (changes > 0) credentials.version += 1;
        changes -= 1;
        return credentials.version !== version;
      },
    };
    return { credentials, asked };
  };

  it('is called once more without a pause if they have changed', async () => {
    const { credentials, asked: renewals } = source(1);
    const { call, pauses, outcome, tried } = setUp({ a: [REFUSED_US, FINE] }, undefined, credentials);
    expect(await call([A])).toBe(FINE);
    expect([pauses, outcome.calls.count, renewals, tried()]).toEqual([[], 2, ['1 a'], 'a/m;provider_error, a/m']);
  });

  it('is called only once more, for any number of changes', async () => {
    const { credentials, asked: renewals } = source(9);
    const { call, asked } = setUp({ a: [REFUSED_US, REFUSED_US] }, undefined, credentials);
    await expect(call([A])).rejects.toBe(REFUSED_US);
    expect([asked.length, renewals.length]).toEqual([2, 1]);
  });

  it('is not called again if they have not changed or cannot; the fallback is called', async () => {
    for (const credentials of [source(0).credentials, undefined]) {
      const { call, asked } = setUp({ a: [REFUSED_US] }, undefined, credentials);
      expect(await call([A, B])).toBe(FINE);
      expect(asked).toEqual(['a/m', 'b/n']);
    }
  });

  it('is still called once more after other failures', async () => {
    const { call, asked } = setUp({ a: [PASSING, PASSING, REFUSED_US, PASSING] }, undefined, source(1).credentials);
    await expect(call([A])).rejects.toBe(PASSING);
    expect(asked).toHaveLength(4);
  });
});

describe('a target that cannot take the request', () => {
  const unable = () => new GatewayError('invalid_value', 'The provider a does not support this value.');
  const passedOn = new GatewayError('invalid_value', 'Bad.', { passedOn: { status: 400, type: 'x', code: null } });

  it('is skipped: the next one is called', async () => {
    const { call, asked, tried } = setUp({ a: [unable()] });
    expect(await call([A, B])).toBe(FINE);
    expect([asked, tried()]).toEqual([['a/m', 'b/n'], 'a/m;invalid_value, b/n']);
  });

  it('hides no failure of another target, before it or after it', async () => {
    await expect(setUp({ a: [SILENT], b: [unable()] }).call([A, B])).rejects.toBe(SILENT);
    await expect(setUp({ a: [unable()], b: [SILENT] }).call([A, B])).rejects.toBe(SILENT);
  });

  it('refuses the request if no other can take it, with the error of the first', async () => {
    const [first, second] = [unable(), unable()];
    await expect(setUp({ a: [first], b: [second] }).call([A, B])).rejects.toBe(first);
  });

  it('is not one whose provider refused the request', async () => {
    const { call, asked } = setUp({ a: [passedOn] });
    await expect(call([A, B])).rejects.toBe(passedOn);
    expect(asked).toEqual(['a/m']);
  });
});

describe('a provider that was removed after the request began', () => {
  const GONE: Target = { provider: 'gone', model: 'm' };

  it('is passed over, and is a failure of the provider if nothing follows', async () => {
    const { call, asked, tried } = setUp({});
    expect(await call([GONE, B])).toBe(FINE);
    expect([asked, tried()]).toEqual([['b/n'], 'b/n']);
    const message = 'The provider gone is not available any more.';
    await expect(setUp({}).call([GONE])).rejects.toMatchObject({ code: 'provider_error', message });
  });
});

describe('a provider that fails', () => {
  it('is called again after pauses that double', async () => {
    const { call, asked, pauses, outcome, tried } = setUp({ a: [PASSING, PASSING, FINE] });
    expect(await call([A])).toBe(FINE);
    expect([asked.length, pauses, outcome.calls.count]).toEqual([3, [250, 500], 3]);
    expect(tried()).toBe('a/m;provider_error, a/m;provider_error, a/m');
  });

  it('is called three times, then the fallback', async () => {
    const { call, asked, tried, outcome } = setUp({ a: [PASSING, PASSING, PASSING] });
    expect(await call([A, B])).toBe(FINE);
    expect(asked).toEqual(['a/m', 'a/m', 'a/m', 'b/n']);
    expect(tried()).toBe('a/m;provider_error, a/m;provider_error, a/m;provider_error, b/n');
    expect(outcome.target).toEqual(B);
  });

  it('with a timeout is not called again, since it may have served the request', async () => {
    const { call, asked } = setUp({ a: [SILENT] });
    expect(await call([A, B])).toBe(FINE);
    expect(asked).toEqual(['a/m', 'b/n']);
  });

  it('by rejecting the request ends it without a fallback', async () => {
    const { call, asked } = setUp({ a: [REFUSAL] });
    await expect(call([A, B])).rejects.toBe(REFUSAL);
    expect(asked).toEqual(['a/m']);
  });

  it('for all targets fails with the error of the last one', async () => {
    const last = failure({ fallback: 'now' });
    const { call } = setUp({ a: [SILENT], b: [last] });
    await expect(call([A, B])).rejects.toBe(last);
  });
});

describe('a rate limit of the provider', () => {
  it('is waited for as long as `Retry-After` says', async () => {
    const { call, pauses } = setUp({ a: [limited('3')] });
    await call([A]);
    expect(pauses).toEqual([3_000]);
  });

  it.each([
    ['Thu, 01 Jan 1970 00:00:03 GMT', [2_000]],
    ['Thu, 01 Jan 1970 00:00:00 GMT', [0]],
    ['soon', [250]],
    ['5', [5_000]],
    ['5.001', []],
    ['Fri, 02 Jan 1970 00:00:00 GMT', []],
  ])('is waited for until the date in `Retry-After`: %s', async (retryAfter, waited) => {
    const { call, pauses } = setUp({ a: [limited(retryAfter)] });
    await call([A]).catch(() => {});
    expect(pauses).toEqual(waited);
  });

  it('that lasts too long is passed on or triggers the fallback', async () => {
    const error = limited('60');
    const alone = setUp({ a: [error] });
    await expect(alone.call([A])).rejects.toBe(error);
    expect(alone.pauses).toEqual([]);
    const { call, asked, tried } = setUp({ a: [error] });
    await call([A, B]);
    expect([asked, tried()]).toEqual([['a/m', 'b/n'], 'a/m;429, b/n']);
  });
});

it('a caller who disconnects during a pause ends the attempts', async () => {
  const { call, asked, lifetime } = setUp({ a: [PASSING, PASSING] });
  lifetime.abort();
  await expect(call([A, B])).rejects.toBe(PASSING);
  expect(asked).toEqual(['a/m']);
});

describe('a provider that failed five requests in a row', () => {
  const broken = async () => {
    const breaker = new CircuitBreaker({ now: () => 0, monotonic: () => 0 });
    for (let at = 0; at < 5; at += 1)
      await setUp({ a: [SILENT] }, breaker)
        .call([A])
        .catch(() => {});
    return breaker;
  };

  it('is skipped', async () => {
    const { call, asked, tried } = setUp({}, await broken());
    await call([A, B]);
    expect([asked, tried()]).toEqual([['b/n'], 'a/m;open, b/n']);
  });

  it('without a fallback is an error', async () => {
    const { call, asked } = setUp({}, await broken());
    await expect(call([A])).rejects.toMatchObject({ code: 'provider_error', headers: { 'retry-after': '15' } });
    expect(asked).toEqual([]);
  });

  it('is not one that only returned rate limits', async () => {
    const breaker = new CircuitBreaker({ now: () => 0, monotonic: () => 0 });
    for (let at = 0; at < 9; at += 1)
      await setUp({ a: [limited('60')] }, breaker)
        .call([A])
        .catch(() => {});
    expect(breaker.decide(A)).toBe('call');
  });
});

describe("the head of a provider's response", () => {
  it('is that of the last call, and each call has its own', async () => {
    const { call, outcome } = setUp({ a: [PASSING, PASSING, FINE] });
    await call([A]);
    expect(outcome.calls.list.map(({ head }) => head?.requestId)).toEqual(['a-1', 'a-2', 'a-3']);
    expect(outcome.calls.lastHead).toEqual({
      requestId: 'a-3',
      rateLimits: { 'x-upstream-ratelimit-limit-requests': '5' },
    });
  });

  it('is none if the last call got no response', async () => {
    const { call, outcome } = setUp({ a: [SILENT], silent: [SILENT] });
    await call([A, { provider: 'silent', model: 'm' }]).catch(() => {});
    expect(outcome.calls.lastHead).toBeNull();
  });

  it('stays that of the refusal if the next target is not called', async () => {
    const breaker = new CircuitBreaker({ now: () => 0, monotonic: () => 0 });
    for (let at = 0; at < 5; at += 1) breaker.failed(B, 0);
    const { call, outcome } = setUp({ a: [failure({ fallback: 'now' })] }, breaker);
    await call([A, B]).catch(() => {});
    expect(outcome.calls.lastHead?.requestId).toBe('a-1');
  });
});

describe("a provider's headers about retries", () => {
  const retrying = (headers: Record<string, string>) => failure({ fallback: 'after_retry', headers });

  it('give the pause in milliseconds, before that in seconds', async () => {
    const { call, pauses } = setUp({ a: [retrying({ 'retry-after': '3', 'retry-after-ms': '120' })] });
    await call([A]);
    expect(pauses).toEqual([120]);
  });

  it('end the attempts at this target, and the next one is called', async () => {
    const { call, asked } = setUp({ a: [retrying({ 'x-should-retry': 'false' })] });
    await call([A, B]);
    expect(asked).toEqual(['a/m', 'b/n']);
  });

  it('end them after a longer pause than the gateway waits', async () => {
    const { call, asked, pauses } = setUp({ a: [retrying({ 'retry-after-ms': '5001' })] });
    await call([A, B]);
    expect([asked, pauses]).toEqual([['a/m', 'b/n'], []]);
  });
});
