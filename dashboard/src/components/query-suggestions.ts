import { useQueries, useQuery } from '@tanstack/react-query';
import type { OperationId } from '../../../functions/contract/index.ts';
import type { Group, Query, RequestRecord } from '../api/client.ts';
import { call, type FormField } from '../api/operations.ts';
import { reading, useKeyNames } from '../api/queries.ts';
import { useMay } from '../api/session.tsx';
import { hasName, useAuditSuggestions } from './audit-suggestions.ts';
import { choicesOf } from './labels.ts';
import type { Suggestion } from './query-chips.ts';
import { requestIdIn, traceIdIn } from './search-targets.ts';

/** Filters whose values totals are grouped by. */
const GROUPED: Readonly<Partial<Record<string, Group>>> = {
  keyId: 'keyId',
  teamId: 'teamId',
  model: 'model',
  provider: 'provider',
  environment: 'environment',
  endUserId: 'endUserId',
  type: 'threatType',
};
const KEPT_MS = 60_000;
const SAMPLE = 100;
const MAX_KEYS = 5;

/** The values of filters in the range: those of totals, and of the newest requests for what totals do not count. Read once someone asks. */
export function useSuggestions(
  id: OperationId,
  fields: readonly FormField[],
  range: Query,
  text: string,
  isAsked: boolean,
): readonly Suggestion[] {
  const isAudit = id === 'listAudit';
  const changes = useAuditSuggestions(fields, range, isAsked && isAudit);
  // Totals are of requests.
  const mayRead = useMay('listRequests') && !isAudit && id !== 'listKeys';
  const mayFindKeys = useMay('listKeys') && fields.some(({ name }) => name === 'keyId');
  const enabled = isAsked && mayRead && fields.length > 0;
  const options = { enabled, staleTime: KEPT_MS, retry: false };
  const grouped = fields.flatMap((field) => (GROUPED[field.name] === undefined ? [] : [field]));
  const totals = useQueries({
    queries: grouped.map(({ name }) => ({
      ...reading('getSummary', { query: { ...range, groupBy: GROUPED[name] } as never }),
      ...options,
    })),
  });
  const sample = useQuery({ ...reading('listRequests', { query: { ...range, limit: SAMPLE } as never }), ...options });
  const keys = useQuery({
    queryKey: ['suggested keys', text],
    queryFn: ({ signal }) => call('listKeys', { query: { search: text, limit: MAX_KEYS }, signal }),
    ...options,
    enabled: enabled && mayFindKeys && text !== '',
  });

  const mayListTeams = useMay('listTeams') && fields.some(({ name }) => name === 'teamId');
  const teams = useQuery({ ...reading('listTeams', {}), ...options, enabled: isAsked && mayListTeams });

  const counted = grouped.flatMap((field, at) =>
    (totals[at]?.data?.groups ?? []).flatMap(({ group, label, requests }) =>
      group === null ? [] : [{ field, value: group, label: wordFor(field, group) ?? label ?? group, count: requests }],
    ),
  );
  const teamIds = counted.flatMap(({ field, value }) => (field.name === 'teamId' ? [value] : []));
  const names = useKeyNames(teamIds);
  const found = fields.flatMap((field): Suggestion[] => {
    if (field.name === 'keyId') {
      return (keys.data?.data ?? []).map(({ id, name }) => ({ field, value: id, label: name }));
    }
    if (field.name === 'teamId') {
      return (teams.data?.data ?? []).map(({ id, name }) => ({ field, value: id, label: name }));
    }
    return [
      ...choicesOf(field).map(({ value, label }) => ({ field, value, label })),
      ...valuesIn(sample.data?.data ?? [], field.name).map((value) => ({ field, value, label: value })),
    ];
  });
  const all = [...counted.map((one) => ({ ...one, label: names.get(one.value) ?? one.label })), ...changes, ...found];
  // The first has the count.
  const known = new Map(all.toReversed().map((one) => [`${one.field.name} ${one.value}`, one]));
  return all.filter((one) => known.get(`${one.field.name} ${one.value}`) === one);
}

/** Distinct values of a field in records. */
function valuesIn(records: readonly RequestRecord[], name: string): string[] {
  const values = records.flatMap((record): (string | null | undefined)[] => {
    if (name === 'tag') return pairsOf(record);
    if (name === 'rule') return record.findings.map(({ rule }) => rule);
    if (name === 'tool') return (record.toolCalls ?? []).map(({ tool }) => tool);
    if (OPEN.has(name)) return [(record as unknown as Readonly<Record<string, string | null>>)[name]];
    return [];
  });
  return [...new Set(values.filter((value) => value != null))];
}

const OPEN: ReadonlySet<string> = new Set(['route', 'alias', 'errorCode', 'sessionId', 'endUserId']);

function pairsOf({ tags = {}, requestTags = {} }: RequestRecord): string[] {
  return Object.entries({ ...requestTags, ...tags }).map(([name, value]) => `${name}=${value}`);
}

/** At most so many of one filter while none is chosen, and of a chosen one. */
const OF_EACH = 6;
const OF_ONE = 50;

/** The values that contain a text, those that begin with it first; a typed value of `chosen`, or an id, where nothing lists it. */
export function matching(
  suggestions: readonly Suggestion[],
  fields: readonly FormField[],
  text: string,
  chosen: FormField | undefined,
): Suggestion[] {
  const wanted = text.trim().toLowerCase();
  const ofField = (field: FormField) =>
    suggestions
      .filter((one) => one.field.name === field.name && one.label.toLowerCase().includes(wanted))
      .sort((a, b) => rankOf(a, wanted) - rankOf(b, wanted) || (b.count ?? 0) - (a.count ?? 0));
  if (chosen !== undefined) {
    const listed = ofField(chosen).slice(0, OF_ONE);
    return isTyped(chosen, text.trim(), listed) ? [...listed, typed(chosen, text.trim())] : listed;
  }
  if (wanted === '') return [];
  const ids = idsIn(text, fields);
  if (ids.length > 0) return ids;
  return [
    ...fields.flatMap((field) => ofField(field).slice(0, OF_EACH)),
    ...fields.flatMap((field) =>
      FREE.has(field.name) && isTyped(field, text.trim(), ofField(field)) ? [typed(field, text.trim())] : [],
    ),
  ];
}

/** Filters by names that a person may know, whatever the range has. */
const FREE: ReadonlySet<string> = new Set([
  'search',
  'sessionId',
  'endUserId',
  'tag',
  'rule',
  'tool',
  'action',
  'actor',
  'target',
]);

function rankOf({ label }: Suggestion, wanted: string): number {
  return label.toLowerCase().startsWith(wanted) ? 0 : 1;
}

function typed(field: FormField, value: string): Suggestion {
  return { field, value, label: value };
}

/** Whether a text can be the value of a filter, and no suggestion is it. */
function isTyped(field: FormField, text: string, listed: readonly Suggestion[]): boolean {
  const isOpen = field.kind !== 'select' && field.kind !== 'switch';
  if (text === '' || !(isOpen || field.isOpen === true)) return false;
  if (field.kind === 'number') return /^\d{1,9}(\.\d{1,9})?$/.test(text);
  // Keys and teams are chosen by name: their ids are known by their form.
  if (field.name === 'keyId' || field.name === 'teamId') return false;
  return listed.every(({ value }) => value !== text);
}

/** The filter that a pasted id is of. */
function idsIn(text: string, fields: readonly FormField[]): Suggestion[] {
  const id = text.trim();
  const known: Readonly<Record<string, string | undefined>> = {
    id: requestIdIn(id),
    traceId: traceIdIn(id),
    keyId: /^(?:key|idn)_\w+$/.test(id) ? id : undefined,
    teamId: /^team_\w+$/.test(id) ? id : undefined,
  };
  return fields.flatMap((field) => {
    const value = known[field.name];
    return value === undefined ? [] : [typed(field, value)];
  });
}

/** Filters that begin with a text. */
export function fieldsMatching(fields: readonly FormField[], text: string): readonly FormField[] {
  const wanted = text.trim().toLowerCase();
  return fields.filter(({ label }) => label.toLowerCase().includes(wanted));
}

/** Filters whose values may be the ids of keys and teams. */
const NAMED: ReadonlySet<string> = new Set(['keyId', 'teamId', 'actor', 'target']);

/** Values as people know them: names of keys and teams, and the words of choices. */
export function useValueNames(
  chips: readonly { readonly name: string; readonly value: string }[],
  fields: readonly FormField[],
) {
  const names = useKeyNames(chips.flatMap(({ name, value }) => (NAMED.has(name) && hasName(value) ? [value] : [])));
  return ({ name, value }: { readonly name: string; readonly value: string }): string => {
    const field = fields.find((one) => one.name === name);
    return names.get(value) ?? (field && wordFor(field, value)) ?? value;
  };
}

/** The words of a choice; undefined for a value that is none. */
function wordFor(field: FormField, value: string): string | undefined {
  return choicesOf(field).find((choice) => choice.value === value)?.label;
}
