import type { RequestRecord } from '../../api/client.ts';
import { type Column, OneLine, RowLink } from '../../components/data-table.tsx';
import {
  formatExact,
  formatMs,
  formatRequestCost,
  formatScore,
  formatShortTime,
  NOTHING,
} from '../../components/format.ts';
import { threatName } from '../../components/labels.ts';
import { DecisionTag, StateTag, StatusText } from '../../components/tag.tsx';

export type RequestColumn = Column<RequestRecord> & { readonly id: string };

/** Shown until the viewer chooses. */
export const DEFAULT_COLUMNS: readonly string[] = [
  'time',
  'status',
  'action',
  'score',
  'key',
  'model',
  'route',
  'latency',
  'firstToken',
  'tokens',
  'cost',
];

/** All columns of requests; `names` are those of keys, by id. */
export function requestColumns(names: ReadonlyMap<string, string>): readonly RequestColumn[] {
  return [
    {
      id: 'time',
      header: 'Time',
      widthPx: 116,
      cell: ({ id, time }) => <RowLink href={`/requests/${id}`}>{formatShortTime(time, Date.now())}</RowLink>,
    },
    { id: 'status', header: 'Status', widthPx: 68, cell: ({ status }) => <StatusText status={status} /> },
    { id: 'action', header: 'Decision', widthPx: 92, cell: (record) => <DecisionTag record={record} /> },
    {
      id: 'score',
      header: 'Score',
      widthPx: 64,
      isWideOnly: true,
      align: 'end',
      cell: ({ threatScore }) => formatScore(threatScore),
    },
    {
      id: 'key',
      header: 'Key',
      widthPx: 84,
      grows: 1,
      isWideOnly: true,
      cell: ({ keyId }) => <OneLine text={names.get(keyId) ?? keyId} />,
    },
    {
      id: 'model',
      header: 'Model',
      widthPx: 104,
      grows: 1.4,
      isWideOnly: true,
      cell: ({ provider, model }) => <OneLine text={model === null ? NOTHING : `${provider ?? ''}/${model}`} />,
    },
    {
      id: 'route',
      header: 'Route',
      widthPx: 84,
      grows: 1.2,
      isWideOnly: true,
      cell: ({ route }) => <OneLine text={route} />,
    },
    {
      id: 'latency',
      header: 'Latency',
      widthPx: 80,
      align: 'end',
      isWideOnly: true,
      cell: ({ latencyMs }) => formatMs(latencyMs),
    },
    {
      id: 'firstToken',
      header: 'First token',
      widthPx: 92,
      align: 'end',
      isWideOnly: true,
      cell: ({ timeToFirstTokenMs }) => formatMs(timeToFirstTokenMs),
    },
    {
      id: 'tokens',
      header: 'Tokens',
      widthPx: 112,
      align: 'end',
      isWideOnly: true,
      cell: ({ tokens: { input, output } }) =>
        input === null && output === null ? NOTHING : `${countOf(input)} / ${countOf(output)}`,
    },
    {
      id: 'cost',
      header: 'Cost',
      widthPx: 124,
      align: 'end',
      isWideOnly: true,
      cell: (record) => formatRequestCost(record),
    },
    {
      id: 'found',
      header: 'Found',
      widthPx: 160,
      grows: 1.5,
      isWideOnly: true,
      cell: ({ threats }) => <OneLine text={foundIn(threats)} />,
    },
    { id: 'state', header: 'Ended', widthPx: 108, isWideOnly: true, cell: ({ state }) => <StateTag state={state} /> },
    {
      id: 'errorCode',
      header: 'Error code',
      widthPx: 150,
      grows: 1,
      isWideOnly: true,
      cell: ({ errorCode }) => <OneLine text={errorCode ?? NOTHING} />,
    },
    {
      id: 'session',
      header: 'Session',
      widthPx: 120,
      grows: 1,
      isWideOnly: true,
      cell: ({ sessionId }) => <OneLine text={sessionId ?? NOTHING} />,
    },
    {
      id: 'endUser',
      header: 'End user',
      widthPx: 110,
      grows: 1,
      isWideOnly: true,
      cell: ({ endUserId }) => <OneLine text={endUserId ?? NOTHING} />,
    },
    {
      id: 'environment',
      header: 'Environment',
      widthPx: 112,
      isWideOnly: true,
      cell: ({ environment }) => <OneLine text={environment} />,
    },
    {
      id: 'tags',
      header: 'Tags',
      widthPx: 130,
      grows: 1,
      isWideOnly: true,
      cell: ({ tags, requestTags }) => <OneLine text={tagsOf({ ...requestTags, ...tags })} />,
    },
    {
      id: 'id',
      header: 'Request id',
      widthPx: 150,
      grows: 1.2,
      isWideOnly: true,
      cell: ({ id }) => <OneLine text={id} />,
    },
  ];
}

export function tagsOf(tags: RequestRecord['tags'] = {}): string {
  const all = Object.entries(tags).map(([name, value]) => `${name}=${value}`);
  return all.length === 0 ? NOTHING : all.join(', ');
}

export function foundIn(threats: RequestRecord['threats']): string {
  const all = Object.entries(threats).map(([type, count]) => `${threatName(type)} ×${count}`);
  return all.length === 0 ? NOTHING : all.join(', ');
}

function countOf(tokens: number | null): string {
  return tokens === null ? NOTHING : formatExact(tokens);
}
