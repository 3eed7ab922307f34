import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';

/** The header with our distribution's secret. Removed from a request before anything else reads it. */
export const ORIGIN_SECRET_HEADER = 'x-svc-origin-secret';
/** The header in which our distribution's function puts the viewer's IP address, whatever the viewer sent in it. */
export const VIEWER_ADDRESS_HEADER = 'x-svc-viewer-address';

const word = z.string().regex(/^[A-Za-z0-9]{32,128}$/);

/**
 * The value that the distribution sends, and the value after the next rotation, which every function already accepts. `before` is the
 * previous value, which some edge may still send.
 */
const originSecretsSchema = z.object({ sent: word, next: word.optional(), before: word.optional() });

export type OriginSecrets = z.infer<typeof originSecretsSchema>;

/** The parsed text of the secret; undefined if it has another format. */
export function readOriginSecrets(text: string): OriginSecrets | undefined {
  try {
    return originSecretsSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Whether a request's value is one of the secrets, compared in constant time. */
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
 * The secret after a rotation. The first rotation only adds the value that the second one sends, because functions must know it
 * before.
 */
export function rotatedSecrets({ sent, next }: OriginSecrets): OriginSecrets {
  const coming = randomBytes(32).toString('hex');
  return next === undefined ? { sent, next: coming } : { sent: next, next: coming, before: sent };
}
