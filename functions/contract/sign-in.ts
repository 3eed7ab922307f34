import * as z from 'zod';
import { PERMISSIONS } from '../kernel/model/index.ts';
import { defineOperations } from './operation.ts';

/** Body of `POST /admin/session`. */
export const signInSchema = z
  .strictObject({ key: z.string().max(256) })
  .meta({ id: 'SignIn', description: 'A key with the permission `analytics` or `admin`.' });

export const dashboardSessionSchema = z
  .object({
    object: z.literal('session'),
    permissions: z.array(z.enum(PERMISSIONS)).meta({ description: 'The permissions in force.' }),
    keyId: z.string().nullable().meta({ description: 'null if a person signed in through an identity provider.' }),
    name: z.string().meta({ description: "The key's name, or the person's e-mail address." }),
    team: z
      .object({ id: z.string(), name: z.string(), role: z.enum(['owner', 'member', 'viewer']).nullable() })
      .nullable()
      .optional()
      .meta({ description: 'The team of the person or key, and the role of the person.' }),
    operations: z.array(z.string()).optional().meta({
      description: 'Ids of the operations that the user may call, for the data of all teams or of one.',
    }),
    demo: z.literal(true).optional().meta({ description: 'The data is that of `svc start --demo`.' }),
    expiresAt: z.iso.datetime().meta({ description: 'The latest end; an hour without a request ends it earlier.' }),
    csrfToken: z.string().meta({ description: 'For the header `X-Svc-Csrf` of each call that changes something.' }),
  })
  .meta({ id: 'DashboardSession', description: 'The user who is signed in to the dashboard.' });
export type DashboardSession = z.infer<typeof dashboardSessionSchema>;

export const sessionDeletionSchema = z
  .object({ object: z.literal('session.deletion'), deleted: z.literal(true) })
  .meta({ id: 'SessionDeletion', description: 'Confirms that the session has ended.' });
export type SessionDeletion = z.infer<typeof sessionDeletionSchema>;

export const sessionOptionsSchema = z
  .object({
    object: z.literal('session.options'),
    oidc: z
      .object({ label: z.string(), startUrl: z.string() })
      .nullable()
      .meta({ description: 'The identity provider and its sign-in URL; null if there is none.' }),
  })
  .meta({ id: 'SessionOptions', description: 'The ways to sign in besides a key.' });
export type SessionOptions = z.infer<typeof sessionOptionsSchema>;

const example = {
  object: 'session',
  permissions: ['analytics'],
  keyId: 'key_5c1f9b4c6f4e4f9e8f7a0b1c2d3e4f50',
  name: 'Security team',
  team: null,
  operations: ['getDashboardSession', 'getSummary', 'listRequests'],
  expiresAt: '2026-11-21T21:30:00.000Z',
  csrfToken: 'GQ0mGmQ1mS0Q0l2m0cB6m6H1r4m9Q7s1b0T2w8e5y3k',
};
const OWN_ERRORS = ['internal_error', 'unavailable'] as const;
const oneSession = { description: 'The session.', body: dashboardSessionSchema, example };

/** Signing in to the dashboard and out of it. */
export const signInOperations = defineOperations({
  createDashboardSession: {
    method: 'POST',
    path: '/v1/admin/session',
    tag: 'Admin',
    summary: 'Sign in to the dashboard',
    description: 'Needs a key with the permission `analytics` or `admin`. Sets a session cookie.',
    access: 'none',
    scope: 'deployment',
    body: {
      schema: signInSchema,
      examples: { key: { value: { key: '<API_KEY>' } } },
      // Enough for a key.
      maxBytes: 4_096,
    },
    response: { ...oneSession, status: 201 },
    errors: ['invalid_api_key', 'insufficient_permissions', 'rate_limit_exceeded', ...OWN_ERRORS],
  },
  getDashboardSession: {
    method: 'GET',
    path: '/v1/admin/session',
    tag: 'Admin',
    summary: 'Read the current session',
    access: 'session',
    scope: 'deployment',
    response: oneSession,
    errors: ['invalid_api_key'],
  },
  deleteDashboardSession: {
    method: 'DELETE',
    path: '/v1/admin/session',
    tag: 'Admin',
    summary: 'Sign out',
    description: 'Succeeds without a session too.',
    access: 'session',
    scope: 'deployment',
    response: {
      description: 'There is no session any more.',
      body: sessionDeletionSchema,
      example: { object: 'session.deletion', deleted: true },
    },
    errors: ['insufficient_permissions'],
  },
  getDashboardSessionOptions: {
    method: 'GET',
    path: '/v1/admin/session/options',
    tag: 'Admin',
    summary: 'List the ways to sign in',
    access: 'none',
    scope: 'deployment',
    response: {
      description: 'The identity provider, if one is configured.',
      body: sessionOptionsSchema,
      example: {
        object: 'session.options',
        oidc: { label: 'Example Inc.', startUrl: '/v1/admin/session/oidc/start' },
      },
    },
    errors: OWN_ERRORS,
  },
});

/** Signing in through an identity provider. */
export const singleSignOnOperations = defineOperations({
  startSingleSignOn: {
    method: 'GET',
    path: '/v1/admin/session/oidc/start',
    tag: 'Admin',
    summary: 'Redirect to the identity provider',
    description: 'For browsers. A 404 if none is configured.',
    access: 'none',
    scope: 'deployment',
    response: {
      status: 303,
      description: 'The identity provider, which redirects to the callback.',
      headers: ['Location'],
    },
    errors: ['not_found', 'rate_limit_exceeded', ...OWN_ERRORS],
  },
  finishSingleSignOn: {
    method: 'GET',
    path: '/v1/admin/session/oidc/callback',
    tag: 'Admin',
    summary: 'Finish the sign-in of the identity provider',
    description: 'Signs in members of the configured groups.',
    access: 'none',
    scope: 'deployment',
    query: z.object({
      code: z.string().optional().meta({ description: 'The code from the provider.' }),
      state: z.string().optional().meta({ description: 'The state of the attempt that this browser started.' }),
    }),
    response: {
      status: 303,
      description: 'The dashboard: `/` with the session cookie, or `/?signIn=refused` or `/?signIn=failed`.',
      headers: ['Location'],
    },
    errors: ['not_found', ...OWN_ERRORS],
  },
});
