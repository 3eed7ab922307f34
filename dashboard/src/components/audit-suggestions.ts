import { useQuery } from '@tanstack/react-query';
import type { Query } from '../api/client.ts';
import type { FormField } from '../api/operations.ts';
import { reading, useKeyNames } from '../api/queries.ts';
import type { Suggestion } from './query-chips.ts';

const KEPT_MS = 60_000;
const SAMPLE = 100;

/** Who made the newest changes in the range, and what they changed: by name where it is a key or a team. */
export function useAuditSuggestions(
  fields: readonly FormField[],
  range: Query,
  isAsked: boolean,
): readonly Suggestion[] {
  const sample = useQuery({
    ...reading('listAudit', { query: { ...range, limit: SAMPLE } as never }),
    ...{ enabled: isAsked, staleTime: KEPT_MS, retry: false },
  });
  const entries = sample.data?.data ?? [];
  const names = useKeyNames(
    entries.flatMap(({ actor, target }) => [...(actor.type === 'key' ? [actor.id] : []), target.id]).filter(hasName),
  );
  const values = (name: string) => {
    if (name === 'actor') return entries.map(({ actor }) => actorValue(actor));
    return name === 'target' ? entries.map(({ target }) => target.id) : [];
  };
  return fields.flatMap((field) =>
    [...new Set(values(field.name))].map((value) => ({ field, value, label: names.get(value) ?? value })),
  );
}

/** Whether the API knows a name for an id. */
export function hasName(id: string): boolean {
  return /^(?:key|team)_/.test(id);
}

interface Actor {
  readonly type: string;
  readonly id?: string;
  readonly subject?: string;
  readonly email?: string | null;
}

function actorValue({ type, id, subject, email }: Actor): string {
  return id ?? email ?? subject ?? type;
}
