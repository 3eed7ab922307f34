import * as z from 'zod';
import { THREAT_TYPES } from '../model/index.ts';

/** What people read for each metric, in forms, lists and messages. */
const METRIC_NAMES = {
  errorRate: 'Error rate',
  latencyP95: 'Latency (p95)',
  spendUsd: 'Spend',
  budgetShare: 'Share of the budget',
  blockedShare: 'Blocked share',
  flaggedShare: 'Flagged share',
  findings: 'Findings',
  requests: 'Requests',
  toolChanges: 'Changed MCP tools',
} as const;
type Metric = keyof typeof METRIC_NAMES;
/** What people read for a metric of an event, which may be of a later release. */
export function metricName(metric: string): string {
  return (METRIC_NAMES as Readonly<Record<string, string>>)[metric] ?? metric;
}

const METRICS = Object.keys(METRIC_NAMES) as [Metric, ...Metric[]];
const SHARES: readonly Metric[] = ['errorRate', 'budgetShare', 'blockedShare', 'flaggedShare'];

/** Each is evaluated every minute, and all are one item of DynamoDB. */
export const MAX_ALERTS = 100;
const MAX_TARGETS = 10;
/** Totals by minute are read for at most this long; longer ranges, and those of keys and teams, have hours. */
const MAX_BY_MINUTE = 60;
const MAX_MINUTES = 7 * 24 * 60;
const TOPIC = /^arn:aws[\w-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;

const target = z.union(
  [
    z.strictObject({ webhookId: z.string().min(1).max(64) }),
    z.strictObject({ snsTopicArn: z.string().regex(TOPIC, { error: 'must be the ARN of a standard SNS topic' }) }),
  ],
  { error: 'must be {"webhookId": "wh_..."} or {"snsTopicArn": "arn:aws:sns:..."}' },
);

const scope = z
  .strictObject({
    teamId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({
        label: 'Team',
        hint: 'All teams',
        option: { name: 'team', format: 'text', value: 'ID', help: 'Only requests of this team.' },
      }),
    keyId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({
        label: 'Key',
        hint: 'All keys',
        option: {
          name: 'key-id',
          format: 'text',
          value: 'ID',
          help: 'Only requests of this key, or of this caller with a token.',
        },
      }),
    model: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .meta({
        label: 'Model',
        hint: 'All models',
        option: { name: 'model', format: 'text', value: 'NAME', help: 'Only requests for this model.' },
      }),
    provider: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({
        label: 'Provider',
        hint: 'All providers',
        option: {
          name: 'provider',
          format: 'text',
          value: 'NAME',
          help: 'Only requests that this provider served last.',
        },
      }),
    threatType: z
      .enum(THREAT_TYPES)
      .optional()
      .meta({
        description: 'Required with `findings`, and only there.',
        label: 'Finding',
        option: { name: 'threat-type', format: 'text', value: 'TYPE', help: 'The type of findings to count.' },
      }),
  })
  .meta({ description: 'Which requests count; all must hold. `{}`: all requests of the deployment.' });

const settings = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(128)
    .refine((text) => !/\p{Cc}/u.test(text), 'must hold no control characters')
    .meta({ label: 'Name', option: { name: 'name', format: 'text', value: 'TEXT', help: 'A name for people.' } }),
  metric: z.enum(METRICS, { error: `must be one of ${METRICS.join(', ')}` }).meta({
    description:
      '`errorRate`: share of requests that failed with a 5xx, `blockedShare`, `flaggedShare`: 0 to 1. `latencyP95`: milliseconds of completed requests. `spendUsd`: US dollars. `budgetShare`: 0 to 1 of the budget of the key or team in its current period. `findings`: their number of the type. `requests`: their number. `toolChanges`: requests that met a changed or removed definition of an MCP server first.',
    label: 'Metric',
    option: { name: 'metric', format: 'text', value: 'NAME', help: `${METRICS.join(', ')}.` },
    choiceLabels: METRIC_NAMES,
  }),
  compare: z.enum(['above', 'below']).meta({
    description: 'Both exclude the threshold itself, but for `budgetShare`, which fires once the threshold is reached.',
    label: 'Fires if',
    option: { name: 'compare', format: 'text', value: 'WORD', help: 'above or below the threshold. Default: above.' },
    choiceLabels: { above: 'above', below: 'below' },
  }),
  threshold: z
    .number()
    .min(0)
    .max(1_000_000_000)
    .meta({
      label: 'Threshold',
      hint: 'Shares: 0 to 1. Latency: ms. Spend: $',
      option: { name: 'threshold', format: 'number', value: 'N', help: 'In the unit of the metric.' },
    }),
  minutes: z
    .int()
    .min(1)
    .max(MAX_MINUTES)
    .meta({
      description:
        'The last so many full minutes. Above 60, and for a team or a key, whole hours: a multiple of 60. Not used by `budgetShare`.',
      label: 'Minutes',
      hint: 'Multiples of 60 for a team or key',
      option: { name: 'minutes', format: 'count', value: 'N', help: 'How far back. Default: 5; 60 for a team or key.' },
    }),
  minRequests: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .meta({
      description:
        'With fewer requests it does not fire; shares and latency then keep the state. Not used by `budgetShare`, `requests` and `toolChanges`.',
      label: 'Minimum requests',
      option: {
        name: 'min-requests',
        format: 'number',
        value: 'N',
        help: 'Fires only from so many requests on. Default: 20.',
      },
    }),
  scope,
  targets: z
    .array(target)
    .max(MAX_TARGETS)
    .meta({ description: 'Who is notified, besides webhooks with the events `alert.fired` and `alert.resolved`.' }),
  silencedUntil: z.iso.datetime({ offset: true }).nullable().meta({
    description: 'No notification before this time. What changed until then is notified once after it.',
    label: 'Silenced until',
  }),
};

/** Body of `POST /admin/alerts`. */
export const createAlertSchema = z
  .strictObject({
    ...settings,
    compare: settings.compare.default('above'),
    minutes: settings.minutes.optional(),
    minRequests: settings.minRequests.default(20),
    scope: settings.scope.default({}),
    targets: settings.targets.default([]),
    silencedUntil: settings.silencedUntil.default(null),
  })
  .meta({ id: 'CreateAlert', description: 'A new alert.' });

/** Body of `PATCH /admin/alerts/{id}`: absent fields stay unchanged. */
export const updateAlertSchema = z
  .strictObject(settings)
  .partial()
  .meta({ id: 'UpdateAlert', description: 'Changes to an alert. `silencedUntil` silences it; null ends that.' });

/** A stored rule. */
export interface Alert extends z.infer<z.ZodObject<typeof settings>> {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** All alerts, oldest first. Only this version is stored. */
export interface AlertsDocument {
  readonly alerts: readonly Alert[];
}

const value = z
  .number()
  .nullable()
  .meta({ description: 'The value of the metric at the change; null if it had none.' });

/** A change between `ok` and `firing`. */
export const alertChangeSchema = z
  .object({
    at: z.iso.datetime(),
    state: z.enum(['ok', 'firing']),
    value,
    requests: z.int(),
    silenced: z.boolean().meta({ description: 'Whether the alert was silenced then.' }),
  })
  .meta({ id: 'AlertChange', description: 'When an alert began to fire or was resolved.' });

export const alertSchema = z
  .object({
    id: z.string(),
    object: z.literal('alert'),
    ...settings,
    state: z.enum(['ok', 'firing', 'silenced']),
    since: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it last began to fire or was resolved; null before.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Alert', description: 'A rule over the totals of requests, and its state.' });

type Rule = Pick<Alert, 'metric' | 'threshold' | 'minutes' | 'scope'>;

/** Why an alert cannot be evaluated, with the field at fault; undefined if it can. */
export function findAlertFault({
  metric,
  threshold,
  minutes,
  scope,
}: Rule): [param: string, fault: string] | undefined {
  const { teamId, keyId, model, provider, threatType } = scope;
  if (SHARES.includes(metric) && threshold > 1) return ['threshold', `must be at most 1: '${metric}' is a share.`];
  if ((metric === 'findings') !== (threatType !== undefined)) {
    return ['scope.threatType', metric === 'findings' ? "is needed by 'findings'." : "is only for 'findings'."];
  }
  const isOfOne = teamId !== undefined || keyId !== undefined;
  if (metric === 'budgetShare') {
    const isOfBoth = teamId !== undefined && keyId !== undefined;
    if (!isOfOne || isOfBoth) return ['scope', "must have 'teamId' or 'keyId', whose budget it is."];
    if (model !== undefined || provider !== undefined)
      return ['scope', 'has no model and no provider: a budget is for all.'];
    return undefined;
  }
  if ((isOfOne || minutes > MAX_BY_MINUTE) && minutes % 60 !== 0) {
    return [
      'minutes',
      'must be a multiple of 60 if it is more than 60, or for a team or a key: their requests are counted by hour.',
    ];
  }
  return undefined;
}
