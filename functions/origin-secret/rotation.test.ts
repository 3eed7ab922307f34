import { beforeEach, describe, expect, test } from '@jest/globals';
import type { SecretVersions } from '../adapters/aws/secrets-manager.ts';
import { isOriginSecret, type OriginSecrets, readOriginSecrets } from '../kernel/http/index.ts';
import { KNOWN_EVERYWHERE_MS, type RotationDeps, type RotationEvent, rotate } from './rotation.ts';

const ARN = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:origin';
const STEPS = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;
const word = (letter: string) => letter.repeat(64);

/** A secret with its versions, and the distribution that sends it. */
class World {
  now = Date.parse('2026-11-21T09:00:00Z');
  versions = new Map<string, { text: string | undefined; createdAt: number }>();
  labels = new Map<string, string>();
  sent = word('a');
  deployed = true;
  /** What happens to the distribution while a rotation waits. */
  whileWaiting: () => void = () => {};
  reached = true;
  waitedMs = 0;

  constructor(first: OriginSecrets = { sent: word('a') }) {
    this.versions.set('v0', { text: JSON.stringify(first), createdAt: 0 });
    this.labels.set('AWSCURRENT', 'v0');
  }

  get current(): OriginSecrets {
    const version = this.versions.get(this.labels.get('AWSCURRENT') ?? '');
    return readOriginSecrets(version?.text ?? '') as OriginSecrets;
  }

  /** Begins a rotation like Secrets Manager. */
  begin(id: string): void {
    if (!this.versions.has(id)) this.versions.set(id, { text: undefined, createdAt: this.now });
    this.labels.set('AWSPENDING', id);
  }

  step(Step: RotationEvent['Step'], id: string, SecretId = ARN): Promise<void> {
    return rotate({ Step, SecretId, ClientRequestToken: id }, this.deps());
  }

  async rotate(id: string): Promise<void> {
    this.begin(id);
    for (const step of STEPS) await this.step(step, id);
  }

  private deps(): RotationDeps {
    const read = (id: string) => {
      const version = this.versions.get(id);
      return version?.text === undefined ? undefined : { id, text: version.text, createdAt: version.createdAt };
    };
    const versions: Pick<SecretVersions, 'labels' | 'current' | 'pending' | 'putPending' | 'use'> = {
      labels: async (id) => [...this.labels].filter(([, of]) => of === id).map(([label]) => label),
      current: async () => read(this.labels.get('AWSCURRENT') ?? '') as NonNullable<ReturnType<typeof read>>,
      pending: async (id) => (this.labels.get('AWSPENDING') === id ? read(id) : undefined),
      putPending: async (id, text) => void this.versions.set(id, { text, createdAt: this.now }),
      use: async (id) => void this.labels.set('AWSCURRENT', id),
    };
    return {
      arn: ARN,
      versions: versions as SecretVersions,
      distribution: {
        send: async (_header, value) => {
          if (this.sent !== value) this.deployed = false;
          this.sent = value;
        },
        isSending: async (_header, value) => this.deployed && this.sent === value,
      },
      isReached: async () => this.reached,
      clock: { now: () => this.now, monotonic: () => this.now },
      pause: async (ms) => {
        this.now += ms;
        this.waitedMs += ms;
        this.whileWaiting();
      },
    };
  }
}

let world: World;
beforeEach(() => {
  world = new World();
  world.whileWaiting = () => {
    world.deployed = true;
  };
});
const later = () => {
  world.now += KNOWN_EVERYWHERE_MS;
};

describe('a rotation', () => {
  test('keeps the sent secret at first, and adds the next one', async () => {
    await world.rotate('v1');
    expect([world.sent, world.current.sent, world.waitedMs]).toEqual([word('a'), word('a'), 0]);
    expect(world.current.next).toBeDefined();
  });

  test('never sends a secret that the current or the previous version does not accept', async () => {
    await world.rotate('v1');
    for (const id of ['v2', 'v3', 'v4']) {
      later();
      world.begin(id);
      const old = world.current;
      for (const step of STEPS) {
        await world.step(step, id);
        // A function may have read the current version or, for five minutes, still the previous one.
        for (const known of [old, world.current]) expect(isOriginSecret(world.sent, known)).toBe(true);
      }
      expect(world.sent).toBe(old.next);
      expect(world.current.before).toBe(old.sent);
    }
  });

  test('waits until every edge location sends the new secret', async () => {
    await world.rotate('v1');
    later();
    let looks = 0;
    world.whileWaiting = () => {
      looks += 1;
      world.deployed = looks === 20;
    };
    await world.rotate('v2');
    expect(world.waitedMs).toBe(200_000);
  });

  test('is the same rotation if its steps run twice', async () => {
    await world.rotate('v1');
    later();
    world.begin('v2');
    for (const step of STEPS) {
      await world.step(step, 'v2');
      const after = [world.sent, world.current, world.versions.get('v2')?.text];
      await world.step(step, 'v2');
      expect([world.sent, world.current, world.versions.get('v2')?.text]).toEqual(after);
    }
  });
});

describe('a rotation fails', () => {
  const untouched = async (id: string, message: string, from: number = 0) => {
    const before = world.current;
    const run = async () => {
      for (const step of STEPS.slice(from)) await world.step(step, id);
    };
    await expect(run()).rejects.toThrow(message);
    expect(world.current).toEqual(before);
    expect(isOriginSecret(world.sent, before)).toBe(true);
  };

  beforeEach(async () => {
    await world.rotate('v1');
  });

  test('shortly after the last one: some functions do not know the next secret yet', async () => {
    world.now += KNOWN_EVERYWHERE_MS - 1;
    world.begin('v2');
    await untouched('v2', 'rotated only just now');
  });

  test('if the edge locations are not updated in time, and the next one completes it', async () => {
    later();
    world.begin('v2');
    world.whileWaiting = () => {};
    await untouched('v2', 'does not send the new secret everywhere');
    expect(world.waitedMs).toBeLessThanOrEqual(13 * 60_000);
    world.deployed = true;
    await world.rotate('v2');
    expect(world.current.sent).toBe(world.sent);
  });

  test('if a deployment restored the current secret meanwhile', async () => {
    later();
    world.begin('v2');
    const { sent } = world.current;
    world.whileWaiting = () => {
      world.sent = sent;
      world.deployed = true;
    };
    await untouched('v2', 'does not send the new secret everywhere');
  });

  test('if the gateway is not reached', async () => {
    later();
    world.begin('v2');
    world.reached = false;
    await untouched('v2', 'not reached');
  });

  test('for another secret, another version, or an empty pending version', async () => {
    later();
    world.begin('v2');
    await expect(world.step('createSecret', 'v2', `${ARN}2`)).rejects.toThrow('another secret');
    await expect(world.step('createSecret', 'v9')).rejects.toThrow('the version is not pending');
    await untouched('v2', 'the pending version is empty', 1);
  });

  test('if the secret was replaced by a text of another format', async () => {
    later();
    world.begin('v2');
    world.versions.set('v2', { text: JSON.stringify({ sent: word('z') }), createdAt: world.now });
    await untouched('v2', 'would not accept');
    world.versions.set('v2', { text: word('z'), createdAt: world.now });
    await untouched('v2', 'unknown format');
  });
});
