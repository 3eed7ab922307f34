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
import { ACTION_NAMES, threatName } from '../../components/labels.ts';
import { OUTCOME_LABELS, outcomeOf } from '../../components/outcome.ts';
import { DecisionTag, OutcomeMark, StateTag, StatusText } from '../../components/tag.tsx';

export type RequestColumn = Column<RequestRecord> & { readonly id: string };

/** Shown until the viewer chooses. */
export const DEFAULT_COLUMNS: readonly string[] = ['time', 'outcome', 'key', 'model', 'latency', 'tokens', 'cost'];

/** All columns of requests; `names` are those of keys, by id. */
export function requestColumns(
  names: ReadonlyMap<string, string>,
  onOpen: (id: string) => void,
): readonly RequestColumn[] {
  return [
    {
      id: 'time',
      header: 'Time',
      widthPx: 108,
      cell: ({ id, time }) => (
        <RowLink href={`/requests/${id}`} onOpen={() => onOpen(id)}>
          {formatShortTime(time, Date.now())}
        </RowLink>
      ),
    },
    { id: 'outcome', header: 'Outcome', widthPx: 124, grows: 1.2, cell: (record) => <OutcomeCell record={record} /> },
    {
      id: 'key',
      header: 'Key',
      widthPx: 96,
      grows: 1,
      cell: ({ keyId }) => <OneLine text={names.get(keyId) ?? keyId} />,
    },
    {
      id: 'model',
      header: 'Model',
      widthPx: 110,
      grows: 1.2,
      isWideOnly: true,
      cell: ({ provider, model }) => <OneLine text={model === null ? NOTHING : `${provider ?? ''}/${model}`} />,
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
      id: 'tokens',
      header: 'Tokens',
      widthPx: 104,
      align: 'end',
      isWideOnly: true,
      cell: ({ tokens: { input, output } }) =>
        input === null && output === null ? NOTHING : `${countOf(input)} / ${countOf(output)}`,
    },
    {
      id: 'cost',
      header: 'Cost',
      widthPx: 120,
      align: 'end',
      isWideOnly: true,
      cell: (record) => formatRequestCost(record),
    },
    {
      id: 'status',
      header: 'Status',
      widthPx: 68,
      isWideOnly: true,
      cell: ({ status }) => <StatusText status={status} />,
    },
    {
      id: 'action',
      header: 'Decision',
      widthPx: 92,
      isWideOnly: true,
      cell: (record) => <DecisionTag record={record} />,
    },
    {
      id: 'score',
      header: 'Score',
      widthPx: 64,
      isWideOnly: true,
      align: 'end',
      cell: ({ threatScore }) => formatScore(threatScore),
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
      id: 'firstToken',
      header: 'First token',
      widthPx: 92,
      align: 'end',
      isWideOnly: true,
      cell: ({ timeToFirstTokenMs }) => formatMs(timeToFirstTokenMs),
    },
    {
      id: 'found',
      header: 'Findings',
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

/** A mark alone for what is normal; else also what happened, and why. */
function OutcomeCell({ record }: { readonly record: RequestRecord }) {
  const outcome = outcomeOf(record);
  const isCancelled = outcome === 'passed' && record.state === 'cancelled';
  return (
    <OutcomeMark outcome={outcome} isQuiet={outcome === 'passed' && !isCancelled}>
      {isCancelled ? 'Cancelled by the client' : whyOf(record)}
    </OutcomeMark>
  );
}

/** The outcome in words, with the findings or the error that explain it. */
export function whyOf(record: RequestRecord): string {
  const outcome = outcomeOf(record);
  if (outcome === 'passed') return OUTCOME_LABELS.passed;
  const isFound = outcome === 'blocked' || outcome === 'flagged';
  const what = isFound ? ACTION_NAMES[record.action] : `${record.status ?? 'Failed'}`;
  const types = Object.keys(record.threats).map(threatName);
  const why = isFound ? types.join(', ') : (record.errorCode ?? '').replaceAll('_', ' ');
  return why === '' ? what : `${what}: ${why}`;
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
