import type { OperationId } from '../../../functions/contract/index.ts';
import type { Query } from '../api/client.ts';
import { type FormField, OPERATIONS } from '../api/operations.ts';

/** The range has its own fields. */
const RANGE = ['from', 'to'];

/** The filters of an operation. In the URL they have the API's names. */
export function filtersOf(id: OperationId): readonly FormField[] {
  return OPERATIONS[id].query.filter(({ name }) => !RANGE.includes(name));
}

/** One filter of a list or of totals. */
export function filterOf(id: OperationId, name: string): FormField {
  const field = OPERATIONS[id].query.find((one) => one.name === name);
  if (field === undefined) throw new Error(`${id} has no filter ${name}`);
  return field;
}

/** A filter in use: a value that must hold, or must not. */
export interface Chip {
  readonly name: string;
  readonly value: string;
  readonly isNot: boolean;
}

/** A value that a filter can have. */
export interface Suggestion {
  readonly field: FormField;
  readonly value: string;
  readonly label: string;
  /** Requests with it in the range, where they are counted. */
  readonly count?: number | undefined;
}

/** Filters that must not hold are `not=name=value`, as in the API. */
const NOT = 'not';

/** The filters in a page's URL, those of `id` alone. */
export function chipsIn(search: URLSearchParams, id: OperationId): Chip[] {
  const names = filtersOf(id).map(({ name }) => name);
  return [...search].flatMap(([name, value]): Chip[] => {
    if (names.includes(name) && value !== '') return [{ name, value, isNot: false }];
    const at = value.indexOf('=');
    const excluded = value.slice(0, at);
    return name === NOT && at > 0 && names.includes(excluded)
      ? [{ name: excluded, value: value.slice(at + 1), isNot: true }]
      : [];
  });
}

/** The URL with a further filter. It replaces another value of its name, unless several may hold. */
export function withChip(search: URLSearchParams, { name, value, isNot }: Chip, field: FormField): URLSearchParams {
  const after = new URLSearchParams(search);
  after.delete(NOT, `${name}=${value}`);
  if (isNot) {
    after.delete(name, value);
    after.append(NOT, `${name}=${value}`);
  } else if (field.kind === 'list') {
    after.delete(name, value);
    after.append(name, value);
  } else after.set(name, value);
  return after;
}

export function withoutChip(search: URLSearchParams, { name, value, isNot }: Chip): URLSearchParams {
  const after = new URLSearchParams(search);
  if (isNot) after.delete(NOT, `${name}=${value}`);
  else after.delete(name, value);
  return after;
}

/** The URL without filters; range and other parameters stay. */
export function withoutChips(search: URLSearchParams, id: OperationId): URLSearchParams {
  return chipsIn(search, id).reduce(withoutChip, search);
}

/** The filters for the API. A number that is not complete is left out. */
export function toFilterQuery(id: OperationId, search: URLSearchParams): Query {
  const kinds = new Map(filtersOf(id).map(({ name, kind }) => [name, kind]));
  const query: Record<string, string | string[]> = {};
  for (const { name, value, isNot } of chipsIn(search, id)) {
    const text = value.trim();
    const kind = kinds.get(name);
    if (text === '' || (kind === 'number' && !/^\d{1,9}(\.\d{1,9})?$/.test(text))) continue;
    if (isNot) query[NOT] = [...[query[NOT] ?? []].flat(), `${name}=${text}`];
    else if (kind === 'list') query[name] = [...[query[name] ?? []].flat(), text];
    else query[name] = text;
  }
  return query;
}
