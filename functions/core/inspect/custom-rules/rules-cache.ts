import type { CustomSettings } from '../../model/policy.ts';
import { PolicyRules } from './policy-rules.ts';

/** How many, and how much: what compiled rules take grows with the text of their settings. */
const MAX_CACHED = 64;
const MAX_CACHED_CHARS = 128 * 1024;

/** By their settings' JSON, the one used last at the end: a key is read anew every few seconds, its rules compiled once. */
const cache = new Map<string, PolicyRules>();
let cachedChars = 0;
const NONE = new PolicyRules({});

/** Gives the compiled rules of these settings: of the policies in use, the last few stay compiled. */
export function cachedRules({ rules, allow, bannedTopics }: CustomSettings): () => PolicyRules {
  if (rules === undefined && allow === undefined && bannedTopics === undefined) return () => NONE;
  const settings = { rules: rules?.map(({ tests: _, ...rule }) => rule), allow, bannedTopics };
  const key = JSON.stringify(settings);
  return () => {
    const compiled = take(key) ?? new PolicyRules(settings);
    cache.set(key, compiled);
    cachedChars += key.length;
    for (const oldest of cache.keys()) {
      if (oldest === key || (cache.size <= MAX_CACHED && cachedChars <= MAX_CACHED_CHARS)) break;
      take(oldest);
    }
    return compiled;
  };
}

function take(key: string): PolicyRules | undefined {
  const compiled = cache.get(key);
  if (cache.delete(key)) cachedChars -= key.length;
  return compiled;
}
