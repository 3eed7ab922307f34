import type { ListId, OperationId } from '../../../functions/contract/index.ts';
import type { Query } from '../api/client.ts';
import { type FormField, OPERATIONS } from '../api/operations.ts';

/** The range has its own fields. */
const RANGE = ['from', 'to'];

/** The filters of a list. In the URL they have the API's names. */
export function filtersOf(id: ListId): readonly FormField[] {
  return OPERATIONS[id].query.filter(({ name }) => !RANGE.includes(name));
}

/** The filters for the API. A number that is not complete is left out. */
export function toFilterQuery(id: ListId, texts: Readonly<Record<string, string>>): Query {
  const entries = filtersOf(id).flatMap(({ name, kind }): [string, string][] => {
    const value = texts[name]?.trim() ?? '';
    const isUsable = value !== '' && (kind !== 'number' || /^\d{1,9}(\.\d{1,9})?$/.test(value));
    return isUsable ? [[name, value]] : [];
  });
  return Object.fromEntries(entries);
}

/** One filter of a list or of totals. */
export function filterOf(id: OperationId, name: string): FormField {
  const field = OPERATIONS[id].query.find((one) => one.name === name);
  if (field === undefined) throw new Error(`${id} has no filter ${name}`);
  return field;
}
