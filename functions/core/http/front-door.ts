import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { isIpAddress } from '../base/ip-range.ts';

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

/** 1 to 65535, as a number is written. */
const PORT = /^[1-9]\d{0,4}$/;

/**
 * The address in CloudFront's header `CloudFront-Viewer-Address`: IPv4 and a port (`203.0.113.7:46532`), or IPv6 and a port
 * without brackets (`2001:db8::1:46532`) or with them. undefined for anything else.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html#cloudfront-headers-other
 */
export function readViewerAddress(text: string): string | undefined {
  const colon = text.lastIndexOf(':');
  const port = text.slice(colon + 1);
  if (colon < 0 || !PORT.test(port) || Number(port) > 65_535) return undefined;
  const host = text.slice(0, colon);
  const isBracketed = host.startsWith('[') && host.endsWith(']');
  const address = isBracketed ? host.slice(1, -1) : host;
  if (isBracketed && !address.includes(':')) return undefined;
  return isIpAddress(address) ? address : undefined;
}
