import * as z from 'zod';
import { isRequestId } from '../kernel/http/index.ts';
import {
  ACTIONS,
  ENVIRONMENTS,
  environmentOf,
  GROUPS,
  INTERVALS,
  MARKS,
  OUTCOMES,
  REQUEST_STATES,
  SEVERITIES,
  THREAT_TYPES,
} from '../kernel/model/index.ts';
import { AGO, LIMIT_OPTION, page, TIME_TEXT, text, time } from './fields.ts';
import { toolListSchema } from './tools.ts';

/** The option of a filter. */
function only(name: string, value: string, help: string) {
  return { name, format: 'text', value, help } as const;
}

/** A tag in a query: `name=value`, or its name for any value. */
function readTag(written: string): { readonly name: string; readonly value: string | undefined } {
  const at = written.indexOf('=');
  return at < 0 ? { name: written, value: undefined } : { name: written.slice(0, at), value: written.slice(at + 1) };
}

const MAX_TAGS = 10;
const TAG_ERROR = `must be at most ${MAX_TAGS} tags such as team=shop, each of 1 to 256 characters`;

const filters = {
  from: time.optional().meta({
    description: `Not before this time. ${TIME_TEXT}`,
    label: 'From',
    option: {
      name: 'from',
      format: 'time',
      value: 'TIME',
      help: `Start: a time such as 2026-11-21T09:00:00Z, ${AGO}. Default: 24h.`,
    },
  }),
  to: time.optional().meta({
    description: `Before this time, by default now. ${TIME_TEXT}`,
    label: 'To',
    option: { name: 'to', format: 'time', value: 'TIME', help: `End: a time, ${AGO}. Default: now.` },
  }),
  environment: text
    .transform(environmentOf)
    .optional()
    .meta({
      description: '`X-Environment` of the requests, or else the environment of their key; case-insensitive.',
      label: 'Environment',
      option: { name: 'environment', format: 'text', value: 'NAME', help: 'Only of this environment.' },
      choices: ENVIRONMENTS,
      isOpen: true,
    }),
  keyId: text.optional().meta({
    description: 'The id of their key.',
    label: 'Key',
    hint: 'key_…',
    option: { name: 'key', format: 'text', value: 'ID', help: 'Only of this key.' },
  }),
  endUserId: text.optional().meta({
    description: 'Their end user.',
    label: 'End user',
    option: { name: 'end-user', format: 'text', value: 'ID', help: 'Only of this end user.' },
  }),
  teamId: text.optional().meta({
    description: 'The id of their team.',
    label: 'Team',
    hint: 'team_…',
    option: { name: 'team', format: 'text', value: 'ID', help: 'Only of this team.' },
  }),
  tag: z
    .union([text, z.array(text).max(MAX_TAGS)], { error: TAG_ERROR })
    .transform((written) => [written].flat().map(readTag))
    .optional()
    .meta({
      description:
        'A tag of their key, or of `X-Svc-Tags`: `name=value`, or its name for any value. May be repeated: all must hold. Totals are counted by one tag: `summary` and `timeseries` take one.',
      label: 'Tag',
      hint: 'team=shop',
      option: {
        name: 'tag',
        format: 'texts',
        value: 'NAME=VALUE',
        help: 'Only with this tag; its name alone is any value.',
      },
      wire: { type: 'array', items: { type: 'string' }, maxItems: MAX_TAGS },
    }),
  model: text.optional().meta({
    description: "The provider's name of the model.",
    label: 'Model',
    hint: 'gpt-6-luna',
    option: { name: 'model', format: 'text', value: 'NAME', help: 'Only of this model.' },
  }),
};

/** A field of totals that makes a row for each of its values, or for each value of a tag. */
export function groupByField<const Name extends string>(groups: readonly [Name, ...Name[]], description: string) {
  return z
    .union([z.enum(groups), z.templateLiteral(['tag:', z.string().min(1).max(64)])], {
      error: `must be ${groups.join(', ')}, or tag: and the name of a tag`,
    })
    .optional()
    .meta({
      description,
      option: {
        name: 'group-by',
        format: 'text',
        value: 'FIELD',
        help: 'A row for each value of this field, or of a tag: tag:NAME.',
      },
      choices: groups,
      isOpen: true,
      wire: { type: 'string', example: 'teamId' },
    });
}

export const summaryQuerySchema = z.strictObject({
  ...filters,
  groupBy: groupByField(
    GROUPS,
    'Also returns totals for each value of this field: keyId, teamId, environment, model, provider, threatType, endUserId, or `tag:NAME`. A tag has at most 1,000 values of `X-Svc-Tags` a day; further ones count as `other`.',
  ),
  interval: z.enum(['1m']).optional().meta({
    description: 'Sums full minutes instead, of at most six hours in the last two days and of all keys.',
  }),
});
export const timeseriesQuerySchema = summaryQuerySchema.extend({
  interval: z
    .enum(INTERVALS)
    .optional()
    .meta({
      description:
        'By default `hour` for up to three days, else `day`. `hour` covers at most 31 days; `1m` and `5m` at most six hours in the last two days, of all keys.',
      option: { name: 'interval', format: 'text', value: 'WORD', help: 'A row for each interval.' },
    }),
});
export type TimeseriesQuery = z.output<typeof timeseriesQuerySchema>;

const { tag, ...filtersOfSessions } = filters;
/** For sessions, whose requests may have different tags. */
export const sessionsQuery = z.strictObject({
  ...filtersOfSessions,
  ...page,
  limit: page.limit.meta({ ...page.limit.meta(), option: LIMIT_OPTION }),
});
const listQuery = sessionsQuery.extend({ tag });
const sessionId = text
  .optional()
  .meta({ description: 'Their session.', label: 'Session', option: only('session', 'ID', 'Only of this session.') });
const action = z
  .enum(ACTIONS)
  .optional()
  .meta({ description: 'Their action.', label: 'Decision', option: only('action', 'WORD', 'Only with this action.') });

function least(of: string, label: string, hint: string, name: string) {
  return z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, { error: 'must be a number that is not negative' })
    .transform(Number)
    .optional()
    .meta({
      description: `The lowest ${of}.`,
      label,
      hint,
      option: { name, format: 'number', value: 'N', help: `Only with at least this ${of}.` },
      wire: { type: 'number', minimum: 0 },
    });
}

const NO_FILTERS: readonly string[] = ['from', 'to', 'since', 'until', 'limit', 'cursor'];
const MAX_NOT = 10;
const NOT_ERROR = `must be at most ${MAX_NOT} filters of this list such as status=429`;

/** Filters of a query that must not hold. */
function notOf<const Query extends z.ZodObject>(query: Query) {
  const written = z.string().max(512, { error: NOT_ERROR });
  return z
    .union([written, z.array(written).max(MAX_NOT)], { error: NOT_ERROR })
    .transform((all, context) =>
      [all].flat().flatMap((one) => {
        const at = one.indexOf('=');
        const name = one.slice(0, Math.max(0, at));
        const read = query.safeParse({ [name]: one.slice(at + 1) });
        if (read.success && !NO_FILTERS.includes(name)) return [read.data];
        context.addIssue({ code: 'custom', message: NOT_ERROR });
        return [];
      }),
    )
    .optional()
    .meta({
      description:
        'Only what does not match this filter, `name=value` as in this query: `status=429`. May be repeated: none may match.',
      option: {
        name: 'not',
        format: 'texts',
        value: 'NAME=VALUE',
        help: 'Only without this filter, by its name in the API: status=429.',
      },
      wire: { type: 'array', items: { type: 'string' }, maxItems: MAX_NOT },
    });
}

const requestFilters = listQuery.extend({
  since: time.optional().meta({ description: 'The same as `from`.' }),
  until: time.optional().meta({ description: 'The same as `to`.' }),
  id: z
    .string()
    .refine(isRequestId, { error: 'must be the id of a request, req_ and 32 hexadecimal digits' })
    .optional()
    .meta({
      description: 'Their id.',
      label: 'Request id',
      hint: 'req_…',
      option: only('id', 'ID', 'Only this request.'),
      wire: { type: 'string', pattern: '^req_[0-9a-f]{32}$' },
    }),
  sessionId,
  provider: text.optional().meta({
    description: 'Their provider.',
    label: 'Provider',
    hint: 'openai',
    option: only('provider', 'NAME', 'Only of this provider.'),
  }),
  route: text.optional().meta({
    description: 'Their path, such as `/v1/chat/completions`.',
    label: 'Route',
    hint: '/v1/chat/completions',
    option: only('route', 'PATH', 'Only of this path, such as /v1/chat/completions.'),
  }),
  alias: text.optional().meta({
    description: "`models` of the deployment's route that they used.",
    label: 'Model route',
    hint: 'fast',
    option: only('alias', 'MODELS', "Only of the deployment's route with these `models`."),
  }),
  tool: text.optional().meta({
    description: 'The MCP tool that they called, as `server/tool`; `crm/*` is all of a server.',
    label: 'MCP tool',
    hint: 'crm/*',
    option: only('tool', 'GLOB', 'Only calls of this MCP tool, such as crm/search or crm/*.'),
  }),
  state: z
    .enum(REQUEST_STATES)
    .optional()
    .meta({
      description: 'Their final state.',
      label: 'Ended',
      option: only('state', 'STATE', 'Only with this final state.'),
    }),
  status: z
    .string()
    .regex(/^[1-5](xx|\d\d)$/, { error: 'must be a status such as 429, or a class such as 4xx' })
    .transform((written) => Number.parseInt(written, 10))
    .optional()
    .meta({
      description: 'Their status, or its class, such as `4xx`.',
      label: 'Status',
      option: only('status', 'N', 'Only with this status, or of its class, such as 4xx.'),
      choices: ['2xx', '4xx', '400', '401', '403', '404', '429', '5xx', '500', '502', '503', '504'],
      isOpen: true,
    }),
  cache: z
    .enum(['hit', 'miss'])
    .optional()
    .meta({
      description: 'Whether a stored response was found.',
      label: 'Stored response',
      option: only('cache', 'WORD', 'Only requests that found a stored response, or did not.'),
      choiceLabels: { hit: 'Found', miss: 'Not found' },
    }),
  outcome: z
    .enum(OUTCOMES)
    .optional()
    .meta({
      description:
        'What totals count them as: `flagged` if flagged or redacted and not blocked, `client_error` for failed requests with a 4xx other than 429.',
      label: 'Outcome',
      option: only('outcome', 'WORD', 'Only what totals count so.'),
      choiceLabels: {
        blocked: 'Blocked',
        flagged: 'Flagged or redacted',
        rate_limited: 'Limited, 429',
        client_error: 'Other 4xx',
        server_error: 'Failed, 5xx',
      },
    }),
  errorCode: text.optional().meta({
    description: 'Their error code.',
    label: 'Error code',
    hint: 'rate_limit_exceeded',
    option: only('error-code', 'CODE', 'Only with this error code.'),
  }),
  traceId: text.optional().meta({
    description: 'Their trace id.',
    label: 'Trace id',
    option: only('trace', 'ID', 'Only of this trace.'),
  }),
  action,
  minScore: least('threat score', 'Score from', '0.5', 'min-score'),
  minLatencyMs: least('latency', 'Latency from, ms', '2000', 'min-latency-ms'),
  minFirstTokenMs: least('time to the first token of a stream', 'First token from, ms', '500', 'min-first-token-ms'),
  minTokens: least('number of input and output tokens', 'Tokens from', '1000', 'min-tokens'),
  minCostUsd: least('cost', 'Cost from, USD', '0.01', 'min-cost-usd'),
});
/** For request records. */
export const requestsQuery = requestFilters.extend({ not: notOf(requestFilters) });

const threatFilters = listQuery.extend({
  sessionId,
  type: z
    .enum(THREAT_TYPES)
    .optional()
    .meta({ description: 'Their type.', label: 'Type', option: only('type', 'TYPE', 'Only of this type.') }),
  severity: z
    .enum(SEVERITIES)
    .optional()
    .meta({
      description: 'Their severity.',
      label: 'Severity',
      option: only('severity', 'WORD', 'Only of this severity.'),
    }),
  action,
  rule: text
    .optional()
    .meta({ description: 'The id of their rule.', label: 'Rule', option: only('rule', 'ID', 'Only of this rule.') }),
  mark: z
    .enum([...MARKS, 'none'])
    .optional()
    .meta({
      description: 'Their mark; `none` for findings without one.',
      label: 'Mark',
      option: only('mark', 'WORD', 'Only with this mark; none: without one.'),
      choiceLabels: { none: 'Not marked', false_positive: 'False alarm', confirmed: 'Confirmed' },
    }),
});
/** For findings. The mark `none` selects findings without one. */
export const threatsQuery = threatFilters.extend({ not: notOf(threatFilters) });

/** For tools. */
export const toolsQuery = listQuery.extend({
  tool: text
    .optional()
    .meta({ description: 'Their name.', label: 'Tool', option: only('tool', 'NAME', 'Only this tool.') }),
  effect: toolListSchema.shape.data.element.shape.effect.optional().meta({
    description: 'What they do.',
    label: 'Effect',
    option: only('effect', 'WORD', 'Only tools with this effect.'),
  }),
});
