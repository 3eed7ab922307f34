import * as z from 'zod';
import {
  requestDetailSchema,
  requestListSchema,
  sessionListSchema,
  sessionSchema,
  summarySchema,
  threatDetailSchema,
  threatListSchema,
  timeseriesSchema,
} from '../kernel/model/index.ts';
import * as examples from './analytics-examples.ts';
import {
  requestsQuery,
  sessionsQuery,
  summaryQuerySchema,
  threatsQuery,
  timeseriesQuerySchema,
  toolsQuery,
} from './analytics-queries.ts';
import { idOf, MAX_LIMIT, TIME_TEXT, text, time } from './fields.ts';
import { keyExample } from './keys.ts';
import { defineOperations } from './operation.ts';
import { overrideInForce } from './override.ts';
import { spendExample, spendQuery, spendSchema } from './spend.ts';
import { toolListExample, toolListSchema } from './tools.ts';

const keyNameListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(z.object({ object: z.enum(['key.name', 'team.name']), id: z.string(), name: z.string() })),
  })
  .meta({ id: 'KeyNameList', description: 'The names of keys and teams. An id without one is left out.' });
export type KeyNameList = z.infer<typeof keyNameListSchema>;

/** Ids as long as the store takes them. */
const keyId = z
  .string()
  .regex(/^\w{1,64}$/, { error: `must be at most ${MAX_LIMIT} ids of keys, with commas between them` });
const keyNamesQuery = z.strictObject({
  ids: z
    .string({ error: 'is missing' })
    .transform((written) => [...new Set(written.split(','))])
    .pipe(z.array(keyId).max(MAX_LIMIT, { error: `must be at most ${MAX_LIMIT} ids of keys` }))
    .meta({
      description: 'At most 100 ids of keys and teams, with commas between them.',
      wire: { type: 'string', example: keyExample.id },
    }),
});

const statusSchema = z
  .object({
    object: z.literal('status'),
    override: overrideInForce,
    rollout: z
      .object({
        percent: z.number().meta({ description: 'Share of the sessions.' }),
        since: z.iso.datetime().nullable(),
      })
      .nullable()
      .meta({ description: 'The roll-out of the policy; null if none runs.' }),
  })
  .meta({ id: 'Status', description: 'What changes the decisions of the policy now.' });

const PAGES =
  'New rows do not shift pages. A page reads at most 10,000 records, so it may hold fewer than `limit` entries although another page follows.';

/** Reads of the permission `analytics`: the data of all keys, without texts. */
export const analyticsOperations = defineOperations({
  getSummary: {
    method: 'GET',
    path: '/v1/analytics/summary',
    tag: 'Analytics',
    summary: 'Read totals of a time range',
    description: 'Sums requests by full hours, by default of the last 24 hours.',
    access: 'analytics',
    scope: 'viewer',
    query: summaryQuerySchema,
    response: { description: 'The totals.', body: summarySchema, example: examples.summary },
  },
  getTimeseries: {
    method: 'GET',
    path: '/v1/analytics/timeseries',
    tag: 'Analytics',
    summary: 'Read totals by hour or day',
    description: 'One entry for each interval, in order. With `groupBy`, one for each group with requests.',
    access: 'analytics',
    scope: 'viewer',
    query: timeseriesQuerySchema,
    response: { description: 'The series.', body: timeseriesSchema, example: examples.timeseries },
  },
  getSpend: {
    method: 'GET',
    path: '/v1/analytics/spend',
    tag: 'Analytics',
    summary: 'Read what a month has cost',
    description:
      'A calendar month in a time zone, beside the month before, with a forecast and the budgets that exist. Totals are of full hours of UTC.',
    access: 'analytics',
    scope: 'viewer',
    query: spendQuery,
    response: {
      description: 'The report.',
      body: spendSchema,
      example: spendExample,
      content: {
        'text/csv': {
          schema: { type: 'string', description: 'With `format=csv`. What is not known is empty.' },
          example: 'month,timeZone,group,label,requests\r\n2026-11,UTC,all,,1204\r\n',
        },
      },
    },
  },
  getStatus: {
    method: 'GET',
    path: '/v1/analytics/status',
    tag: 'Analytics',
    summary: 'Read whether an emergency override or a roll-out of the policy runs',
    description: 'Without who set it, and without which keys it is for.',
    access: 'analytics',
    scope: 'viewer',
    response: { description: 'The status.', body: statusSchema, example: examples.status },
  },
  listKeyNames: {
    method: 'GET',
    path: '/v1/analytics/keys',
    tag: 'Analytics',
    summary: 'Read names of keys and teams',
    description:
      'Requests, findings, sessions and alerts name their key or team by its id. An id without a key or team is left out.',
    access: 'analytics',
    scope: 'viewer',
    query: keyNamesQuery,
    response: { description: 'The names.', body: keyNameListSchema, example: examples.keyNameList },
  },
  listThreats: {
    method: 'GET',
    path: '/v1/analytics/threats',
    tag: 'Analytics',
    summary: 'List findings',
    description: `Findings of the newest request first. ${PAGES}`,
    access: 'analytics',
    scope: 'viewer',
    query: threatsQuery,
    response: { description: 'A page of findings.', body: threatListSchema, example: examples.threatList },
  },
  getThreat: {
    method: 'GET',
    path: '/v1/analytics/threats/{id}',
    tag: 'Analytics',
    summary: 'Read a finding',
    description: 'One finding, with its mark and its rule.',
    access: 'analytics',
    scope: 'viewer',
    params: idOf('Id of the finding.'),
    response: { description: 'The finding.', body: threatDetailSchema, example: examples.threatDetail },
    errors: ['not_found'],
  },
  listRequests: {
    method: 'GET',
    path: '/v1/analytics/requests',
    tag: 'Analytics',
    summary: 'List requests',
    description: `Newest first. ${PAGES}`,
    access: 'analytics',
    scope: 'viewer',
    query: requestsQuery,
    response: { description: 'A page of requests.', body: requestListSchema, example: examples.requestList },
  },
  getRequest: {
    method: 'GET',
    path: '/v1/analytics/requests/{id}',
    tag: 'Analytics',
    summary: 'Read a request',
    description: 'Its record, with findings and their marks.',
    access: 'analytics',
    scope: 'viewer',
    params: idOf('Id of the request.'),
    query: z.strictObject({
      time: time.optional().meta({
        description: `The \`time\` of its record, for ids of before 2026-11-27, which contain none. ${TIME_TEXT}`,
      }),
    }),
    response: { description: 'The request.', body: requestDetailSchema, example: examples.requestDetail },
    errors: ['not_found'],
  },
  listSessions: {
    method: 'GET',
    path: '/v1/analytics/sessions',
    tag: 'Analytics',
    summary: 'List sessions',
    description: `Newest first. \`from\` and \`to\` refer to the start of a session. ${PAGES}`,
    access: 'analytics',
    scope: 'viewer',
    query: sessionsQuery,
    response: { description: 'A page of sessions.', body: sessionListSchema, example: examples.sessionList },
  },
  getSession: {
    method: 'GET',
    path: '/v1/analytics/sessions/{id}',
    tag: 'Analytics',
    summary: 'Read a session',
    description: 'If several keys have a session with this name, `keyId` is required.',
    access: 'analytics',
    scope: 'viewer',
    params: idOf('The value of `X-Svc-Session-Id`.'),
    query: z.strictObject({ keyId: text.optional().meta({ description: 'The id of its key.' }) }),
    response: { description: 'The session.', body: sessionSchema, example: examples.session },
    errors: ['not_found'],
  },
  listTools: {
    method: 'GET',
    path: '/v1/analytics/tools',
    tag: 'Analytics',
    summary: 'List the tools that agents call',
    description:
      'Sums the tool calls in records, by default of the last 24 hours. At most 500 tools, those with the most calls first. Without texts: where values come from, not the values.',
    access: 'analytics',
    scope: 'viewer',
    query: toolsQuery,
    response: { description: 'A page of tools.', body: toolListSchema, example: toolListExample },
  },
});
