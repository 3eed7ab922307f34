import {
  captureSchema,
  deliveryListSchema,
  keyNameListSchema,
  markThreatSchema,
  requestDetailSchema,
  requestListSchema,
  sessionListSchema,
  sessionSchema,
  summarySchema,
  threatDetailSchema,
  threatListSchema,
  threatSchema,
  timeseriesSchema,
} from '../../functions/admin-api/contract.ts';
import {
  ACTIONS,
  GROUPS,
  INTERVALS,
  MARKS,
  OUTCOMES,
  REQUEST_STATES,
  SEVERITIES,
} from '../../functions/core/model/analytics.ts';
import { THREAT_TYPES } from '../../functions/core/model/threat.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';
import { anyKey, BODY_ERRORS, bySession, jsonBody, KEY_ERRORS, PAGE_PARAMETERS, pathId, query } from './operations.ts';
import { errorResponses, jsonResponse } from './responses.ts';

const TIME = 'ISO 8601 with a time zone, or a date, which starts at midnight UTC.';
const text: Json = { type: 'string', minLength: 1, maxLength: 256 };

const FILTERS = [
  query('from', `Not before this time. ${TIME}`, { type: 'string' }),
  query('to', `Before this time, by default now. ${TIME}`, { type: 'string' }),
  query(
    'environment',
    '`X-Environment` of the requests, or else the environment of their key; case-insensitive.',
    text,
  ),
  query('keyId', 'The id of their key.', text),
  query('endUserId', 'Their end user.', text),
  query('model', "The provider's name of the model.", text),
];
const OF_SESSION = query('sessionId', 'Their session.', text);
const least = (name: string, of: string): Json => query(name, `The lowest ${of}.`, { type: 'number', minimum: 0 });
const OF_REQUESTS = [
  query('since', 'The same as `from`.', { type: 'string' }),
  query('until', 'The same as `to`.', { type: 'string' }),
  query('id', 'Their id.', { type: 'string', pattern: '^req_[0-9a-f]{32}$' }),
  OF_SESSION,
  query('provider', 'Their provider.', text),
  query('route', 'Their path, such as `/v1/chat/completions`.', text),
  query('state', 'Their final state.', { type: 'string', enum: REQUEST_STATES }),
  query('status', 'Their status, or its class, such as `4xx`.', { type: 'string', pattern: '^[1-5](xx|\\d\\d)$' }),
  query(
    'outcome',
    'What totals count them as: `flagged` if flagged or redacted and not blocked, `client_error` for failed requests with a 4xx other than 429.',
    { type: 'string', enum: OUTCOMES },
  ),
  query('errorCode', 'Their error code.', text),
  query('traceId', 'Their trace id.', text),
  query('action', 'Their action.', { type: 'string', enum: ACTIONS }),
  query('tag', 'A tag of their key: `name=value`, or its name for any value.', text),
  least('minScore', 'threat score'),
  least('minLatencyMs', 'latency'),
  least('minFirstTokenMs', 'time to the first token of a stream'),
  least('minTokens', 'number of input and output tokens'),
  least('minCostUsd', 'cost'),
];
const OF_FINDINGS = [
  OF_SESSION,
  query('type', 'Their type.', { type: 'string', enum: THREAT_TYPES }),
  query('severity', 'Their severity.', { type: 'string', enum: SEVERITIES }),
  query('action', 'Their action.', { type: 'string', enum: ACTIONS }),
  query('rule', 'The id of their rule.', text),
  query('mark', 'Their mark; `none` for findings without one.', {
    type: 'string',
    enum: [...MARKS, 'none'],
  }),
];
const GROUP_BY = query('groupBy', 'Also returns totals for each value of this field.', {
  type: 'string',
  enum: GROUPS,
});

function reading(operationId: string, summary: string, description: string): Json {
  return {
    operationId,
    tags: ['Analytics'],
    summary,
    description: `${description} Needs the permission \`analytics\`. An unknown parameter is a 400.`,
    security: [...anyKey(), ...bySession()],
  };
}

function list(
  operationId: string,
  what: string,
  order: string,
  schema: Json,
  example: unknown,
  more: readonly Json[] = [],
): Json {
  return {
    get: {
      ...reading(
        operationId,
        `List ${what}`,
        `${order} New rows do not shift pages. A page reads at most 10,000 records, so it may hold fewer than \`limit\` entries although another page follows.`,
      ),
      parameters: [...FILTERS, ...more, ...PAGE_PARAMETERS],
      responses: {
        200: jsonResponse(`A page of ${what}.`, schema, example),
        ...errorResponses(['invalid_value', ...KEY_ERRORS]),
      },
    },
  };
}

/** The paths of the analytics API. */
export const ANALYTICS_PATHS: Readonly<Record<string, Json>> = {
  '/v1/analytics/summary': {
    get: {
      ...reading(
        'getSummary',
        'Read totals of a time range',
        'Sums requests by full hours, by default of the last 24 hours.',
      ),
      parameters: [
        ...FILTERS,
        GROUP_BY,
        query('interval', 'Sums full minutes instead, of at most six hours in the last two days and of all keys.', {
          type: 'string',
          enum: ['1m'],
        }),
      ],
      responses: {
        200: jsonResponse('The totals.', schemaRef(summarySchema), examples.summary),
        ...errorResponses(['invalid_value', ...KEY_ERRORS]),
      },
    },
  },
  '/v1/analytics/keys': {
    get: {
      ...reading(
        'listKeyNames',
        'Read names of keys',
        'Requests, findings and sessions name their key by its id. An id without a key is left out.',
      ),
      parameters: [
        {
          ...query('ids', 'At most 100 ids of keys, with commas between them.', { type: 'string' }),
          required: true,
          example: examples.key.id,
        },
      ],
      responses: {
        200: jsonResponse('The names.', schemaRef(keyNameListSchema), examples.keyNameList),
        ...errorResponses(['invalid_value', ...KEY_ERRORS]),
      },
    },
  },
  '/v1/analytics/timeseries': {
    get: {
      ...reading(
        'getTimeseries',
        'Read totals by hour or day',
        'One entry for each interval, in order. With `groupBy`, one for each group with requests.',
      ),
      parameters: [
        ...FILTERS,
        GROUP_BY,
        query(
          'interval',
          'By default `hour` for up to three days, else `day`. `hour` covers at most 31 days; `1m` and `5m` at most six hours in the last two days, of all keys.',
          {
            type: 'string',
            enum: INTERVALS,
          },
        ),
      ],
      responses: {
        200: jsonResponse('The series.', schemaRef(timeseriesSchema), examples.timeseries),
        ...errorResponses(['invalid_value', ...KEY_ERRORS]),
      },
    },
  },
  '/v1/analytics/requests': list(
    'listRequests',
    'requests',
    'Newest first.',
    schemaRef(requestListSchema),
    examples.requestList,
    OF_REQUESTS,
  ),
  '/v1/analytics/requests/{id}': {
    parameters: [pathId('Id of the request.')],
    get: {
      ...reading('getRequest', 'Read a request', 'Its record, with findings and their marks.'),
      parameters: [
        query('time', `The \`time\` of its record, for ids of before 2026-11-27, which contain none. ${TIME}`, {
          type: 'string',
        }),
      ],
      responses: {
        200: jsonResponse('The request.', schemaRef(requestDetailSchema), examples.requestDetail),
        ...errorResponses(['invalid_value', ...KEY_ERRORS, 'not_found']),
      },
    },
  },
  '/v1/analytics/requests/{id}/capture': {
    parameters: [pathId('Id of the request.')],
    get: {
      operationId: 'getCapture',
      tags: ['Analytics'],
      summary: 'Read the captured texts of a request',
      description:
        'The texts exist only if the policy captures them, for a limited time. The call writes an audit record. Needs the permission `admin`.',
      security: [...anyKey(), ...bySession()],
      responses: {
        200: jsonResponse('The texts.', schemaRef(captureSchema), examples.capture),
        ...errorResponses([...KEY_ERRORS, 'not_found']),
      },
    },
  },
  '/v1/admin/requests/{id}/deliveries': {
    parameters: [pathId('Id of the request.')],
    get: {
      operationId: 'listRequestDeliveries',
      tags: ['Webhooks'],
      summary: "List the webhook deliveries of a request's event",
      description:
        'One for each endpoint that receives the event; empty if the request had none. Needs the permission `admin`.',
      security: [...anyKey(), ...bySession()],
      responses: {
        200: jsonResponse('The deliveries.', schemaRef(deliveryListSchema), examples.deliveryList),
        ...errorResponses([...KEY_ERRORS]),
      },
    },
  },
  '/v1/analytics/threats': list(
    'listThreats',
    'findings',
    'Findings of the newest request first.',
    schemaRef(threatListSchema),
    examples.threatList,
    OF_FINDINGS,
  ),
  '/v1/analytics/threats/{id}': {
    parameters: [pathId('Id of the finding.')],
    get: {
      ...reading('getThreat', 'Read a finding', 'One finding, with its mark and its rule.'),
      responses: {
        200: jsonResponse('The finding.', schemaRef(threatDetailSchema), examples.threatDetail),
        ...errorResponses(['invalid_value', ...KEY_ERRORS, 'not_found']),
      },
    },
    patch: {
      operationId: 'markThreat',
      tags: ['Analytics'],
      summary: 'Mark a finding',
      description: 'Marks a finding as right or wrong; null removes the mark. Needs the permission `admin`.',
      security: [...anyKey(), ...bySession()],
      requestBody: jsonBody(schemaRef(markThreatSchema), { wrong: { value: { mark: 'false_positive' } } }),
      responses: {
        200: jsonResponse('The finding.', schemaRef(threatSchema), examples.threat),
        ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS, 'not_found']),
      },
    },
  },
  '/v1/analytics/sessions': list(
    'listSessions',
    'sessions',
    'Newest first. `from` and `to` refer to the start of a session.',
    schemaRef(sessionListSchema),
    examples.sessionList,
  ),
  '/v1/analytics/sessions/{id}': {
    parameters: [pathId('The value of `X-Svc-Session-Id`.')],
    get: {
      ...reading('getSession', 'Read a session', 'If several keys have a session with this name, `keyId` is required.'),
      parameters: [query('keyId', 'The id of its key.', text)],
      responses: {
        200: jsonResponse('The session.', schemaRef(sessionSchema), examples.session),
        ...errorResponses(['invalid_value', ...KEY_ERRORS, 'not_found']),
      },
    },
  },
};
