import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeSecretsManager, startFakeSecretsManager } from '../../../test/runtime/fake-secrets-manager.ts';
import { FRESH_MS, RenewableSecret } from './secrets-manager.ts';

const ARN = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:providers';
let secrets: FakeSecretsManager;
let readBefore = 0;
let now = 0;
let subject: RenewableSecret;

beforeAll(async () => {
  secrets = await startFakeSecretsManager({});
  Object.assign(process.env, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
  });
});
afterAll(() => secrets.stop());
beforeEach(async () => {
  now = 1_000;
  secrets.put(ARN, 'first');
  subject = new RenewableSecret(ARN, { now: () => now, monotonic: () => now });
  await subject.read();
  readBefore = secrets.reads;
});

/** Number of reads since the test began. */
const reads = () => secrets.reads - readBefore;

/** Whether a refusal of the current value leads to another value. */
const refused = (provider = 'openai') => subject.renewedSince(subject.version, provider);

it('is read without the line break of the file it was put from', async () => {
  secrets.put(ARN, 'second\n');
  now += FRESH_MS;
  expect(await subject.read()).toBe('second');
});

describe('a changed secret', () => {
  it('is used within five minutes', async () => {
    secrets.put(ARN, 'second');
    now += FRESH_MS - 1;
    expect([await subject.read(), reads()]).toEqual(['first', 0]);
    now += 1;
    expect([await subject.read(), reads()]).toEqual(['second', 1]);
  });

  it('is used at once if the old value was refused, each time', async () => {
    for (const value of ['second', 'third']) {
      secrets.put(ARN, value);
      expect(await refused()).toBe(true);
      expect(await subject.read()).toBe(value);
    }
    expect(reads()).toBe(2);
  });

  it('is read once for concurrent refusals, and for late ones', async () => {
    secrets.put(ARN, 'second');
    const { version } = subject;
    const late = ['openai', 'openai', 'anthropic'].map((provider) => subject.renewedSince(version, provider));
    expect(await Promise.all(late)).toEqual([true, true, true]);
    expect(await subject.renewedSince(version, 'openai')).toBe(true);
    expect(reads()).toBe(1);
  });
});

describe('an unchanged secret', () => {
  it('is reread less and less often for a provider that keeps refusing it, and at once for another', async () => {
    const pauses: number[] = [];
    let last = now;
    for (const end = now + 300_000; now < end; now += 500) {
      const before = reads();
      expect(await refused()).toBe(false);
      if (reads() === before) continue;
      pauses.push(now - last);
      last = now;
    }
    expect(pauses).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    await refused('anthropic');
    expect(reads()).toBe(11);
  });

  it('keeps its value if it cannot be read, and is not requested by every request', async () => {
    secrets.put(ARN, undefined);
    expect(await refused()).toBe(false);
    now += FRESH_MS;
    expect([await subject.read(), await subject.read(), reads()]).toEqual(['first', 'first', 2]);
    now += 10_000;
    expect([await subject.read(), reads()]).toEqual(['first', 3]);
  });
});
