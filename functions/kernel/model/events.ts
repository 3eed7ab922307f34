import * as z from 'zod';
import { randomHex } from '../crypto/index.ts';
import type { KeyView } from './api-key.ts';
import type { ApprovalView } from './approval.ts';
import { type Caller, callerFields } from './caller.ts';
import { originSchema } from './origin.ts';
import { ACTIONS, type DetectedThreat, THREAT_TYPES } from './threat.ts';
import type { WebhookView } from './webhook.ts';

export type LimitKind = 'requests' | 'tokens' | 'budget' | 'concurrent';

export interface RequestEventData extends Caller {
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
  /** ISO 8601: when a request can be admitted again. */
  readonly resetTime: string;
  /** The tag of a shared budget. */
  readonly tag?: { readonly name: string; readonly value: string };
  /** The team whose limit it is. */
  readonly team?: { readonly id: string; readonly name: string };
  /** The tools of an MCP server whose limit it is, as a glob of `server/tool`. */
  readonly tools?: string;
  /** Rejections that this event reports: those of the same kind since the last one, in one process. */
  readonly count: number;
}

/** A roll-out of a policy that was withdrawn, by an administrator or by itself, and what was counted until then. */
interface WithdrawnEventData {
  /** The version of the roll-out, and the one without it. */
  readonly version: number;
  readonly replacedBy: number;
  readonly reason: 'watch' | 'administrator';
  readonly counts: {
    readonly requests: number;
    readonly blocked: number;
    readonly flagged: number;
    /** What the policy in force would have done with the same requests. */
    readonly blockedBefore: number;
    readonly flaggedBefore: number;
  } | null;
}

interface OverrideEventData {
  readonly mode: 'none' | 'observe' | 'refuse';
  /** ISO 8601; null without an override. */
  readonly until: string | null;
}

/** A tool, prompt or template of an MCP server whose definition differs from the approved one. */
interface McpToolEventData {
  readonly server: string;
  /** `search`, `prompt:review` */
  readonly tool: string;
  /** Null: the server no longer lists the tool. */
  readonly digest: string | null;
  readonly approvedDigest: string;
  /** Names of the fields that differ. */
  readonly fields: readonly string[];
}

/** An alert that began to fire or was resolved. */
interface AlertEventData {
  readonly alertId: string;
  readonly name: string;
  readonly state: 'ok' | 'firing';
  /** ISO 8601: since when it has this state. */
  readonly since: string | null;
  readonly rule: {
    readonly metric: string;
    readonly compare: 'above' | 'below';
    readonly threshold: number;
    readonly minutes: number;
    readonly scope: Readonly<Record<string, string | undefined>>;
  };
  /** Of the metric; null if it has none. */
  readonly value: number | null;
  readonly requests: number;
  /** Webhooks that get it whatever their types. */
  readonly webhookIds: readonly string[];
  readonly topicArns: readonly string[];
}

/** What requests have cost, as far as prices are known; `unknownCharges` counts what is not in the cost, by charge. */
interface SpendFigures {
  readonly requests: number;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly costUsd: number | null;
  readonly unpriced: number;
  readonly partlyPriced: number;
  readonly unknownCharges?: Readonly<Record<string, number>> | undefined;
  /** Of the month before; null if it is not known. */
  readonly previousUsd: number | null;
}

/** How many groups there are, and those with the highest cost. */
export interface SpendEventGroups {
  readonly groups: number;
  readonly rows: readonly (SpendFigures & {
    /** null: the requests without one. */
    readonly group: string | null;
    /** The name of a team or key. */
    readonly label?: string | null;
    /** `monthUsd`: as much of it as the month has. */
    readonly budget: { readonly usd: number; readonly period: string; readonly monthUsd: number } | null;
  })[];
}

/** What a calendar month that is over has cost. */
export interface SpendEventData extends SpendFigures {
  /** `2026-11` */
  readonly month: string;
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  readonly byTeam: SpendEventGroups;
  readonly byKey: SpendEventGroups;
  readonly byModel: SpendEventGroups;
  readonly byProvider: SpendEventGroups;
  readonly byEnvironment: SpendEventGroups;
  readonly topicArns: readonly string[];
}

/** A key without its secret; only its identity if its settings are very large. */
export type KeyEventData = KeyView | Pick<KeyView, 'id' | 'object' | 'name' | 'state'>;

/** An event for other systems. `id` is stable over retries. */
export type GatewayEvent = { readonly id: string /** ISO 8601 */; readonly created: string } & (
  | { readonly type: 'threat.detected' | 'request.blocked'; readonly data: RequestEventData }
  | { readonly type: 'rate_limit.exceeded' | 'budget.exceeded'; readonly data: RefusalEventData }
  | {
      readonly type: 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'key.expiring';
      readonly data: KeyEventData;
    }
  /** `threatScore` is the accumulated score of the session. */
  | { readonly type: 'session.flagged'; readonly data: RequestEventData }
  | { readonly type: 'tool.approval_requested' | 'tool.approval_decided'; readonly data: ApprovalView }
  | { readonly type: 'policy.withdrawn'; readonly data: WithdrawnEventData }
  | { readonly type: 'override.changed'; readonly data: OverrideEventData }
  | { readonly type: 'mcp.tool_changed'; readonly data: McpToolEventData }
  | { readonly type: 'alert.fired' | 'alert.resolved'; readonly data: AlertEventData }
  | { readonly type: 'spend.report'; readonly data: SpendEventData }
  | { readonly type: 'webhook.disabled'; readonly data: WebhookView }
  /** For this endpoint only, whatever its types. */
  | { readonly type: 'webhook.test'; readonly data: { readonly webhookId: string } }
);

/** Of an event's JSON: the queue accepts no larger message. */
export const MAX_EVENT_BYTES = 256 * 1024;

/** Sends events to the queue, each as its JSON. Throws StoreUnavailable if the queue does not accept all in time. */
export interface EventPublisher {
  publish(events: readonly string[]): Promise<void>;
}

/** The id of a request's event. */
export function eventIdOf(requestId: string): string {
  return `evt_${requestId.replace(/^req_/, '')}`;
}

/** A random event id, for events without an id to derive it from. */
export function newEventId(): string {
  return `evt_${randomHex(32)}`;
}

/** Events with findings. */
export const FINDINGS_EVENTS = ['threat.detected', 'request.blocked'] as const;

const action = z.enum(ACTIONS);

const threat = z.object({
  type: z.enum(THREAT_TYPES),
  category: z.string(),
  score: z.number(),
  severity: z.enum(['low', 'medium', 'high', 'critical']),
  action,
  rule: z.string(),
  message: z.string(),
  location: z.object({
    part: z.enum(['input', 'output']),
    message: z.int().nullable(),
    field: z.string(),
    start: z.int(),
    end: z.int(),
  }),
  owasp: z.string(),
  atlas: z.string().nullable(),
  origin: originSchema.optional(),
  policyRule: z.string().optional(),
});

/** Such an event as it arrives from the queue, without unknown members, so that nothing is forwarded unchecked. */
export const findingsEventSchema = z.object({
  id: z.string(),
  created: z.iso.datetime(),
  type: z.enum(FINDINGS_EVENTS),
  data: z.object({
    requestId: z.string(),
    keyId: z.string(),
    ...callerFields,
    environment: z.string(),
    sessionId: z.string().optional(),
    endUserId: z.string().optional(),
    model: z.string().optional(),
    threatScore: z.number().optional(),
    action: action.optional(),
    detectedThreats: z.array(threat).default([]),
  }),
});
export type FindingsEvent = z.infer<typeof findingsEventSchema>;
