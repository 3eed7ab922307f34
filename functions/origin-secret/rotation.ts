import type { SecretVersions } from '../adapters/aws/secrets-manager.ts';
import { isOriginSecret, ORIGIN_SECRET_HEADER, readOriginSecrets, rotatedSecrets } from '../kernel/http/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';

/** Secrets Manager's rotation event: https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html */
export interface RotationEvent {
  readonly Step: 'createSecret' | 'setSecret' | 'testSecret' | 'finishSecret';
  readonly SecretId: string;
  /** The id of the pending version. */
  readonly ClientRequestToken: string;
}

export interface RotationDeps {
  readonly arn: string;
  readonly versions: SecretVersions;
  readonly distribution: {
    send(header: string, value: string): Promise<void>;
    isSending(header: string, value: string): Promise<boolean>;
  };
  /** Whether the distribution reaches the gateway. */
  readonly isReached: () => Promise<boolean>;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
}

/** By then every function has read a new version: functions reread every five minutes, and ten seconds after a failed read. */
export const KNOWN_EVERYWHERE_MS = 6 * 60_000;
/** CloudFront takes several minutes to update its edge locations. */
const DEPLOYED_WITHIN_MS = 12 * 60_000;
const LOOK_EVERY_MS = 10_000;

/**
 * One step of a rotation. Steps are idempotent. If one throws, Secrets Manager ends the rotation, both secrets stay accepted, and the next
 * rotation starts again. Messages contain no secret.
 */
export async function rotate(event: RotationEvent, deps: RotationDeps): Promise<void> {
  const { Step: step, SecretId: arn, ClientRequestToken: id } = event;
  if (arn !== deps.arn) throw new Error('asked to rotate another secret');
  const labels = await deps.versions.labels(id);
  if (labels.includes('AWSCURRENT')) return;
  if (!labels.includes('AWSPENDING')) throw new Error('the version is not pending');
  const steps = { createSecret: create, setSecret: set, testSecret: test, finishSecret: finish };
  await steps[step](id, deps);
}

async function create(id: string, { versions, clock }: RotationDeps): Promise<void> {
  if ((await versions.pending(id)) !== undefined) return;
  const current = await versions.current();
  const secrets = secretsIn(current.text);
  // This would send the secret that was next until now, before all functions know it.
  if (secrets.next !== undefined && clock.now() - current.createdAt < KNOWN_EVERYWHERE_MS) {
    throw new Error('rotated only just now: not every function has read the version in use');
  }
  await versions.putPending(id, JSON.stringify(rotatedSecrets(secrets)));
}

async function set(id: string, deps: RotationDeps): Promise<void> {
  const sent = await sentAfter(id, deps);
  const current = secretsIn((await deps.versions.current()).text);
  if (!isOriginSecret(sent, current)) throw new Error('the functions would not accept the secret to be sent');
  await deps.distribution.send(ORIGIN_SECRET_HEADER, sent);
}

async function test(id: string, deps: RotationDeps): Promise<void> {
  const sent = await sentAfter(id, deps);
  const until = deps.clock.monotonic() + DEPLOYED_WITHIN_MS;
  while (!(await deps.distribution.isSending(ORIGIN_SECRET_HEADER, sent))) {
    if (deps.clock.monotonic() >= until) throw new Error('the distribution does not send the new secret everywhere');
    await deps.pause(LOOK_EVERY_MS);
  }
  if (!(await deps.isReached())) throw new Error('the gateway is not reached through the distribution');
}

async function finish(id: string, { versions }: RotationDeps): Promise<void> {
  await versions.use(id, (await versions.current()).id);
}

async function sentAfter(id: string, { versions }: RotationDeps): Promise<string> {
  const pending = await versions.pending(id);
  if (pending === undefined) throw new Error('the pending version is empty');
  return secretsIn(pending.text).sent;
}

function secretsIn(text: string) {
  const secrets = readOriginSecrets(text);
  if (secrets === undefined) throw new Error('the secret has an unknown format');
  return secrets;
}
