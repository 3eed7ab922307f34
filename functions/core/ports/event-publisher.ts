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

/** What other systems are told of (decisions, section 10). `id` is stable over retries. */
export type GatewayEvent = { readonly id: string /** ISO 8601 */; readonly created: string } & (
  | { readonly type: 'threat.detected' | 'request.blocked'; readonly data: RequestEventData }
  | { readonly type: 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked'; readonly data: KeyView }
);

/** Hands an event to the queue. Throws StoreUnavailable when the queue does not take it in time. */
export interface EventPublisher {
  publish(event: GatewayEvent): Promise<void>;
}
