import type { RecordedToolCall, RequestRecord } from '../../kernel/model/index.ts';
import type { RecordPosition } from '../analytics/index.ts';
import { recordOf, T0 } from '../analytics/record.fixture.ts';
import type { SpreadDeps } from './read-spread.ts';

export const HOUR_MS = 3_600_000;
/** A day that ends at T0. */
export const DAY = { from: new Date(T0 - 24 * HOUR_MS).toISOString(), to: new Date(T0).toISOString() };

/** Records in memory, and how many were read. */
export function recordsOf(records: readonly RequestRecord[], monotonic: () => number = () => 0) {
  const keyOf = ({ time, id }: RecordPosition) => `${time}${id}`;
  const sorted = records.map((record) => ({ record, key: keyOf(record) })).sort((a, b) => (a.key < b.key ? 1 : -1));
  const reads = { records: 0 };
  const deps: SpreadDeps = {
    records: {
      async page({ from = '', to = '~' }, limit, after) {
        const end = after === undefined ? to : [to, keyOf(after)].sort()[0];
        const start = sorted.findIndex(({ key }) => key < (end as string));
        const rows = start < 0 ? [] : sorted.slice(start, start + limit + 1).filter(({ key }) => key >= from);
        const shown = rows.slice(0, limit).map(({ record }) => ({ record, marks: {} }));
        reads.records += shown.length;
        return { rows: shown, read: shown.length, next: rows.length > limit ? shown.at(-1)?.record : undefined };
      },
    },
    clock: { monotonic },
  };
  return { deps, reads };
}

type Values = Readonly<
  Record<string, RecordedToolCall['arguments'][number]['from'] | `${'field' | 'prose'} ${string}`>
>;

/** A call whose arguments come from `user`, `none`, or such as `field find_contact.email`. */
export function callOf(tool: string, values: Values = {}, fields: Partial<RecordedToolCall> = {}): RecordedToolCall {
  const args = Object.entries(values).map(([argument, written]) => {
    const [from, place] = written.split(' ') as ['user', string | undefined];
    if (place === undefined) return { argument, from };
    const at = place.indexOf('.');
    return { argument, from, message: 2, tool: place.slice(0, at), field: place.slice(at + 1) };
  });
  return { tool, effect: 'send', action: 'allow', arguments: args, ...fields };
}

/** As many records with the same calls, a second apart. */
export function times(count: number, toolCalls: RecordedToolCall[], fields: Partial<RequestRecord> = {}) {
  return Array.from({ length: count }, (_, at) =>
    recordOf({ time: new Date(T0 - HOUR_MS + at * 1000).toISOString(), toolCalls, ...fields }),
  );
}
