import * as z from 'zod';
import { callerFields } from './caller.ts';
import { UNKNOWN_CHARGES } from './chat.ts';
import { originSchema } from './origin.ts';
import { ACTIONS, THREAT_TYPES } from './threat.ts';
import { toolCallSchema } from './tool-call.ts';

/** How a request ended; a rejected one has failed. */
export const REQUEST_STATES = ['completed', 'blocked', 'failed', 'cancelled', 'expired'] as const;
export const MARKS = ['false_positive', 'confirmed'] as const;
export type Mark = (typeof MARKS)[number];

/** What totals count requests as, beside all of them; a flagged request that failed has two. */
export const OUTCOMES = ['blocked', 'flagged', 'rate_limited', 'client_error', 'server_error'] as const;
export type Outcome = (typeof OUTCOMES)[number];

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
    .meta({
      description:
        'Offsets in UTF-16 code units. In `field` names that the caller chose are shown as `*`; of a tool call, unusual ones. `start` and `end` are both 0 for all of an argument or a call.',
    }),
  origin: originSchema
    .optional()
    .meta({ description: 'Of a tool call: where its values and its cause are. Unusual names are shown as `*`.' }),
  policyRule: z
    .string()
    .optional()
    .meta({ description: "Of a tool call that violates a rule in the policy's `tools`: the id of that rule." }),
});

const shadowCallSchema = z.object({
  rule: z.string(),
  policyRule: z.string().optional().meta({ description: "The id of a rule in the shadow policy's `tools`." }),
  action: actions,
  field: z.string().meta({ description: 'Place of the call or its argument. Unusual names are shown as `*`.' }),
});

/** The stages of a request, in the order in which they begin. */
export const STAGES = ['auth', 'admit', 'inspect', 'outside', 'provider', 'stream'] as const;
export type Stage = (typeof STAGES)[number];

const callSchema = z.object({
  provider: z.string(),
  model: z.string(),
  startMs: milliseconds.meta({ description: 'After the arrival.' }),
  endMs: milliseconds
    .nullable()
    .meta({ description: 'null for the call that succeeded, which ends with the request.' }),
  failure: z.string().nullable().meta({
    description:
      "The provider's status or our error code; `circuit_open`, or `busy` at `maxConcurrent` of its route, if it was not called; null if it succeeded.",
  }),
});

/** The record of a request with a valid key. It contains none of its text. */
export const requestRecordSchema = z
  .object({
    id: z.string(),
    object: z.literal('request'),
    traceId: z.string().optional().meta({
      description: 'The trace id: 32 hexadecimal digits. Records older than tracing have none.',
    }),
    time: z.iso.datetime().meta({ description: 'When the request arrived.' }),
    keyId: z.string(),
    ...callerFields,
    environment: z.string(),
    sessionId: z.string().nullable(),
    endUserId: z.string().nullable(),
    appVersion: z.string().nullable(),
    route: z.string(),
    provider: z.string().nullable(),
    model: z.string().nullable().meta({ description: "The model's name at its provider; null if none was found." }),
    attempts: count.meta({ description: 'Calls of providers; more than one if some failed.' }),
    alias: z.string().optional().meta({
      description: "`models` of the deployment's route. Absent without one, and in older records.",
    }),
    variant: z.string().optional().meta({
      description:
        '`provider/model` that the route chose among its targets, also if a fallback served the request. Absent for a route with one target, and where the key may use none of them.',
    }),
    credentialId: z
      .string()
      .optional()
      .meta({ description: 'The stored credential of the last call. Absent: the key of the settings.' }),
    upstreamRequestId: z
      .string()
      .optional()
      .meta({ description: "The provider's own id of its last call, for its support. Absent if it sent none." }),
    stream: z.boolean(),
    state: z.enum(REQUEST_STATES),
    status: z.int().nullable().meta({ description: 'The status that was sent; null if the caller left before.' }),
    errorCode: z.string().nullable(),
    action: actions,
    threatScore: z.number(),
    turnScore: z.number().meta({ description: 'The score of the last turn alone, which its session accumulates.' }),
    findings: z.array(findingSchema).meta({ description: 'The strongest, twenty at most; `threats` counts all.' }),
    threats: perThreat,
    tokens: z.object({
      input: count.nullable(),
      output: count.nullable(),
      cachedInput: count.optional().meta({ description: "Of `input`: read from the provider's prompt cache." }),
      cacheWriteInput: count.optional().meta({ description: "Of `input`: written to the provider's prompt cache." }),
      cacheWriteInputHour: count.optional().meta({ description: 'Of `cacheWriteInput`: kept for an hour.' }),
      inputAudio: count.optional().meta({ description: 'Of `input`.' }),
      outputAudio: count.optional().meta({ description: 'Of `output`.' }),
      reasoning: count.optional().meta({ description: 'Of `output`.' }),
      searches: count.optional().meta({ description: 'Searches of the web by the provider, which have a fee.' }),
    }),
    costUsd: usd.meta({
      description: 'The known part, at list prices or as the provider reports it; null if nothing is known.',
    }),
    unknownCharges: z.array(z.enum(UNKNOWN_CHARGES)).optional().meta({
      description:
        'What is not in `costUsd`, or not exactly. `tokens`: the model has no price; at a provider that reports its cost and did not, `costUsd` has what the budget reserved. `inputTokens`, `outputTokens`: no count by the provider, as of a response that was cut; the tokens are in `costUsd` by an estimate. `serviceTier`, `speed`, `inferenceGeo`: the tokens are in `costUsd` at the normal price, as those of a kind without a price are. `furtherModel`: tokens of another model, or of a call that timed out before a fallback. Absent if there are none, and in older records.',
    }),
    inputCostUsd: z.number().min(0).optional().meta({
      description: 'Of `costUsd`: for the input. Absent if there is no cost, and in older records.',
    }),
    searchCostUsd: z.number().min(0).optional().meta({
      description: 'Of `costUsd`: fees of searches. Absent if there are none.',
    }),
    cache: z.enum(['hit', 'miss']).optional().meta({
      description:
        'Whether a stored response was found (`X-Svc-Cache`). A `hit` has no tokens and costs nothing. Absent if none was looked for, and in older records.',
    }),
    savedUsd: z.number().min(0).optional().meta({
      description: 'Of a `hit`: what the response would have cost. Absent if its price is not known.',
    }),
    judgeCostUsd: z.number().min(0).optional().meta({
      description:
        'Cost of the detector model (`SVC_JUDGE_MODEL`), at most; not in `costUsd` and in no budget of the key. Absent if it was not called.',
    }),
    latencyMs: milliseconds,
    timeToFirstTokenMs: milliseconds.nullable().meta({ description: 'Streams only.' }),
    processingMs: milliseconds.meta({ description: "The gateway's processing time." }),
    stages: z
      .partialRecord(z.enum(STAGES), z.tuple([milliseconds, milliseconds]))
      .optional()
      .meta({
        description:
          'When each stage began and ended, in milliseconds after the arrival. `admit` and `inspect` overlap; `outside`: outside detectors; `provider`: from its first call to the first piece of the response; `stream`: from there to the end. Absent in older records.',
      }),
    calls: z
      .array(callSchema)
      .optional()
      .meta({ description: 'The calls of providers, ten at most, if more than one was made or one failed.' }),
    tool: z.string().optional().meta({
      description: 'Of a request to an MCP server that called a tool: `server/tool`. Absent in other records.',
    }),
    toolChange: z.enum(['changed', 'removed']).optional().meta({
      description:
        'Of a request to an MCP server that was the first in its process to meet an approved definition that has changed or is gone.',
    }),
    toolCalls: z.array(toolCallSchema).optional().meta({
      description: 'The tool calls of the response, sixteen at most. Absent without any, and in older records.',
    }),
    capture: z.enum(['none', 'redacted', 'full']),
    shadow: z
      .object({
        action: actions,
        threats: perThreat,
        calls: z.array(shadowCallSchema).optional().meta({
          description:
            'Its findings in tool calls of the response, and in tools that the provider runs, sixteen at most. Absent without any, and in older records.',
        }),
      })
      .nullable()
      .meta({
        description: "The action of the policy's shadow, in a roll-out of the policy in force; null if it has none.",
      }),
    override: z.literal('observe').optional().meta({
      description: 'An override had reduced every action to `flag`. Absent without one, and in older records.',
    }),
    rollout: z.int().optional().meta({
      description:
        'The version of the policy whose candidate decided in a roll-out. Absent if the policy in force did.',
    }),
  })
  .meta({ id: 'RequestRecord', description: 'The record of one request, without its text.' });
export type RequestRecord = Omit<z.infer<typeof requestRecordSchema>, 'object'>;

export type RecordedFinding = z.infer<typeof findingSchema>;

/** A finding of one request, with an operator's mark. */
export const threatSchema = findingSchema
  .extend({
    id: z.string(),
    object: z.literal('threat'),
    time: z.iso.datetime(),
    requestId: z.string(),
    ...requestRecordSchema.pick({
      keyId: true,
      teamId: true,
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

const ofTheRule = 'null if this version has no such rule, as for custom rules';
/** One finding, with what its rule says. */
export const threatDetailSchema = threatSchema
  .extend({
    message: z
      .string()
      .nullable()
      .meta({ description: `What the rule looks for; ${ofTheRule}.` }),
    owasp: z
      .string()
      .nullable()
      .meta({ description: `OWASP Top 10 for LLM applications 2025; ${ofTheRule}.` }),
    atlas: z
      .string()
      .nullable()
      .meta({ description: `MITRE ATLAS technique, if there is one; ${ofTheRule}.` }),
  })
  .meta({ id: 'ThreatDetail', description: 'A finding in a request, without its text, and its rule.' });
export type ThreatDetail = z.infer<typeof threatDetailSchema>;

/** One request, its findings with operators' marks. */
export const requestDetailSchema = requestRecordSchema
  .extend({ findings: z.array(threatSchema).meta({ description: 'The strongest, twenty at most, with their marks.' }) })
  .meta({
    id: 'RequestDetail',
    description: 'The record of one request, with its findings as in the list of threats.',
  });
export type RequestDetail = z.infer<typeof requestDetailSchema>;

const percentiles = z
  .object({ p50: milliseconds.nullable(), p95: milliseconds.nullable(), p99: milliseconds.nullable() })
  .meta({ description: 'Within 1 %; null if there is nothing to measure.' });

/** Totals of requests. */
const figures = z.object({
  requests: count,
  blocked: count,
  flagged: count.meta({ description: 'Not blocked, with an action other than `allow`.' }),
  errors: count.meta({ description: 'Failed or expired: the sum of the following three, since 2026-11-27.' }),
  rateLimited: count.meta({ description: 'Refused with 429.' }),
  clientErrors: count.meta({ description: 'Failed with another 4xx.' }),
  serverErrors: count.meta({ description: 'Failed with 5xx, or expired.' }),
  tokens: z.object({ input: count, output: count }),
  costUsd: usd.meta({ description: 'Of the requests with a known price; null if there are none.' }),
  unpriced: count.meta({ description: 'Requests with usage of which no price is known.' }),
  partlyPriced: count.meta({
    description: 'Requests with a charge that is unknown or estimated. Since 2026-11-28.',
  }),
  unknownCharges: z.partialRecord(z.enum(UNKNOWN_CHARGES), count).optional().meta({
    description:
      'Requests by charge that is not in `costUsd`, or not exactly, as in their records. Absent if there are none. Since 2026-11-30.',
  }),
  cache: z
    .object({ hits: count, misses: count, savedUsd: z.number().min(0) })
    .optional()
    .meta({
      description:
        'Requests that found a stored response, those that did not, and what the hits would have cost. Absent if there are none.',
    }),
  toolChanges: count.optional().meta({
    description:
      'Requests that were the first in their process to meet a changed or removed definition of an MCP server. Absent if there are none.',
  }),
  latencyMs: percentiles,
  timeToFirstTokenMs: percentiles,
  threats: perThreat,
});
export type Figures = z.infer<typeof figures>;

export const GROUPS = ['keyId', 'teamId', 'environment', 'model', 'provider', 'threatType', 'endUserId'] as const;
/** A field, or a tag by its name. */
export type Group = (typeof GROUPS)[number] | `tag:${string}`;
/** What a stored total covers. */
export const STORED_INTERVALS = ['minute', 'hour', 'day'] as const;
/** What an entry of a series covers: one or five minutes, an hour, or a day. */
export const INTERVALS = ['1m', '5m', 'hour', 'day'] as const;
export type Interval = (typeof INTERVALS)[number];

const group = z.string().nullable().meta({ description: 'The value of `groupBy`; null for requests without one.' });
const range = {
  from: z.iso
    .datetime()
    .meta({ description: 'The full hour at or before the requested time; with minutes, the minute.' }),
  to: z.iso.datetime().meta({ description: 'The full hour, or minute, at or after the requested time; not included.' }),
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
            description: 'With `keyId`: the name of the key, for the first hundred groups; null if there is none.',
          }),
        }),
      )
      .optional()
      .meta({ description: 'Groups with the most requests first.' }),
  })
  .meta({ id: 'AnalyticsSummary', description: 'Totals of the requests in a time range.' });
export type Summary = z.infer<typeof summarySchema>;

export const timeseriesSchema = z
  .object({
    object: z.literal('list'),
    ...range,
    interval: z.enum(INTERVALS),
    data: z.array(figures.extend({ time: z.iso.datetime(), group: group.optional() })),
  })
  .meta({ id: 'AnalyticsTimeseries', description: 'Totals of requests in each interval, in order.' });
export type Timeseries = z.infer<typeof timeseriesSchema>;

/** The requests of one conversation, and their totals. */
export const sessionSchema = z
  .object({
    id: z.string(),
    object: z.literal('session'),
    keyId: z.string(),
    teamId: callerFields.teamId,
    endUserId: z.string().nullable(),
    environment: z.string(),
    firstAt: z.iso.datetime(),
    lastAt: z.iso.datetime(),
    ...figures.pick({
      requests: true,
      blocked: true,
      flagged: true,
      errors: true,
      rateLimited: true,
      clientErrors: true,
      serverErrors: true,
      tokens: true,
      costUsd: true,
      unpriced: true,
      partlyPriced: true,
      unknownCharges: true,
      cache: true,
      threats: true,
    }).shape,
    models: z.array(z.string()),
    appVersions: z.array(z.string()),
    threatScore: z.object({ highest: z.number(), accumulated: z.number() }).meta({
      description:
        'Of its turns: the highest score, that of tool calls too, and the sum of suspicious ones, halved every 30 minutes.',
    }),
  })
  .meta({ id: 'Session', description: 'The requests of one conversation, and their totals.' });
export type Session = z.infer<typeof sessionSchema>;

const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ object: z.literal('list'), data: z.array(item), nextCursor: z.string().nullable() });
const searchedTo = z.iso.datetime().nullable().meta({
  description: 'The time back to which records were searched; null at the end. A page reads at most 10,000 records.',
});
export const requestListSchema = listOf(requestRecordSchema).extend({ searchedTo }).meta({
  id: 'RequestRecordList',
  description: 'A page of requests, newest first.',
});
export const threatListSchema = listOf(threatSchema).extend({ searchedTo }).meta({
  id: 'ThreatList',
  description: 'A page of findings, newest first.',
});
export const sessionListSchema = listOf(sessionSchema).meta({
  id: 'SessionList',
  description: 'A page of sessions, newest first.',
});

/** Body of `PATCH /analytics/threats/{id}`. */
export const markThreatSchema = z
  .strictObject({ mark: z.enum(MARKS).nullable() })
  .meta({ id: 'MarkThreat', description: 'The mark of a finding; null removes it.' });
