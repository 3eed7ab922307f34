import * as z from 'zod';
import { defineOperations } from '../../contract/index.ts';
import { issuersSchema } from '../../kernel/identity/index.ts';
import { guardRequestSchema, guardResultSchema, requestCancellationSchema, runGuard } from '../../pipeline/index.ts';
import { cancelRequest, getHealth, getMcpMetadata, getOpenapi, getReadiness, getSignIn } from '../service-routes.ts';
import { REQUEST_ID, svcOf } from './examples.ts';
import { type GatewayOperations, INSPECTION_ERRORS } from './gateway-operation.ts';

/** Inspection without a provider, and running requests. */
export const guardOperations = defineOperations({
  guard: {
    method: 'POST',
    path: '/v1/guard',
    tag: 'Guard',
    summary: 'Inspect without a provider',
    description:
      'Inspects a text, a conversation or a response. The status is 200 for blocked content too. A call counts against the limits of the key.',
    access: 'any key',
    inspect: runGuard,
    async schemas() {
      return {
        body: {
          schema: guardRequestSchema,
          examples: {
            text: { summary: 'A text', value: { input: 'Hello', as: 'user' } },
            conversation: { summary: 'A conversation', value: { messages: [{ role: 'user', content: 'Hello' }] } },
            output: { summary: 'A response', value: { output: 'Hello' } },
            calls: {
              summary: 'A response with a tool call',
              value: {
                messages: [{ role: 'user', content: 'Write to Ada that I am late.' }],
                output: {
                  role: 'assistant',
                  tool_calls: [
                    {
                      id: 'call_1',
                      type: 'function',
                      function: { name: 'send_email', arguments: '{"to":"ada@firm.example"}' },
                    },
                  ],
                },
              },
            },
          },
        },
        response: {
          description: 'The findings.',
          body: guardResultSchema,
          example: {
            id: `guard-${REQUEST_ID.slice('req_'.length)}`,
            object: 'guard.result',
            flagged: false,
            action: 'allow',
            svc: svcOf({ input: ['input'], output: [] }),
          },
        },
        errors: INSPECTION_ERRORS,
      };
    },
  },
  cancelRequest: {
    method: 'POST',
    path: '/v1/requests/{id}/cancel',
    tag: 'Chat',
    summary: 'Cancel a running stream',
    description:
      'Needs the key that started the stream. The last event of the stream is then the error `request_cancelled`. A stream that has ended, is unknown or has another key is a 404. Consumes no limit.',
    access: 'any key',
    handlers: [{ handler: cancelRequest }],
    async schemas() {
      return {
        params: z.object({ id: z.string().meta({ description: 'The `X-Request-Id` of the stream.' }) }),
        response: {
          description: 'The stream is cancelled.',
          body: requestCancellationSchema,
          example: {
            id: 'req_3f0c9f0c54bb4b0d8a1c2a9d7e6b5f40',
            object: 'request.cancellation',
            status: 'cancelled',
          },
        },
        errors: ['not_found'],
      };
    },
  },
} satisfies GatewayOperations);

const SERVICE = { method: 'GET', tag: 'Service', access: 'none' } as const;

/** Health, the document, and where people sign in. */
export const serviceOperations = defineOperations({
  getHealth: {
    ...SERVICE,
    path: '/healthz',
    summary: 'Check liveness',
    description: 'Does not check the stores.',
    open: true,
    handlers: [{ handler: getHealth }],
    schemas: async () => ({
      response: {
        description: 'The process is running.',
        body: z
          .object({ status: z.literal('ok'), version: z.string() })
          .meta({ id: 'Health', description: 'The process is running.' }),
      },
    }),
  },
  getReadiness: {
    ...SERVICE,
    path: '/readyz',
    summary: 'Check readiness',
    description: 'Checks every store and, on one machine, every helper process.',
    handlers: [{ handler: getReadiness }],
    async schemas() {
      const state = z.enum(['ok', 'unavailable']);
      const body = z
        .object({
          status: state,
          stores: z.object({ keys: state, limits: state, events: state }),
          processes: z
            .record(z.string(), state)
            .optional()
            .describe('The helper processes of a local run. Absent in a deployment.'),
        })
        .meta({ id: 'Readiness', description: 'The state of each store.' });
      return {
        response: { description: 'All are available.', body },
        otherResponses: { 503: { description: 'One is unavailable; the body names it.', body } },
      };
    },
  },
  getOpenapi: {
    ...SERVICE,
    path: '/openapi.json',
    summary: 'Read this OpenAPI document',
    handlers: [{ handler: getOpenapi }],
    schemas: async () => ({
      response: { description: 'This document.', content: { 'application/json': { schema: { type: 'object' } } } },
    }),
  },
  getMcpMetadata: {
    ...SERVICE,
    path: '/.well-known/oauth-protected-resource/v1/mcp/{server}',
    summary: 'Read where MCP clients sign in',
    description:
      'The metadata of an MCP server as a protected resource (RFC 9728): the issuers that have its address, or that of all servers, as an audience. It needs no key. A 401 of the server leads to it.',
    handlers: [{ handler: getMcpMetadata }],
    schemas: async () => ({
      params: z.object({ server: z.string().meta({ description: 'Name of the server.' }) }),
      ...metadataSchemas(),
    }),
  },
  getAllMcpMetadata: {
    ...SERVICE,
    path: '/.well-known/oauth-protected-resource/v1/mcp',
    summary: 'Read where clients of all MCP servers sign in',
    description: 'The same for the address of all MCP servers, `/v1/mcp`.',
    handlers: [{ handler: getMcpMetadata }],
    schemas: async () => metadataSchemas(),
  },
  getSignIn: {
    ...SERVICE,
    path: '/v1/sign-in',
    summary: 'Read where people sign in',
    description:
      'The issuers whose tokens `svc login` gets for this gateway, with their public clients. It needs no key, and may be cached for a minute.',
    handlers: [{ handler: getSignIn }],
    async schemas() {
      const { issuer, signIn } = issuersSchema.element.shape;
      const one = signIn
        .unwrap()
        .extend({ issuer })
        .meta({ id: 'SignInIssuer', description: 'An issuer, and its client for people in a terminal.' });
      const body = z
        .object({ object: z.literal('sign_in'), issuers: z.array(one) })
        .meta({ id: 'SignInList', description: 'Where people get a token. Empty if no issuer has `signIn`.' });
      const example = {
        issuer: 'https://login.example.com',
        clientId: 'svc-terminal',
        token: 'id_token',
        redirectUri: 'http://127.0.0.1/callback',
      } as const;
      return {
        response: { description: 'The issuers.', body, example: { object: 'sign_in', issuers: [example] } },
      };
    },
  },
} satisfies GatewayOperations);

function metadataSchemas() {
  const body = z
    .object({
      resource: z.string().meta({ description: 'What tokens are for (RFC 8707): an audience of the issuer.' }),
      authorization_servers: z.array(z.string()),
      bearer_methods_supported: z.array(z.literal('header')),
      scopes_supported: z.array(z.string()).optional(),
    })
    .meta({ id: 'ProtectedResource', description: 'MCP servers as a protected resource.' });
  const example = {
    resource: 'https://svc.example.com/v1/mcp',
    authorization_servers: ['https://login.example.com'],
    bearer_methods_supported: ['header'],
  };
  const response = { description: 'The metadata.', body, example };
  return { response, errors: ['not_found'] } as const;
}
