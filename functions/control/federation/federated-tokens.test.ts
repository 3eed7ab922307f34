import { beforeEach, describe, expect, it } from '@jest/globals';
import { FederatedTokens } from './federated-tokens.ts';
import { type AccessToken, ExchangeFailure, type TokenSource } from './federation.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const federation: TokenSource = {
  kind: 'openai',
  audience: 'https://api.openai.com/v1',
  identityProviderId: 'wip_1',
  serviceAccountId: 'sa_1',
};
const credential = { id: 'cred_1', provider: 'openai', federation };
const REFUSED = new ExchangeFailure('OpenAI refuses the exchange.', true);

let time: number;
let random: number;
/** How the next exchanges end. */
let lifeMs: number;
let failure: Error | undefined;
let exchanges: TokenSource[];
let release: (() => void)[];
let isHeld: boolean;
let background: Promise<unknown>[];
let failures: string[];
let subject: FederatedTokens;

beforeEach(() => {
  [time, random, lifeMs, failure, isHeld] = [HOUR, 0, HOUR, undefined, false];
  [exchanges, release, background, failures] = [[], [], [], []];
  subject = new FederatedTokens({
    exchange: async (asked): Promise<AccessToken> => {
      exchanges.push(asked);
      const value = `token-${exchanges.length}`;
      if (isHeld) await new Promise<void>((resolve) => release.push(resolve));
      if (failure) throw failure;
      return { value, expiresAt: time + lifeMs };
    },
    clock: { now: () => time, monotonic: () => 0 },
    random: () => random,
    inBackground: (exchange) => background.push(exchange),
    onFailure: ({ id }, { message }, secondsLeft) => failures.push(`${id} ${message} ${secondsLeft}`),
  });
});

const valueNow = async () => (await subject.current(credential)).value;
const outcomeNow = () => valueNow().catch((error: unknown) => (error as Error).message);

describe('an access token', () => {
  it('is exchanged once and used by all requests', async () => {
    isHeld = true;
    const waiting = Promise.all([valueNow(), valueNow(), valueNow()]);
    release[0]?.();
    expect(await waiting).toEqual(['token-1', 'token-1', 'token-1']);
    time += 41 * MINUTE;
    expect(await valueNow()).toBe('token-1');
    expect(exchanges).toEqual([federation]);
  });

  it('of another credential is another one', async () => {
    expect(await valueNow()).toBe('token-1');
    expect((await subject.current({ ...credential, id: 'cred_2' })).value).toBe('token-2');
  });

  it.each([
    [0, 42],
    [1, 51],
  ])(
    'is replaced in the background in the last third of its life, at random (%d): after %d minutes',
    async (at, minutes) => {
      random = at;
      await valueNow();
      time += minutes * MINUTE - 1;
      expect([await valueNow(), background.length]).toEqual(['token-1', 0]);
      time += 1;
      isHeld = true;
      // Requests do not wait for the one exchange.
      expect([await valueNow(), await valueNow(), background.length]).toEqual(['token-1', 'token-1', 1]);
      release[0]?.();
      await background[0];
      expect([await valueNow(), exchanges.length]).toEqual(['token-2', 2]);
    },
  );

  it('that the gateway has kept too long is not used: requests wait for a new one', async () => {
    await valueNow();
    time += HOUR - 5 * SECOND - 1;
    expect(await valueNow()).toBe('token-1');
    await background[0];
    failure = REFUSED;
    time = 3 * HOUR;
    expect(await outcomeNow()).toBe('OpenAI refuses the exchange.');
    failure = undefined;
    time += SECOND;
    expect(await valueNow()).toBe('token-4');
  });

  it('that has expired when it arrives is a failure', async () => {
    lifeMs = 5 * SECOND;
    expect(await outcomeNow()).toBe('The access token has expired already.');
  });
});

describe('a failing exchange', () => {
  it('leaves the last token in use until it expires, and reports how long that is', async () => {
    await valueNow();
    failure = REFUSED;
    time += 45 * MINUTE;
    expect(await valueNow()).toBe('token-1');
    await Promise.all(background);
    time += 14 * MINUTE;
    expect(await valueNow()).toBe('token-1');
    await Promise.all(background);
    time += 2 * MINUTE;
    expect(await outcomeNow()).toBe('OpenAI refuses the exchange.');
    expect(failures).toEqual([900, 60, 0].map((left) => `cred_1 OpenAI refuses the exchange. ${left}`));
  });

  it('is not repeated by each request: after 1, 2, 4 ... 60 seconds, then each minute', async () => {
    failure = REFUSED;
    const made: number[] = [];
    const from = time;
    while (time < from + 5 * MINUTE) {
      const before = exchanges.length;
      expect(await outcomeNow()).toBe('OpenAI refuses the exchange.');
      if (exchanges.length > before) made.push((time - from) / SECOND);
      time += SECOND;
    }
    expect(made).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    failure = undefined;
    time += MINUTE;
    expect(await valueNow()).toBe('token-11');
  });

  it('is shared by the requests that wait for it', async () => {
    [isHeld, failure] = [true, REFUSED];
    const waiting = Promise.all([outcomeNow(), outcomeNow()]);
    release[0]?.();
    expect(await waiting).toEqual(Array(2).fill('OpenAI refuses the exchange.'));
    expect(failures).toHaveLength(1);
  });

  it('for an unknown reason has a message without the text of the error', async () => {
    failure = new Error('planted token');
    expect(await outcomeNow()).toBe('The exchange failed.');
    expect(failures.join()).not.toContain('planted');
  });
});

describe('a token that the provider refuses', () => {
  it('is replaced once a minute at most', async () => {
    await valueNow();
    time += MINUTE - 1;
    expect(await subject.afterRefusal(credential, 'token-1')).toBeUndefined();
    time += 1;
    expect((await subject.afterRefusal(credential, 'token-1'))?.value).toBe('token-2');
    expect((await subject.afterRefusal(credential, 'token-1'))?.value).toBe('token-2');
    expect(await subject.afterRefusal(credential, 'token-2')).toBeUndefined();
    expect(exchanges).toHaveLength(2);
  });
});
