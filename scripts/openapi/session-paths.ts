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
import { errorResponses, jsonResponse } from './responses.ts';

export const SESSION_REQUESTS: readonly z.ZodType[] = [signInSchema];
export const SESSION_RESPONSES: readonly z.ZodType[] = [
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

const GATEWAY_ERRORS: ErrorCode[] = ['internal_error', 'unavailable'];

export const SESSION_PATHS: Readonly<Record<string, Json>> = {
  '/v1/admin/session': {
    post: {
      ...operation(
        'createDashboardSession',
        'Sign in to the dashboard',
        'Needs a key with the permission `analytics` or `admin`. Sets a session cookie.',
      ),
      security: [],
      requestBody: jsonBody(schemaRef(signInSchema), { key: { value: { key: '<API_KEY>' } } }),
      responses: {
        201: jsonResponse('The session.', schemaRef(dashboardSessionSchema), session),
        ...errorResponses([
          ...BODY_ERRORS,
          'invalid_api_key',
          'insufficient_permissions',
          'rate_limit_exceeded',
          ...GATEWAY_ERRORS,
        ]),
      },
    },
    get: {
      ...operation('getDashboardSession', 'Read the current session'),
      security: bySession(),
      responses: {
        200: jsonResponse('The session.', schemaRef(dashboardSessionSchema), session),
        ...errorResponses(['invalid_api_key', ...GATEWAY_ERRORS]),
      },
    },
    delete: {
      ...operation('deleteDashboardSession', 'Sign out', 'Succeeds without a session too.'),
      security: bySession(),
      responses: {
        200: jsonResponse('There is no session any more.', schemaRef(sessionDeletionSchema), {
          object: 'session.deletion',
          deleted: true,
        }),
        ...errorResponses(['insufficient_permissions', ...GATEWAY_ERRORS]),
      },
    },
  },
  '/v1/admin/session/oidc/start': {
    get: {
      ...operation(
        'startSingleSignOn',
        'Redirect to the identity provider',
        'For browsers. A 404 if none is configured.',
      ),
      security: [],
      responses: {
        303: redirection('The identity provider, which redirects to the callback.'),
        ...errorResponses(['not_found', 'rate_limit_exceeded', ...GATEWAY_ERRORS]),
      },
    },
  },
  '/v1/admin/session/oidc/callback': {
    get: {
      ...operation(
        'finishSingleSignOn',
        'Finish the sign-in of the identity provider',
        'Signs in members of the configured groups.',
      ),
      security: [],
      parameters: [
        query('code', 'The code from the provider.', { type: 'string' }),
        query('state', 'The state of the attempt that this browser started.', { type: 'string' }),
      ],
      responses: {
        303: redirection('The dashboard: `/` with the session cookie, or `/?signIn=refused` or `/?signIn=failed`.'),
        ...errorResponses(['not_found', ...GATEWAY_ERRORS]),
      },
    },
  },
  '/v1/admin/session/options': {
    get: {
      ...operation('getDashboardSessionOptions', 'List the ways to sign in'),
      security: [],
      responses: {
        200: jsonResponse('The identity provider, if one is configured.', schemaRef(sessionOptionsSchema), {
          object: 'session.options',
          oidc: { label: 'Example Inc.', startUrl: '/v1/admin/session/oidc/start' },
        }),
        ...errorResponses(GATEWAY_ERRORS),
      },
    },
  },
};

function redirection(description: string): Json {
  return {
    description,
    headers: { Location: { description: 'The target of the redirect.', schema: { type: 'string' } } },
  };
}

function operation(operationId: string, summary: string, description?: string): Json {
  return { operationId, tags: ['Admin'], summary, ...(description !== undefined && { description }) };
}
