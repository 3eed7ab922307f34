import { SignInError } from './sign-in-error.ts';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether an address is on this machine and has no TLS. */
export function isPlainLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && LOOPBACK.includes(hostname);
}

/** Throws SignInError unless tokens may be sent to an address: it has https, or is on this machine. */
export function requireSafeAddress(address: string, name: string): void {
  const isSafe = URL.canParse(address) && (new URL(address).protocol === 'https:' || isPlainLoopback(address));
  if (!isSafe) throw new SignInError(`${name} must have https, or http on this machine.`);
}

/** The address of a gateway as sessions are stored by: without `/v1`. Throws SignInError if it is not safe. */
export function gatewayAddress(text: string): string {
  requireSafeAddress(text, 'The address of --gateway');
  const { origin, pathname, search, hash, username, password } = new URL(text);
  if (`${search}${hash}${username}${password}` !== '')
    throw new SignInError('The address of --gateway must hold no login, query and fragment.');
  return `${origin}${pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '');
}
