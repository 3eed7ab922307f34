import * as z from 'zod';
import { defineOperations, type OperationSchemas } from '../../contract/index.ts';
import type { ErrorCode } from '../../kernel/errors/index.ts';
import { readJsonDocument } from '../../kernel/json/index.ts';
import type { ChatDelta } from '../../kernel/model/index.ts';
import { loadApi, loadSchemas } from '../../translation/index.ts';
import { COMPLETION_ID, CREATED, namedStream, REQUEST_ID, svcOf } from './examples.ts';
import { type GatewayOperations, GENERATION_ERRORS } from './gateway-operation.ts';

const OWN_ID = 'Only for ids that this key received. Counts as a request.';
/** What calls about a stored response share. */
const STORED = { tag: 'Responses', access: 'chat_completions', reads: 'none' } as const;
const STORED_ERRORS = [
  'invalid_value',
  'not_found',
  'rate_limit_exceeded',
  'provider_error',
  'provider_timeout',
] as const satisfies readonly ErrorCode[];
const ERRORS = [...GENERATION_ERRORS, 'not_found'] as const;

/** OpenAI's Responses API. */
export const responsesOperations = defineOperations({
  createResponse: {
    method: 'POST',
    path: '/v1/responses',
    tag: 'Responses',
    summary: 'Create a response',
    description: 'Requests to OpenAI are forwarded unchanged, to other providers translated.',
    access: 'chat_completions',
    operation: 'openai-responses',
    async schemas() {
      const { request: schema } = await loadSchemas('openai-responses');
      return {
        body: {
          schema,
          examples: {
            whole: { summary: 'Without a stream', value: request },
            stream: { summary: 'A stream', value: { ...request, stream: true } },
          },
        },
        response: { ...(await wholeResponse()), description: 'A response.' },
        errors: ERRORS,
      };
    },
  },
  compactResponse: {
    method: 'POST',
    path: '/v1/responses/compact',
    tag: 'Responses',
    summary: 'Compact a conversation',
    description:
      'Returns fewer items for the input of the next request. A blocked result is an error. Only with models of OpenAI and Azure.',
    access: 'chat_completions',
    operation: 'openai-compaction',
    async schemas() {
      const { response: body } = await loadSchemas('openai-compaction');
      return onInput({
        description: 'The compacted conversation.',
        body,
        example: {
          ...{ id: 'resp_1', object: 'response.compaction', created_at: CREATED },
          output: [inputItem, { id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAAAABpM0Yj' }],
          usage: {
            ...{ input_tokens: 139, input_tokens_details: { cached_tokens: 0 } },
            ...{ output_tokens: 438, output_tokens_details: { reasoning_tokens: 64 }, total_tokens: 577 },
          },
          svc,
        },
      });
    },
  },
  countResponseTokens: {
    method: 'POST',
    path: '/v1/responses/input_tokens',
    tag: 'Responses',
    summary: 'Count the input tokens of a response',
    description:
      'Inspects the request and returns the count of OpenAI or Azure; other providers have none. Counts as a request.',
    access: 'chat_completions',
    operation: 'openai-input-tokens',
    async schemas() {
      const { response: body } = await loadSchemas('openai-input-tokens');
      return onInput({
        description: 'The count.',
        body,
        example: {
          ...{ object: 'response.input_tokens', input_tokens: 1 },
          svc: svcOf({ input: ['input'], output: [] }),
        },
      });
    },
  },
  getResponse: {
    method: 'GET',
    path: '/v1/responses/{id}',
    summary: 'Read a stored response',
    description: `Its text is inspected again. While it is queued or in progress, \`output\` is empty. ${OWN_ID}`,
    operation: 'openai-response',
    ...STORED,
    schemas: async () => ({
      params: responseId(),
      query: z.object({
        stream: z.boolean().optional().meta({ description: 'Whether to stream the events of a background response.' }),
        starting_after: z
          .int()
          .optional()
          .meta({ description: 'Of a stream: the number of the last event that the client has.' }),
        include_obfuscation: z.boolean().optional().meta({ description: 'Forwarded to the provider.' }),
        'include[]': included(),
      }),
      response: { ...(await wholeResponse()), description: 'The response.' },
      errors: STORED_ERRORS,
    }),
  },
  deleteResponse: {
    method: 'DELETE',
    path: '/v1/responses/{id}',
    summary: 'Delete a stored response',
    description: `Deletes it at its provider. ${OWN_ID}`,
    operation: 'openai-response-deletion',
    ...STORED,
    async schemas() {
      const { response: body } = await loadSchemas('openai-response-deletion');
      return {
        params: responseId(),
        response: {
          description: 'It is deleted.',
          body,
          example: {
            ...{ id: 'resp_1', object: 'response.deleted', deleted: true },
            svc: svcOf({ input: [], output: [] }),
          },
        },
        errors: STORED_ERRORS,
      };
    },
  },
  cancelResponse: {
    method: 'POST',
    path: '/v1/responses/{id}/cancel',
    summary: 'Cancel a background response',
    description: `Ends it at its provider and returns it. ${OWN_ID}`,
    operation: 'openai-response-cancellation',
    ...STORED,
    async schemas() {
      const { stream: _, ...response } = await wholeResponse();
      return { params: responseId(), response: { ...response, description: 'The response.' }, errors: STORED_ERRORS };
    },
  },
  listResponseInput: {
    method: 'GET',
    path: '/v1/responses/{id}/input_items',
    summary: 'List the input of a stored response',
    description: `A page of items, inspected as output. A blocked page is empty. ${OWN_ID}`,
    operation: 'openai-response-input',
    ...STORED,
    async schemas() {
      const { response: body } = await loadSchemas('openai-response-input');
      return {
        params: responseId(),
        query: z.object({
          after: z.string().optional().meta({ description: 'The last id of the page before.' }),
          limit: z.int().optional().meta({ description: 'Most items on a page.' }),
          order: z.enum(['asc', 'desc']).optional().meta({ description: 'By default `desc`.' }),
          'include[]': included(),
        }),
        response: {
          description: 'A page of items.',
          body,
          example: {
            ...{ object: 'list', data: [inputItem], first_id: inputItem.id, last_id: inputItem.id, has_more: false },
            svc: svcOf({ input: [], output: ['data[0]'] }),
          },
        },
        errors: STORED_ERRORS,
      };
    },
  },
} satisfies GatewayOperations);

const request = { model: 'echo', input: 'Hello' };
const svc = svcOf({ input: ['input'], output: ['output[0]'] });
const inputItem = {
  ...{ id: 'msg_1', type: 'message', role: 'user', status: 'completed' },
  content: [{ type: 'input_text', text: 'Hello' }],
};

function responseId() {
  return z.object({ id: z.string().meta({ description: 'Id of the response.' }) });
}

function included() {
  return z
    .array(z.string())
    .optional()
    .meta({ description: 'More fields, as in the request that created the response.' });
}

/** A call with the body of a request, and a response about it. */
async function onInput(response: OperationSchemas['response']): Promise<OperationSchemas> {
  const { request: schema } = await loadSchemas('openai-responses');
  return { body: { schema, examples: { text: { value: request } } }, response, errors: ERRORS };
}

/** A response and its events, as the API's format writes them. */
async function wholeResponse() {
  const [{ response: body, event: eventSchema }, selectApi] = await Promise.all([
    loadSchemas('openai-responses'),
    loadApi('openai-responses'),
  ]);
  const api = selectApi();
  const checked = api.check(readJsonDocument(JSON.stringify(request)));
  const head = { requestId: REQUEST_ID, created: CREATED, model: 'echo' };
  const format = () => api.format(api.read(checked), head, { asked: checked, sent: checked });
  const usage = { inputTokens: 1, outputTokens: 1 };
  const choices = [{ index: 0, text: 'Hello', finishReason: 'stop' as const }];
  const steps: ChatDelta[] = [
    { type: 'start', id: COMPLETION_ID, model: 'echo' },
    { type: 'text', choice: 0, text: 'Hello' },
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'usage', usage },
  ];
  const streamed = format();
  const events = [...steps.flatMap((step) => streamed.encode(step)), ...streamed.encodeEnd()].map(
    (json) => JSON.parse(json) as { type: string; response?: object },
  );
  const whole = JSON.parse(format().encodeWhole({ id: COMPLETION_ID, model: 'echo', choices, usage }));
  const withSvc = events.map((event) =>
    event.type === 'response.completed' ? { ...event, response: { ...event.response, svc } } : event,
  );
  return {
    body,
    example: { ...whole, svc },
    stream: {
      event: eventSchema,
      example: namedStream(withSvc),
      end: 'an `event: ` line with its type precedes it; the last event has the whole response',
    },
  };
}
