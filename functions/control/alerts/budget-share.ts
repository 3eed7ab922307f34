import type { Alert } from '../../kernel/alerts/index.ts';
import type { ApiKey } from '../../kernel/model/index.ts';
import type { TeamsDocument } from '../../kernel/teams/index.ts';
import type { DocumentStore } from '../documents/index.ts';
import type { KeyStore } from '../keys/index.ts';
import { type LimitStore, limitsWithoutRate, roomFor } from '../limits/index.ts';
import type { Measurement } from './alert-state.ts';

/** Budgets, and what is used of them. */
export interface BudgetDeps {
  readonly keys: Pick<KeyStore, 'get'>;
  readonly teams: Pick<DocumentStore<TeamsDocument>, 'current'>;
  readonly limits: Pick<LimitStore, 'peek'>;
}

/** How much of its budget a key or a team has used or reserved in the current period; 0 without a budget. @throws StoreUnavailable */
export async function budgetShare(
  { teamId, keyId }: Alert['scope'],
  { keys, teams, limits }: BudgetDeps,
): Promise<Measurement> {
  const id = keyId ?? teamId ?? '';
  const limited: Pick<ApiKey, 'budget'> | undefined =
    keyId === undefined
      ? (await teams.current()).settings.teams.find((team) => team.id === teamId)
      : (await keys.get(keyId))?.key;
  const bounds = limitsWithoutRate({ budget: limited?.budget ?? null });
  if (bounds.budget === undefined) return { value: 0, requests: 0 };
  const { ledger, nowMs } = await limits.peek(id);
  const left = Math.max(0, roomFor(ledger, bounds, nowMs).nanoUsd);
  return { value: 1 - left / bounds.budget.nanoUsd, requests: 0 };
}
