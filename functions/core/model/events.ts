import { randomHex } from '../base/crypto.ts';
import type { KeyView } from './api-key.ts';
import type { DetectedThreat } from './security-info.ts';
import type { WebhookView } from './webhook.ts';

export type LimitKind = 'requests' | 'tokens' | 'budget' | 'concurrent';

export interface RequestEventData {
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

/** A key without its secret; of one whose settings are very large only which it is. */
export type KeyEventData = KeyView | Pick<KeyView, 'id' | 'object' | 'name' | 'state'>;

/** What other systems are told of (decisions, section 10). `id` is stable over retries. */
export type GatewayEvent = { readonly id: string /** ISO 8601 */; readonly created: string } & (
  | { readonly type: 'threat.detected' | 'request.blocked'; readonly data: RequestEventData }
  | { readonly type: 'rate_limit.exceeded' | 'budget.exceeded'; readonly data: RefusalEventData }
  | {
      readonly type: 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'key.expiring';
      readonly data: KeyEventData;
    }
  /** `threatScore` is what the session's turns add up to. */
  | { readonly type: 'session.flagged'; readonly data: RequestEventData }
  | { readonly type: 'webhook.disabled'; readonly data: WebhookView }
  /** For this one endpoint, whatever events it wants. */
  | { readonly type: 'webhook.test'; readonly data: { readonly webhookId: string } }
);

/** Hands events to the queue, each as its JSON. Throws StoreUnavailable when the queue does not take them all in time. */
export interface EventPublisher {
  publish(events: readonly string[]): Promise<void>;
}

/** The id of an event that tells of something that has no id of its own. */
export function newEventId(): string {
  return `evt_${randomHex(32)}`;
}
