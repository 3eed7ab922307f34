import * as z from 'zod';
import { addressSchema, normalizedAddress } from '../http/index.ts';
import { ENVIRONMENTS } from './api-key.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';
import { THREAT_TYPES } from './threat.ts';

/** Why an endpoint is disabled: by an administrator, by its 410, or after five days of failures. */
export type DisabledReason = 'admin' | 'gone' | 'failing';

/** A signing secret: `whsec_` and base64 of 32 random bytes. Stored sealed. */
export interface WebhookSecret {
  readonly secret: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Of a rotated secret: until then both sign. */
  readonly validUntil?: string;
}

/** Conditions on the events of an endpoint; all must hold. */
export interface WebhookFilter {
  /** 0..1: excludes `threat.detected` and `request.blocked` with a lower score. */
  readonly minThreatScore?: number;
  /** For `threat.detected` and `request.blocked`: only with a finding of one of these types. */
  readonly threatTypes?: readonly string[];
  readonly environments?: readonly string[];
}

/** An endpoint that receives events, with its secrets, for delivery. */
export interface Webhook {
  /** `wh_...` */
  readonly id: string;
  readonly url: string;
  /** What is sent: our signed events, or messages of a service. Absent in older ones: `svc`. It never changes. */
  readonly format?: (typeof FORMATS)[number] | undefined;
  /** Of PagerDuty. Stored sealed, like the address of every format but `svc`. */
  readonly routingKey?: string | undefined;
  readonly events: readonly EventType[];
  readonly filter: WebhookFilter;
  readonly description: string | null;
  readonly state: 'active' | 'disabled';
  readonly disabledReason: DisabledReason | null;
  /** ISO 8601; the first failure since the last success, null if the last attempt succeeded. */
  readonly failingSince: string | null;
  readonly createdAt: string;
  /** Newest first; the first is the current one. */
  readonly secrets: readonly WebhookSecret[];
}

const FORMATS = ['svc', 'slack', 'teams', 'pagerduty'] as const;
const SHOWN_CHARS = 4;
const MAX_ENVIRONMENTS = 32;
const MAX_GRACE_SECONDS = 30 * 86_400;
/** `webhook.test` is always delivered, so it cannot be selected. */
const WANTED_TYPES = EVENT_TYPES.filter((type) => type !== 'webhook.test');

const events = z
  .array(z.enum(WANTED_TYPES, { error: `must be one of ${WANTED_TYPES.join(', ')}` }))
  .max(EVENT_TYPES.length * 2)
  .transform((list) => [...new Set(list)])
  .meta({
    description:
      'Event types that the endpoint receives. At least one with the format `svc`; the other formats take `alert.fired`, `alert.resolved` and, but for `pagerduty`, `spend.report` only, and none for a target of alerts.',
    label: 'Events',
    option: { name: 'events', format: 'list', value: 'A,B', help: 'Events to send.' },
    choiceLabels: {
      'threat.detected': 'A finding that was not blocked',
      'request.blocked': 'A request or its response was blocked',
      'session.flagged': "A session's accumulated score became suspicious",
      'tool.approval_requested': 'A tool call waits for approval',
      'tool.approval_decided': 'A tool call was approved or denied',
      'rate_limit.exceeded': 'A key exceeded a limit',
      'budget.exceeded': 'A budget is used up',
      'key.created': 'A key was created',
      'key.updated': 'A key was changed',
      'key.rotated': "A key's secret was rotated",
      'key.revoked': 'A key was revoked',
      'key.expiring': 'A key expires within a week',
      'policy.withdrawn': 'A roll-out of a policy was withdrawn',
      'mcp.tool_changed': 'A tool of an MCP server has changed since its approval, or is gone',
      'override.changed': 'The emergency override was set or ended',
      'alert.fired': 'An alert began to fire',
      'alert.resolved': 'An alert was resolved',
      'spend.report': 'What the last calendar month has cost',
      'webhook.disabled': 'A webhook was disabled',
    } satisfies Record<(typeof WANTED_TYPES)[number], string>,
  });

const filter = z
  .strictObject({
    minThreatScore: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({
        description: 'Excludes `threat.detected` and `request.blocked` with a lower score.',
        label: 'Minimum score',
        hint: '0 to 1, for threat.detected and request.blocked',
        option: {
          name: 'min-score',
          format: 'number',
          value: 'N',
          help: 'Only threats with at least this score, 0 to 1.',
        },
      }),
    threatTypes: z
      .array(z.enum(THREAT_TYPES))
      .min(1)
      .max(THREAT_TYPES.length)
      .optional()
      .meta({
        description: '`threat.detected` and `request.blocked` only with a finding of one of these types.',
        label: 'Finding types',
        hint: 'Empty: all',
        option: { name: 'threat-types', format: 'list', value: 'A,B', help: 'Only threats of these types.' },
      }),
    environments: z
      .array(z.string().min(1).max(256))
      .min(1)
      .max(MAX_ENVIRONMENTS)
      .optional()
      .meta({
        description: 'Only events of these environments, as written in the event.',
        label: 'Environments',
        hint: 'Empty: all',
        option: { name: 'environments', format: 'list', value: 'A,B', help: 'Only events of these environments.' },
        choices: ENVIRONMENTS,
        isOpen: true,
      }),
  })
  .meta({ description: 'Conditions on events; all must hold.' });

/** control/webhooks/endpoint-url.ts checks it further: what is allowed depends on the deployment. */
const url = addressSchema
  .min(1)
  .max(2_048)
  .transform(normalizedAddress)
  .meta({
    description: 'An https URL without credentials, fragment and white space; stored as the URL standard writes it.',
    label: 'Address',
    hint: 'https://alerts.example.com/svc',
    option: { name: 'address', format: 'text', value: 'URL', help: 'New address.' },
  });
const description = z
  .string()
  .max(512)
  .refine((text) => !/\p{Cc}/u.test(text), 'must hold no control characters')
  .nullable()
  .meta({
    label: 'Description',
    option: { name: 'description', format: 'text', value: 'TEXT', help: 'A description for people.' },
  });

const format = z.enum(FORMATS).meta({
  description:
    '`svc`: our signed events. `slack`: an incoming webhook of Slack. `teams`: a workflow of Teams that starts with a webhook request. `pagerduty`: Events API v2. It never changes.',
  label: 'Format',
  option: { name: 'format', format: 'text', value: 'WORD', help: 'svc, slack, teams or pagerduty. Default: svc.' },
  choiceLabels: { svc: 'Signed events', slack: 'Slack', teams: 'Microsoft Teams', pagerduty: 'PagerDuty' },
});
const routingKey = z
  .string()
  .regex(/^[A-Za-z0-9]{32}$/, { error: 'must be the 32 letters and digits of an integration key' })
  .meta({
    description:
      'The integration key of a service in PagerDuty; required with `pagerduty`, and only there. Never shown again.',
    label: 'Routing key',
  });

/** Body of `POST /admin/webhooks`. */
export const createWebhookSchema = z
  .strictObject({
    url,
    format: format.default('svc'),
    routingKey: routingKey.optional(),
    events: events.default([]),
    description: description.default(null),
    filter: filter.default({}),
  })
  .meta({ id: 'CreateWebhook', description: 'A new endpoint for events.' });
export type CreateWebhook = z.infer<typeof createWebhookSchema>;

/** Body of `PATCH /admin/webhooks/{id}`: absent fields stay unchanged. */
export const updateWebhookSchema = z
  .strictObject({
    url,
    routingKey,
    events,
    description,
    filter,
    state: z.enum(['active', 'disabled']).meta({
      option: { name: 'state', format: 'text', value: 'WORD', help: 'active also ends an automatic disable.' },
    }),
  })
  .partial()
  .meta({
    id: 'UpdateWebhook',
    description: 'Changes to an endpoint. `active` enables it again and clears its failures.',
  });
export type UpdateWebhook = z.infer<typeof updateWebhookSchema>;

/** Body of `POST /admin/webhooks/{id}/rotate-secret`. */
export const rotateWebhookSecretSchema = z
  .strictObject({
    graceSeconds: z
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(86_400)
      .meta({
        description: 'How long the old secret also signs; with 0 only the new one does.',
        option: {
          name: 'grace',
          format: 'duration',
          value: 'DURATION',
          help: 'How long the old secret signs too, in seconds, minutes, hours or days: 90s, 30m, 24h, 7d; at most 30d, and 0 for not at all. Default: 24h.',
        },
      }),
  })
  .meta({ id: 'RotateWebhookSecret', description: 'Options for a new signing secret.' });

/** An endpoint as the admin API returns it: of its secrets only their times. */
export const webhookSchema = z
  .object({
    id: z.string(),
    object: z.literal('webhook'),
    url: z.string().meta({ description: 'Of another format than `svc` only its host and its last 4 characters.' }),
    format: format.optional(),
    routingKeyLast4: z.string().optional().meta({ description: 'Of the format `pagerduty`.' }),
    events: z.array(z.enum(EVENT_TYPES)),
    description: z.string().nullable(),
    filter,
    state: z.enum(['active', 'disabled']),
    disabledReason: z
      .enum(['admin', 'gone', 'failing'])
      .nullable()
      .meta({ description: 'By an administrator, by its 410, or after five days of failures.' }),
    failingSince: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'The first failure since the last success; null if the last attempt succeeded.' }),
    pausedUntil: z.iso.datetime().optional().meta({
      description:
        'No delivery is sent before: after ten failures in a row, or by `Retry-After`. Only while it is paused, where one webhook is read.',
    }),
    createdAt: z.iso.datetime(),
    previousSecrets: z
      .array(z.object({ createdAt: z.iso.datetime(), validUntil: z.iso.datetime() }))
      .meta({ description: 'Rotated secrets that still sign.' }),
  })
  .meta({ id: 'Webhook', description: 'An endpoint for events, without its secret.' });
export type WebhookView = z.infer<typeof webhookSchema>;

/** The endpoint as the admin API and events show it. */
export function toWebhookView({ secrets, ...webhook }: Webhook, nowMs: number): WebhookView {
  const previousSecrets = secrets.flatMap(({ createdAt, validUntil }) =>
    validUntil !== undefined && nowMs < Date.parse(validUntil) ? [{ createdAt, validUntil }] : [],
  );
  return {
    id: webhook.id,
    object: 'webhook',
    url: shownAddress(webhook),
    format: webhook.format ?? 'svc',
    ...(webhook.routingKey !== undefined && { routingKeyLast4: webhook.routingKey.slice(-SHOWN_CHARS) }),
    events: [...webhook.events],
    description: webhook.description,
    filter: webhook.filter as WebhookView['filter'],
    state: webhook.state,
    disabledReason: webhook.disabledReason,
    failingSince: webhook.failingSince,
    createdAt: webhook.createdAt,
    previousSecrets,
  };
}

/** The address, which is a secret in every format but `svc`: then its host and last characters. */
function shownAddress({ url, format = 'svc' }: Pick<Webhook, 'url' | 'format'>): string {
  // Older releases stored it as sent.
  const address = normalizedAddress(url);
  if (format === 'svc') return address;
  return `${new URL(address).origin}/...${address.slice(-SHOWN_CHARS)}`;
}
