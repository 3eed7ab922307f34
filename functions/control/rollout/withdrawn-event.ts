import { type GatewayEvent, newEventId, type RolloutCounts } from '../../kernel/model/index.ts';

/** The event of a roll-out that is withdrawn. */
export function withdrawnEvent(
  read: { readonly version: number },
  next: { readonly version: number; readonly createdAt: string | null },
  reason: 'watch' | 'administrator',
  counts: RolloutCounts | null,
): GatewayEvent {
  const data = { version: read.version, replacedBy: next.version, reason, counts };
  return { id: newEventId(), type: 'policy.withdrawn', created: next.createdAt as string, data };
}
