import type { GatewayEvent } from '../ports/event-publisher.ts';

/** Why no event goes to an endpoint any more: an administrator's wish, its own 410, or five days of failing. */
export type DisabledReason = 'admin' | 'gone' | 'failing';

/** A signing secret: `whsec_` and base64 of 32 random bytes. Kept sealed, open in memory only. */
export interface WebhookSecret {
  readonly secret: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Of one that was rotated out: until then both sign. */
  readonly validUntil?: string;
}

/** Which events an endpoint wants beyond their types: those of requests that fit, all of these. */
export interface WebhookFilter {
  /** 0..1: no `threat.detected` and no `request.blocked` of a lower score. */
  readonly minThreatScore?: number;
  /** Only where one of these types was found, for `threat.detected` and `request.blocked`. */
  readonly threatTypes?: readonly string[];
  readonly environments?: readonly string[];
}

/** An endpoint that is told of events (decisions, section 10), as those see it who deliver. */
export interface Webhook {
  /** `wh_...` */
  readonly id: string;
  readonly url: string;
  readonly events: readonly GatewayEvent['type'][];
  readonly filter: WebhookFilter;
  readonly description: string | null;
  readonly state: 'active' | 'disabled';
  readonly disabledReason: DisabledReason | null;
  /** ISO 8601; the first failure since the last success, null where the last attempt was one. */
  readonly failingSince: string | null;
  readonly createdAt: string;
  /** Newest first; the first is the current one. */
  readonly secrets: readonly WebhookSecret[];
}
