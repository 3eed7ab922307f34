import { matchesGlob } from '../model/index.ts';

/** The claims of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Whether all claims match, each by one of its globs. */
export function matchesClaims(match: Readonly<Record<string, readonly string[]>>, claims: Claims): boolean {
  return Object.entries(match).every(([path, globs]) => {
    if (path === 'email' && claims.email_verified !== true) return false;
    const value = claimAt(path, claims);
    return (Array.isArray(value) ? value : [value]).some((one) => {
      const text = textOf(one);
      return text !== undefined && globs.some((glob) => matchesGlob(glob, text));
    });
  });
}

/**
 * The claim of a dotted path. Names of claims may hold dots (`kubernetes.io`, `https://example.com/groups`): at each object the longest name
 * that it has counts.
 */
function claimAt(path: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const name = path.slice(0, end);
    if (!Object.hasOwn(value, name)) continue;
    const member = (value as Claims)[name];
    return end === path.length ? member : claimAt(path.slice(end + 1), member);
  }
  return undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
