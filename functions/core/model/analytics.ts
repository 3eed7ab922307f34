import * as z from 'zod';
import { ENVIRONMENTS } from './api-key.ts';
import { THREAT_TYPES } from './threat.ts';

/** How a request ended (decisions, section 2); a refused one has failed. */
export const REQUEST_STATES = ['completed', 'blocked', 'failed', 'cancelled', 'expired'] as const;
export const MARKS = ['false_positive', 'confirmed'] as const;
export type Mark = (typeof MARKS)[number];

export const ACTIONS = ['allow', 'flag', 'redact', 'block'] as const;
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

const actions = z.enum(ACTIONS);
const count = z.int().min(0);
const perThreat = z
  .partialRecord(z.enum(THREAT_TYPES), count)
  .meta({ description: 'How many findings of each type; a type without any is absent.' });
const milliseconds = z.number().min(0);
const usd = z.number().min(0).nullable();

const findingSchema = z.object({
  type: z.enum(THREAT_TYPES),
  rule: z.string(),
  severity: z.enum(SEVERITIES),
  score: z.number(),
  action: actions,
  location: z
    .object({
      part: z.enum(['input', 'output']),
      message: z.int().nullable(),
      field: z.string(),
      start: z.int(),
      end: z.int(),
    })
    .meta({ description: 'Offsets in UTF-16 code units. Names in `field` that the caller chose are told as `*`.' }),
});

/** The one record of a request whose key was valid. Holds no text of it. */
export const requestRecordSchema = z
  .object({
    id: z.string(),
    object: z.literal('request'),
    traceId: z.string().optional().meta({
      description: 'The trace that it belongs to: 32 hexadecimal digits. Records of before traces were kept have none.',
    }),
    time: z.iso.datetime().meta({ description: 'When the request came in.' }),
    keyId: z.string(),
    environment: z.string(),
    sessionId: z.string().nullable(),
    endUserId: z.string().nullable(),
    appVersion: z.string().nullable(),
    route: z.string(),
    provider: z.string().nullable(),
    model: z.string().nullable().meta({ description: "The model's name at its provider; null where none was found." }),
    attempts: count.meta({ description: 'Calls of providers; more than one where some failed.' }),
    stream: z.boolean(),
    state: z.enum(REQUEST_STATES),
    status: z.int().nullable().meta({ description: 'The status that was sent; null where the caller left before.' }),
    errorCode: z.string().nullable(),
    action: actions,
    threatScore: z.number(),
    turnScore: z.number().meta({ description: 'What the last turn scored alone: what its session remembers of it.' }),
    findings: z.array(findingSchema).meta({ description: 'The strongest, twenty at most; `threats` counts all.' }),
    threats: perThreat,
    tokens: z.object({ input: count.nullable(), output: count.nullable() }),
    costUsd: usd.meta({ description: 'null where the price of the model is not known.' }),
    latencyMs: milliseconds,
    timeToFirstTokenMs: milliseconds.nullable().meta({ description: 'Streams only.' }),
    processingMs: milliseconds.meta({ description: "The gateway's own time." }),
    capture: z.enum(['none', 'redacted', 'full']),
    shadow: z
      .object({ action: actions, threats: perThreat })
      .nullable()
      .meta({ description: "What the policy's shadow would have done; null where it has none." }),
  })
  .meta({ id: 'RequestRecord', description: 'How one request went, without its text.' });
export type RequestRecord = Omit<z.infer<typeof requestRecordSchema>, 'object'>;
export type RecordedFinding = z.infer<typeof findingSchema>;

/** A finding of one request, with what an operator thinks of it. */
export const threatSchema = findingSchema
  .extend({
    id: z.string(),
    object: z.literal('threat'),
    time: z.iso.datetime(),
    requestId: z.string(),
    ...requestRecordSchema.pick({
      keyId: true,
      environment: true,
      sessionId: true,
      endUserId: true,
      provider: true,
      model: true,
    }).shape,
    mark: z.enum(MARKS).nullable(),
  })
  .meta({ id: 'Threat', description: 'A finding in a request, without its text.' });
export type Threat = z.infer<typeof threatSchema>;

/** One request with what operators think of its findings. */
export const requestDetailSchema = requestRecordSchema
  .extend({ findings: z.array(threatSchema).meta({ description: 'The strongest, twenty at most, with their marks.' }) })
  .meta({
    id: 'RequestDetail',
    description: 'How one request went, and its findings as the list of threats has them.',
  });
export type RequestDetail = z.infer<typeof requestDetailSchema>;

const percentiles = z
  .object({ p50: milliseconds.nullable(), p95: milliseconds.nullable(), p99: milliseconds.nullable() })
  .meta({ description: 'At most 1 % off; null where there is nothing to measure.' });

/** What a number of requests add up to. */
const figures = z.object({
  requests: count,
  blocked: count,
  flagged: count.meta({ description: 'Not blocked, but with an action other than `allow`.' }),
  errors: count.meta({ description: 'Failed or expired; refusals such as 400 and 429 are among them.' }),
  tokens: z.object({ input: count, output: count }),
  costUsd: usd.meta({ description: 'Of the requests whose price is known; null where all are of unknown price.' }),
  unpriced: count.meta({ description: 'Requests with usage of a model whose price is not known.' }),
  latencyMs: percentiles,
  timeToFirstTokenMs: percentiles,
  threats: perThreat,
});
export type Figures = z.infer<typeof figures>;

export const GROUPS = ['keyId', 'environment', 'model', 'provider', 'threatType', 'endUserId'] as const;
export type Group = (typeof GROUPS)[number];
export const INTERVALS = ['hour', 'day'] as const;
export type Interval = (typeof INTERVALS)[number];

const group = z.string().nullable().meta({ description: 'The value of `groupBy`; null where requests have none.' });
const range = {
  from: z.iso.datetime().meta({ description: 'The full hour at or before the one asked for.' }),
  to: z.iso.datetime().meta({ description: 'The full hour at or after the one asked for; not included.' }),
};

export const summarySchema = figures
  .extend({
    object: z.literal('analytics.summary'),
    ...range,
    groups: z
      .array(
        figures.extend({
          group,
          label: z.string().nullable().optional().meta({
            description: 'By `keyId`: the name of the key, of the first hundred groups; null where there is none.',
          }),
        }),
      )
      .optional()
      .meta({ description: 'Those with the most requests first.' }),
  })
  .meta({ id: 'AnalyticsSummary', description: 'What the requests of a time range add up to.' });
export type Summary = z.infer<typeof summarySchema>;

export const timeseriesSchema = z
  .object({
    object: z.literal('list'),
    ...range,
    interval: z.enum(INTERVALS),
    data: z.array(figures.extend({ time: z.iso.datetime(), group: group.optional() })),
  })
  .meta({ id: 'AnalyticsTimeseries', description: 'What requests add up to in each interval, in order.' });
export type Timeseries = z.infer<typeof timeseriesSchema>;

/** Requests that belong together, and what they add up to. */
export const sessionSchema = z
  .object({
    id: z.string(),
    object: z.literal('session'),
    keyId: z.string(),
    endUserId: z.string().nullable(),
    environment: z.string(),
    firstAt: z.iso.datetime(),
    lastAt: z.iso.datetime(),
    ...figures.pick({
      requests: true,
      blocked: true,
      flagged: true,
      errors: true,
      tokens: true,
      costUsd: true,
      unpriced: true,
      threats: true,
    }).shape,
    models: z.array(z.string()),
    appVersions: z.array(z.string()),
    threatScore: z
      .object({ highest: z.number(), accumulated: z.number() })
      .meta({ description: 'Of its turns: the highest, and what suspicious ones add up to, halved every 30 minutes.' }),
  })
  .meta({ id: 'Session', description: 'Requests of one conversation, and what they add up to.' });
export type Session = z.infer<typeof sessionSchema>;

const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ object: z.literal('list'), data: z.array(item), nextCursor: z.string().nullable() });
export const requestListSchema = listOf(requestRecordSchema).meta({
  id: 'RequestRecordList',
  description: 'A page of requests, newest first.',
});
export const threatListSchema = listOf(threatSchema).meta({
  id: 'ThreatList',
  description: 'A page of findings, newest first.',
});
export const sessionListSchema = listOf(sessionSchema).meta({
  id: 'SessionList',
  description: 'A page of sessions, those that began last first.',
});

/** Body of `PATCH /analytics/threats/{id}`. */
export const markThreatSchema = z
  .strictObject({ mark: z.enum(MARKS).nullable() })
  .meta({ id: 'MarkThreat', description: 'What an operator thinks of a finding; null takes it back.' });

/** The environment that a tag means: `production` and `Production` are one, any other text is its own. */
export function environmentOf(tag: string): string {
  return ENVIRONMENTS.find((name) => name.toLowerCase() === tag.toLowerCase()) ?? tag;
}
