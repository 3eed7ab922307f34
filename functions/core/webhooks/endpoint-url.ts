import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** More no receiver needs, and the log of attempts holds it. */
export const MAX_URL_CHARS = 2_048;

export interface EndpointUrlRules {
  /** On one's own machine: http too, and loopback; nothing else that is private. */
  readonly allowLoopback: boolean;
}

const LOCALHOST = /(?:^|\.)localhost\.?$/;

/**
 * What is wrong with the address of an endpoint, as far as its text tells: a phrase that follows its name, or undefined. It
 * is read as `fetch` reads it, so that `0x7f.1` and `2130706433` are 127.0.0.1 here too. What a name stands for is checked
 * when something is sent there.
 */
export function findUrlFault(text: string, { allowLoopback }: EndpointUrlRules): string | undefined {
  if (text.length > MAX_URL_CHARS) return `must have at most ${MAX_URL_CHARS} characters`;
  if (!URL.canParse(text)) return 'must be an address such as https://example.com/hook';
  const { protocol, username, password, hash, hostname } = new URL(text);
  if (protocol !== 'https:' && !(allowLoopback && protocol === 'http:')) return 'must begin with https://';
  if (username !== '' || password !== '') return 'must hold no user name and no password';
  if (hash !== '') return 'must hold no fragment';
  const isAddress = hostname.startsWith('[') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname);
  const address = hostname.replace(/^\[|\]$/g, '');
  if (LOCALHOST.test(hostname) || (isAddress && isLoopbackAddress(address))) {
    return allowLoopback ? undefined : 'must not lead to this machine';
  }
  return isAddress && !isPublicAddress(address) ? 'must be an address of the public internet' : undefined;
}
