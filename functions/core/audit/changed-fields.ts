import type { AuditFact } from './audit-record.ts';

/** The members in which two objects differ, as they stand in the one and in the other; null where nothing of it is there. */
export function changedFields(before: object, after: object): Pick<AuditFact, 'before' | 'after'> {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  const changed = names.filter((name) => JSON.stringify(was.get(name)) !== JSON.stringify(is.get(name)));
  const pick = (from: ReadonlyMap<string, unknown>) =>
    Object.fromEntries(changed.filter((name) => from.has(name)).map((name) => [name, from.get(name)]));
  return { before: pick(was), after: pick(is) };
}
