import * as z from 'zod';
import { defineOperations } from '../../contract/index.ts';
import { batchRequestSchema } from '../../pipeline/index.ts';
import {
  BATCHES_PATH,
  cancelMessageBatch,
  createMessageBatch,
  deleteMessageBatch,
  getMessageBatch,
  listMessageBatches,
  MAX_LISTED,
  RESULTS_PATH,
  readBatchResults,
} from '../batch-routes.ts';
import { type GatewayOperations, GENERATION_ERRORS } from './gateway-operation.ts';
import { ANTHROPIC } from './messages.ts';

const ONE = `${BATCHES_PATH}/{id}`;
const SHARED = { tag: 'Messages', access: 'batches' } as const;
const COUNTED = 'Counts as a request of the key.';

/** Anthropic's Message Batches. */
export const batchOperations = defineOperations({
  createMessageBatch: {
    ...SHARED,
    method: 'POST',
    path: BATCHES_PATH,
    summary: 'Create a batch of messages',
    description:
      'Each request is inspected as at `/v1/messages`, which the key must be permitted too. One that is blocked or invalid fails alone. The others are sent as a batch of their provider, which must have this API: Anthropic. What they may use at most is reserved at the price of batches and counts as used.',
    handlers: [{ ...ANTHROPIC, handler: createMessageBatch(ANTHROPIC) }],
    async schemas() {
      return {
        body: { schema: batchRequestSchema, isDocument: true, examples: { batch: { value: REQUEST } } },
        response: { description: 'The batch.', body: batch(), example: BATCH, headers: ['Request-Id'] },
        errors: GENERATION_ERRORS,
      };
    },
  },
  listMessageBatches: {
    ...SHARED,
    method: 'GET',
    path: BATCHES_PATH,
    summary: 'List batches of messages',
    description: `The newest of the key first. ${COUNTED}`,
    handlers: [{ ...ANTHROPIC, handler: listMessageBatches }],
    async schemas() {
      const id = z.string().optional();
      return {
        query: z.object({
          limit: z
            .string()
            .optional()
            .meta({ description: `1 to 1000, 20 by default. A page has at most ${MAX_LISTED}.` }),
          after_id: id.meta({ description: 'The batches created before this one.' }),
          before_id: id.meta({ description: 'The batches created after this one.' }),
        }),
        response: {
          description: 'A page of batches.',
          body: z
            .object({
              data: z.array(batch()),
              has_more: z.boolean(),
              first_id: z.string().nullable(),
              last_id: z.string().nullable(),
            })
            .meta({ id: 'MessageBatchList', description: 'A page of batches.' }),
          example: { data: [BATCH], has_more: false, first_id: ID, last_id: ID },
        },
        errors: CALL_ERRORS,
      };
    },
  },
  getMessageBatch: {
    ...SHARED,
    method: 'GET',
    path: ONE,
    summary: 'Read a batch of messages',
    description: `A batch of another key is a 404. ${COUNTED}`,
    handlers: [{ ...ANTHROPIC, handler: getMessageBatch }],
    schemas: async () => oneSchemas(batch(), BATCH, 'The batch.'),
  },
  deleteMessageBatch: {
    ...SHARED,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a batch of messages',
    description: `One that has ended; at its provider, too. ${COUNTED}`,
    handlers: [{ ...ANTHROPIC, handler: deleteMessageBatch }],
    schemas: async () =>
      oneSchemas(
        z
          .object({ id: z.string(), type: z.literal('message_batch_deleted') })
          .meta({ id: 'DeletedMessageBatch', description: 'The batch is deleted.' }),
        { id: ID, type: 'message_batch_deleted' },
        'The batch is deleted.',
      ),
  },
  cancelMessageBatch: {
    ...SHARED,
    method: 'POST',
    path: `${ONE}/cancel`,
    summary: 'Cancel a batch of messages',
    description: `Requests that have begun may still end. ${COUNTED}`,
    handlers: [{ ...ANTHROPIC, handler: cancelMessageBatch }],
    schemas: async () => oneSchemas(batch(), BATCH, 'The batch.'),
  },
  readMessageBatchResults: {
    ...SHARED,
    method: 'GET',
    path: RESULTS_PATH,
    summary: 'Read the results of a batch of messages',
    description:
      'A line of JSON for each request, in any order. Each is inspected before it is sent; its record is written in the first call. Needs the API key that created the batch, with the permission for `/v1/messages`.',
    handlers: [{ ...ANTHROPIC, handler: readBatchResults(ANTHROPIC) }],
    async schemas() {
      return {
        params: byId(),
        response: {
          description: 'The results.',
          content: {
            'application/x-jsonl': {
              schema: { type: 'string' },
              example: `${JSON.stringify({ custom_id: 'first', result: { type: 'canceled' } })}\n`,
            },
          },
        },
        errors: CALL_ERRORS,
      };
    },
  },
} satisfies GatewayOperations);

const CALL_ERRORS = [
  'not_found',
  'rate_limit_exceeded',
  'insufficient_quota',
  'provider_error',
  'provider_overloaded',
  'provider_timeout',
] as const;

const ID = 'msgbatch_svc_01939b5f6c00a1b2c3d4e5f60718293a4b5c';
const REQUEST = {
  requests: [
    {
      custom_id: 'first',
      params: { model: 'claude-sonnet-4-5', max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] },
    },
  ],
};
const BATCH = {
  id: ID,
  type: 'message_batch',
  processing_status: 'in_progress',
  request_counts: { processing: 1, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
  created_at: '2026-11-21T12:00:00.000Z',
  expires_at: '2026-11-22T12:00:00.000Z',
  ended_at: null,
  archived_at: null,
  cancel_initiated_at: null,
  results_url: null,
};

function byId() {
  return z.object({ id: z.string().meta({ description: 'The id of the batch.' }) });
}

function oneSchemas(body: z.ZodType, example: object, description: string) {
  return { params: byId(), response: { description, body, example }, errors: CALL_ERRORS };
}

let known: ReturnType<typeof createBatchSchema> | undefined;
/** Made once, since a schema of the document has one declaration. */
function batch() {
  known ??= createBatchSchema();
  return known;
}

function createBatchSchema() {
  const time = z.string();
  return z
    .object({
      id: z.string(),
      type: z.literal('message_batch'),
      processing_status: z.enum(['in_progress', 'canceling', 'ended']),
      request_counts: z.object({
        processing: z.int(),
        succeeded: z.int(),
        errored: z.int(),
        canceled: z.int(),
        expired: z.int(),
      }),
      created_at: time,
      expires_at: time,
      ended_at: time.nullable(),
      archived_at: time.nullable(),
      cancel_initiated_at: time.nullable(),
      results_url: z.string().nullable().describe('A path at the gateway. null until the batch has ended.'),
    })
    .meta({ id: 'MessageBatch', description: "A batch, as in Anthropic's API." });
}
