import type { LimitKind } from '../admission/ledger.ts';
import type { DetectedThreat } from '../inspect/security-report.ts';
import type { KeyView } from '../model/api-key.ts';

interface RequestEventData {
  readonly requestId: string;
  readonly keyId: string;
  readonly environment: string;
  readonly sessionId?: string;
  readonly endUserId?: string;
  readonly model?: string;
  readonly threatScore?: number;
  readonly detectedThreats?: readonly DetectedThreat[];
  readonly action?: string;
}

interface RefusalEventData extends RequestEventData {
  readonly limit: LimitKind;
  /** ISO 8601: when a request would be admitted again. */
  readonly resetTime: string;
  /** Where the budget is one that keys share: the tag that they share it by. */
  readonly tag?: { readonly name: string; readonly value: string };
  /** Refusals that this event stands for: those of the same kind since the last one, in one process. */
  readonly count: number;
}

/** What other systems are told of (decisions, section 10). `id` is stable over retries. */
export type GatewayEvent = { readonly id: string /** ISO 8601 */; readonly created: string } & (
  | { readonly type: 'threat.detected' | 'request.blocked'; readonly data: RequestEventData }
  | { readonly type: 'rate_limit.exceeded' | 'budget.exceeded'; readonly data: RefusalEventData }
  | {
      readonly type: 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'key.expiring';
      readonly data: KeyView;
    }
);

/** Hands an event to the queue. Throws StoreUnavailable when the queue does not take it in time. */
export interface EventPublisher {
  publish(event: GatewayEvent): Promise<void>;
}
