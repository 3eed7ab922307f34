import type { Query } from '../../api/client.ts';
import { ACTION_NAMES, ACTIONS, capitalised, ENVIRONMENTS } from '../../components/labels.ts';
import { requestIdIn, traceIdIn } from '../../components/search-targets.ts';

/** Filters with the same name in the URL and the API. */
export const FILTERS = [
  'status',
  'action',
  'state',
  'outcome',
  'keyId',
  'provider',
  'model',
  'route',
  'errorCode',
  'environment',
  'sessionId',
  'endUserId',
  'tag',
  'id',
  'traceId',
  'minScore',
  'minLatencyMs',
  'minFirstTokenMs',
  'minTokens',
  'minCostUsd',
] as const;
export type FilterName = (typeof FILTERS)[number];

const ALL = { value: '', label: 'All' };
const STATUSES = ['2xx', '4xx', '400', '401', '403', '404', '429', '5xx', '500', '502', '503', '504'];
const STATES = ['completed', 'blocked', 'failed', 'cancelled', 'expired'] as const;

/** Filters with a fixed choice, in the order of the page. */
export const SELECTS = [
  ['status', 'Status', [ALL, ...STATUSES]],
  ['action', 'Decision', [ALL, ...ACTIONS.map((value) => ({ value, label: ACTION_NAMES[value] }))]],
  ['state', 'Ended', [ALL, ...STATES.map((value) => ({ value, label: capitalised(value) }))]],
  ['environment', 'Environment', [ALL, ...ENVIRONMENTS]],
] as const;

/** More of them. The outcomes are the figures of the overview. */
export const MORE_SELECTS = [
  [
    'outcome',
    'Outcome',
    [
      ALL,
      { value: 'blocked', label: 'Blocked' },
      { value: 'flagged', label: 'Flagged or redacted' },
      { value: 'rate_limited', label: 'Limited, 429' },
      { value: 'client_error', label: 'Other 4xx' },
      { value: 'server_error', label: 'Failed, 5xx' },
    ],
  ],
] as const;

/** Filters with a text or a number; `hint` is an example. */
export const TEXTS = [
  ['keyId', 'Key id', 'key_…'],
  ['provider', 'Provider', 'openai'],
  ['model', 'Model', 'gpt-6-luna'],
  ['route', 'Route', '/v1/chat/completions'],
  ['errorCode', 'Error code', 'rate_limit_exceeded'],
  ['sessionId', 'Session', ''],
  ['endUserId', 'End user', ''],
  ['tag', 'Tag of the key', 'team=shop'],
  ['id', 'Request id', 'req_…'],
  ['traceId', 'Trace id', ''],
  ['minScore', 'Score from', '0.5'],
  ['minLatencyMs', 'Latency from, ms', '2000'],
  ['minFirstTokenMs', 'First token from, ms', '500'],
  ['minTokens', 'Tokens from', '1000'],
  ['minCostUsd', 'Cost from, USD', '0.01'],
] as const;

/** The filters for the API. A text that the API would refuse, while it is typed, is left out. */
export function toApiFilters(filters: Readonly<Record<string, string>>): Query {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, text]) => {
      const value = text.trim();
      if (value === '') return [];
      if (name === 'id') return [[name, requestIdIn(value) ?? `req_${'0'.repeat(32)}`]];
      if (name === 'traceId') return [[name, traceIdIn(value) ?? value]];
      if (name.startsWith('min') && !/^\d{1,9}(\.\d{1,9})?$/.test(value)) return [];
      return [[name, value]];
    }),
  );
}
