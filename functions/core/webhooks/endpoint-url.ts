/** More no receiver needs, and a log line of an attempt holds it. */
export const MAX_URL_CHARS = 2_048;

export interface EndpointUrlRules {
  /** On one's own machine: http too, and loopback; nothing else that is private. */
  readonly allowLoopback: boolean;
  /** Whether an IP address, as text, belongs to the public internet. */
  readonly isPublic: (address: string) => boolean;
}

const LOOPBACK_NAME = /^(?:[^.]+\.)*localhost\.?$/;

/**
 * What is wrong with the address of an endpoint, as far as its text tells: a phrase that follows its name, or undefined. It
 * is read as `fetch` reads it, so that `0x7f.1` and `2130706433` are 127.0.0.1 here too. What a name stands for is checked
 * when something is sent there.
 */
export function findUrlFault(text: string, { allowLoopback, isPublic }: EndpointUrlRules): string | undefined {
  if (text.length > MAX_URL_CHARS) return `must have at most ${MAX_URL_CHARS} characters`;
  if (!URL.canParse(text)) return 'must be an address such as https://example.com/hook';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowLoopback && url.protocol === 'http:')) return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must hold no user name and no password';
  if (url.hash !== '') return 'must hold no fragment';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (LOOPBACK_NAME.test(host)) return allowLoopback ? undefined : 'must not lead to this machine';
  if (!isLiteral(url.hostname) || isPublic(host)) return undefined;
  if (allowLoopback && isLoopback(host)) return undefined;
  return 'must be an address of the public internet';
}

/** Whether a host, as the web's `URL` writes it, is an IP address and no name. */
function isLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Of a normalized address. */
function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
