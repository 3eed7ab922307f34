import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';

/** In which our distribution tells who it is. Taken off a request before anything else reads it. */
export const ORIGIN_SECRET_HEADER = 'x-svc-origin-secret';

const word = z.string().regex(/^[A-Za-z0-9]{32,128}$/);

/**
 * What the distribution sends, and what it will send after the next rotation: every function has believed that for a whole
 * period by then. `before` is what it sent last, which some edge may still send.
 */
const originSecretsSchema = z.object({ sent: word, next: word.optional(), before: word.optional() });

export type OriginSecrets = z.infer<typeof originSecretsSchema>;

/** The secret's text, read; undefined where it is none of ours. */
export function readOriginSecrets(text: string): OriginSecrets | undefined {
  try {
    return originSecretsSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Whether what a request shows is one of the secrets, in a time that says nothing of them. */
export function isOriginSecret(shown: string, { sent, next, before }: OriginSecrets): boolean {
  const digest = hash('sha256', shown, 'buffer');
  let found = false;
  for (const secret of [sent, next, before]) {
    const same = timingSafeEqual(digest, hash('sha256', secret ?? '', 'buffer'));
    if (secret !== undefined && same) found = true;
  }
  return found;
}

/**
 * What stands in the secret after a rotation. The first one only adds what the second one will have sent: functions must know
 * it before.
 */
export function rotatedSecrets({ sent, next }: OriginSecrets): OriginSecrets {
  const coming = randomBytes(32).toString('hex');
  return next === undefined ? { sent, next: coming } : { sent: next, next: coming, before: sent };
}
