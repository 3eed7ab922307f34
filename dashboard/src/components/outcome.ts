import type { RequestRecord } from '../api/client.ts';

/** What totals count a request as: `outcomesOf` of the gateway; one that is none of these has passed. */
export const OUTCOME_NAMES = ['passed', 'flagged', 'blocked', 'rate_limited', 'client_error', 'server_error'] as const;
export type OutcomeName = (typeof OUTCOME_NAMES)[number];

/** The words for outcomes on every page. */
export const OUTCOME_LABELS: Readonly<Record<OutcomeName, string>> = {
  passed: 'Passed',
  flagged: 'Flagged or redacted',
  blocked: 'Blocked',
  rate_limited: 'Limited, 429',
  client_error: 'Other 4xx',
  server_error: 'Failed, 5xx',
};

type Judged = Pick<RequestRecord, 'state' | 'action' | 'status'>;

/** What happened to a request: its end, or else its findings. */
export function outcomeOf({ state, action, status }: Judged): OutcomeName {
  if (state === 'blocked') return 'blocked';
  if (state !== 'failed' && state !== 'expired') return action === 'allow' ? 'passed' : 'flagged';
  if (status === 429) return 'rate_limited';
  return status !== null && status >= 400 && status < 500 ? 'client_error' : 'server_error';
}
