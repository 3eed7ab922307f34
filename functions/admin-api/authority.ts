import { GatewayError } from '../kernel/errors/index.ts';
import { isWithinRanges } from '../kernel/http/index.ts';
import { type ApiKey, type Grants, isPermitted, matchesGlob, PERMISSIONS } from '../kernel/model/index.ts';

/** What a caller or a key may do: which operations, with which models, from where and until when. */
export type Authority = Grants & Pick<ApiKey, 'allowedModels' | 'allowedTools' | 'ipWhitelist' | 'expiresAt'>;

/**
 * No caller gives what it does not have: to create a key, widen or revive one, or get its secret, it must have everything that the key then
 * may do. Addresses and expiry bind keys with `admin` only, since applications are elsewhere and outlast an administrator.
 * Limits, policies and tags are not authority: an administrator sets them for every key.
 * @param who gets it
 * @param before what the key could do before; undefined if it is new, could not be used, or if the caller gets its secret
 * @throws GatewayError `insufficient_permissions` that names what the caller lacks
 */
export function requireAuthority(
  caller: Authority,
  before: Authority | undefined,
  after: Authority,
  who = 'The key',
): void {
  if (before !== undefined && lacking(before, after).length === 0) return;
  const isAdmin = isPermitted(after, 'admin');
  const lacks = lacking(isAdmin ? caller : { ...caller, ipWhitelist: [], expiresAt: null }, after);
  if (lacks.length === 0) return;
  const message = `${who} would get what you do not have: ${lacks.join('; ')}.`;
  throw new GatewayError('insufficient_permissions', message);
}

/** The parts of an authority that another one lacks. */
function lacking(held: Authority, wanted: Authority): string[] {
  const permissions = PERMISSIONS.filter((one) => isPermitted(wanted, one) && !isPermitted(held, one));
  const models = outside(held.allowedModels, wanted.allowedModels, isWithinModels);
  const tools = outside(held.allowedTools ?? [], wanted.allowedTools ?? [], isWithinTools);
  const addresses = outside(held.ipWhitelist, wanted.ipWhitelist, isWithinRanges);
  const isLonger = endMs(wanted) > endMs(held);
  return [
    ...(permissions.length > 0 ? [`permissions '${permissions.join("', '")}'`] : []),
    ...(models.length > 0 ? [`allowedModels '${models.join("', '")}'`] : []),
    ...(tools.length > 0 ? [`allowedTools '${tools.join("', '")}'`] : []),
    ...(addresses.length > 0 ? [`ipWhitelist '${addresses.join("', '")}'`] : []),
    ...(isLonger ? [`expiresAt after ${held.expiresAt}`] : []),
  ];
}

function endMs({ expiresAt }: Authority): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}

/** The wanted entries that no held entry contains. An empty list contains everything, which is named `*`. */
function outside(
  held: readonly string[],
  wanted: readonly string[],
  isWithin: (entry: string, held: readonly string[]) => boolean,
): string[] {
  if (held.length === 0) return [];
  return wanted.length === 0 ? ['*'] : wanted.filter((entry) => !isWithin(entry, held));
}

function isWithinTools(pattern: string, held: readonly string[]): boolean {
  return held.some((one) => matchesGlob(one, pattern));
}

/** Whether one pattern matches all that another matches. A `*` in the narrower one is a character that only a `*` matches. */
function isWithinModels(pattern: string, held: readonly string[]): boolean {
  return held.some((one) => one.includes('/') === pattern.includes('/') && matchesGlob(one, pattern));
}
