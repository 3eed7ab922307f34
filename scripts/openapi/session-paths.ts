import type * as z from 'zod';
import {
  dashboardSessionSchema,
  sessionDeletionSchema,
  sessionOptionsSchema,
  signInSchema,
} from '../../functions/admin-api/contract.ts';
import type { ErrorCode } from '../../functions/core/base/errors.ts';
import { type Json, schemaRef } from './components.ts';
import { BODY_ERRORS, bySession, jsonBody, query } from './operations.ts';
import { errorResponses, jsonAnswer } from './responses.ts';

export const SESSION_REQUESTS: readonly z.ZodType[] = [signInSchema];
export const SESSION_ANSWERS: readonly z.ZodType[] = [
  dashboardSessionSchema,
  sessionDeletionSchema,
  sessionOptionsSchema,
];

const session = {
  object: 'session',
  permissions: ['analytics'],
  keyId: 'key_5c1f9b4c6f4e4f9e8f7a0b1c2d3e4f50',
  name: 'Security team',
  expiresAt: '2026-11-21T21:30:00.000Z',
  csrfToken: 'GQ0mGmQ1mS0Q0l2m0cB6m6H1r4m9Q7s1b0T2w8e5y3k',
};

const OURS: ErrorCode[] = ['internal_error', 'unavailable'];

export const SESSION_PATHS: Readonly<Record<string, Json>> = {
  '/v1/admin/session': {
    post: {
      ...operation(
        'createDashboardSession',
        'Sign in at the dashboard',
        'With a key that has the permission `analytics` or `admin`. Sets a cookie that stands for the key.',
      ),
      security: [],
      requestBody: jsonBody(schemaRef(signInSchema), { key: { value: { key: '<API_KEY>' } } }),
      responses: {
        201: jsonAnswer('Who is signed in.', schemaRef(dashboardSessionSchema), session),
        ...errorResponses([
          ...BODY_ERRORS,
          'invalid_api_key',
          'insufficient_permissions',
          'rate_limit_exceeded',
          ...OURS,
        ]),
      },
    },
    get: {
      ...operation('getDashboardSession', 'Who is signed in'),
      security: bySession(),
      responses: {
        200: jsonAnswer('Who is signed in.', schemaRef(dashboardSessionSchema), session),
        ...errorResponses(['invalid_api_key', ...OURS]),
      },
    },
    delete: {
      ...operation('deleteDashboardSession', 'Sign out', 'Answers the same where nobody was signed in.'),
      security: bySession(),
      responses: {
        200: jsonAnswer('Nobody is signed in.', schemaRef(sessionDeletionSchema), {
          object: 'session.deletion',
          deleted: true,
        }),
        ...errorResponses(['insufficient_permissions', ...OURS]),
      },
    },
  },
  '/v1/admin/session/oidc/start': {
    get: {
      ...operation('startSingleSignOn', 'Go to the identity provider', 'Where one is set up; for browsers.'),
      security: [],
      responses: {
        303: redirection('The identity provider, which sends people back to the callback.'),
        ...errorResponses(['not_found', 'rate_limit_exceeded', ...OURS]),
      },
    },
  },
  '/v1/admin/session/oidc/callback': {
    get: {
      ...operation(
        'finishSingleSignOn',
        'Come back from the identity provider',
        'Signs in whom it vouches for and who is in one of the groups.',
      ),
      security: [],
      parameters: [
        query('code', 'As the provider gave it.', { type: 'string' }),
        query('state', 'Of the attempt that this browser began.', { type: 'string' }),
      ],
      responses: {
        303: redirection(
          'The dashboard: `/` with the session as a cookie, or else `/?signIn=refused` or `/?signIn=failed`.',
        ),
        ...errorResponses(['not_found', ...OURS]),
      },
    },
  },
  '/v1/admin/session/options': {
    get: {
      ...operation('getDashboardSessionOptions', 'In which ways one may sign in'),
      security: [],
      responses: {
        200: jsonAnswer('What there is besides keys.', schemaRef(sessionOptionsSchema), {
          object: 'session.options',
          oidc: { label: 'Example Inc.', startUrl: '/v1/admin/session/oidc/start' },
        }),
        ...errorResponses(OURS),
      },
    },
  },
};

function redirection(description: string): Json {
  return { description, headers: { Location: { description: 'Where to go on.', schema: { type: 'string' } } } };
}

function operation(operationId: string, summary: string, description?: string): Json {
  return { operationId, tags: ['Admin'], summary, ...(description !== undefined && { description }) };
}
