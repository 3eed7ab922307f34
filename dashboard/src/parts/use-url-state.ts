import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** A page's filters, kept in its address: a reload, a link and the back button show the same. Never for what is secret. */
export function useUrlState(): readonly [
  (name: string) => string,
  (changes: Readonly<Record<string, string>>) => void,
] {
  const [search, setSearch] = useSearchParams();
  const read = useCallback((name: string) => search.get(name) ?? '', [search]);
  const write = useCallback(
    (changes: Readonly<Record<string, string>>) =>
      setSearch((before) => withChanges(before, changes), { replace: true }),
    [setSearch],
  );
  return [read, write];
}

/** The search parameters with these in the place of their own; an empty text takes one out. */
export function withChanges(before: URLSearchParams, changes: Readonly<Record<string, string>>): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') after.delete(name);
    else after.set(name, value);
  }
  return after;
}
