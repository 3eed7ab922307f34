import {
  captureSchema,
  markThreatSchema,
  requestDetailSchema,
  requestListSchema,
  sessionListSchema,
  sessionSchema,
  summarySchema,
  threatListSchema,
  threatSchema,
  timeseriesSchema,
} from '../../functions/admin-api/contract.ts';
import { ACTIONS, GROUPS, INTERVALS, MARKS, REQUEST_STATES, SEVERITIES } from '../../functions/core/model/analytics.ts';
import { THREAT_TYPES } from '../../functions/core/model/threat.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';
import { anyKey, BODY_ERRORS, bySession, jsonBody, KEY_ERRORS, pathId, query } from './operations.ts';
import { errorResponses, jsonAnswer } from './responses.ts';

const TIME = 'ISO 8601 with its zone, or a date, which begins at midnight UTC.';
const text: Json = { type: 'string', minLength: 1, maxLength: 256 };

const FILTERS = [
  query('from', `Not before this time. ${TIME}`, { type: 'string' }),
  query('to', `Before this time; now where absent. ${TIME}`, { type: 'string' }),
  query('environment', 'The X-Environment of the requests, or else of their key; in any case.', text),
  query('keyId', 'The key that they were made with.', text),
  query('endUserId', 'The end user on whose behalf they were made.', text),
  query('model', "The model's name at its provider.", text),
];
const OF_SESSION = query('sessionId', 'The session that they belong to.', text);
const OF_REQUESTS = [
  OF_SESSION,
  query('state', 'How they ended.', { type: 'string', enum: REQUEST_STATES }),
  query('action', 'What was done about them.', { type: 'string', enum: ACTIONS }),
];
const OF_FINDINGS = [
  OF_SESSION,
  query('type', 'Their type.', { type: 'string', enum: THREAT_TYPES }),
  query('severity', 'Their severity.', { type: 'string', enum: SEVERITIES }),
  query('action', 'What was done about them.', { type: 'string', enum: ACTIONS }),
  query('rule', 'The id of the rule that found them.', text),
  query('mark', 'What an operator thinks of them; `none` for those without a mark.', {
    type: 'string',
    enum: [...MARKS, 'none'],
  }),
];
const GROUP_BY = query('groupBy', 'Totals for each value of this besides.', { type: 'string', enum: GROUPS });
const PAGE = [
  query('limit', 'Entries on a page, at most.', { type: 'integer', minimum: 1, maximum: 100, default: 50 }),
  query('cursor', '`nextCursor` of the page before.', { type: 'string' }),
];

function reading(operationId: string, summary: string, description: string): Json {
  return {
    operationId,
    tags: ['Analytics'],
    summary,
    description: `${description} Needs the permission \`analytics\`; a parameter that is not listed is refused.`,
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
        `${order} Rows that are added meanwhile shift no page; a page may hold less than asked for although another follows.`,
      ),
      parameters: [...FILTERS, ...more, ...PAGE],
      responses: {
        200: jsonAnswer(`A page of ${what}.`, schema, example),
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
        'Totals of a time range',
        'What requests add up to: in full hours, of the last 24 hours where no time is named.',
      ),
      parameters: [...FILTERS, GROUP_BY],
      responses: {
        200: jsonAnswer('The totals.', schemaRef(summarySchema), examples.summary),
        ...errorResponses(['invalid_value', ...KEY_ERRORS]),
      },
    },
  },
  '/v1/analytics/timeseries': {
    get: {
      ...reading(
        'getTimeseries',
        'Totals by hour or day',
        'One entry for each interval, in order; by group one for each group that has requests.',
      ),
      parameters: [
        ...FILTERS,
        GROUP_BY,
        query('interval', 'Where absent, `hour` up to three days and `day` beyond. `hour` is for 31 days at most.', {
          type: 'string',
          enum: INTERVALS,
        }),
      ],
      responses: {
        200: jsonAnswer('The series.', schemaRef(timeseriesSchema), examples.timeseries),
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
      ...reading('getRequest', 'Read a request', 'Its record, and its findings with their marks.'),
      parameters: [
        {
          ...query('time', `When it came in, as its record and its findings say. ${TIME}`, { type: 'string' }),
          required: true,
        },
      ],
      responses: {
        200: jsonAnswer('The request.', schemaRef(requestDetailSchema), examples.requestDetail),
        ...errorResponses(['invalid_value', ...KEY_ERRORS, 'not_found']),
      },
    },
  },
  '/v1/analytics/requests/{id}/capture': {
    parameters: [pathId('Id of the request.')],
    get: {
      operationId: 'getCapture',
      tags: ['Analytics'],
      summary: 'Read the texts of a request',
      description:
        'Kept only where `capture` of the policy of its key says so, for days. Needs the permission `admin`.',
      security: [...anyKey(), ...bySession()],
      responses: {
        200: jsonAnswer('The texts.', schemaRef(captureSchema), examples.capture),
        ...errorResponses([...KEY_ERRORS, 'not_found']),
      },
    },
  },
  '/v1/analytics/threats': list(
    'listThreats',
    'findings',
    'Those of the newest request first.',
    schemaRef(threatListSchema),
    examples.threatList,
    OF_FINDINGS,
  ),
  '/v1/analytics/threats/{id}': {
    parameters: [pathId('Id of the finding.')],
    patch: {
      operationId: 'markThreat',
      tags: ['Analytics'],
      summary: 'Mark a finding',
      description: 'Says whether a finding is right. Needs the permission `admin`.',
      security: [...anyKey(), ...bySession()],
      requestBody: jsonBody(schemaRef(markThreatSchema), { wrong: { value: { mark: 'false_positive' } } }),
      responses: {
        200: jsonAnswer('The finding.', schemaRef(threatSchema), examples.threat),
        ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS, 'not_found']),
      },
    },
  },
  '/v1/analytics/sessions': list(
    'listSessions',
    'sessions',
    'Those that began last first; `from` and `to` are when they began.',
    schemaRef(sessionListSchema),
    examples.sessionList,
  ),
  '/v1/analytics/sessions/{id}': {
    parameters: [pathId('What `X-Svc-Session-Id` told.')],
    get: {
      ...reading('getSession', 'Read a session', 'Where several keys have a session of this name, `keyId` says which.'),
      parameters: [query('keyId', 'The key that it belongs to.', text)],
      responses: {
        200: jsonAnswer('The session.', schemaRef(sessionSchema), examples.session),
        ...errorResponses(['invalid_value', ...KEY_ERRORS, 'not_found']),
      },
    },
  },
};
