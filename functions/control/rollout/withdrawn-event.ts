import { type GatewayEvent, newEventId } from '../../kernel/model/index.ts';
import type { readRollout } from '../analytics/index.ts';

/** Requests that a roll-out took. */
export type Counts = Awaited<ReturnType<typeof readRollout>>['total'];

/** The event of a roll-out that is withdrawn. */
export function withdrawnEvent(
  read: { readonly version: number },
  next: { readonly version: number; readonly createdAt: string | null },
  reason: 'watch' | 'administrator',
  counts: Counts | null,
): GatewayEvent {
  const data = { version: read.version, replacedBy: next.version, reason, counts };
  return { id: newEventId(), type: 'policy.withdrawn', created: next.createdAt as string, data };
}
