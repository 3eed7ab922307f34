import * as z from 'zod';
import { defineOperations } from '../../contract/index.ts';
import { errorShapeOf, loadSchemas } from '../../translation/index.ts';
import { namedStream, REQUEST_ID, svcOf } from './examples.ts';
import { type GatewayOperations, GENERATION_ERRORS } from './gateway-operation.ts';

/** The error format and request id header for Anthropic's clients. */
export const ANTHROPIC = { errorShape: errorShapeOf('anthropic'), requestIdHeader: 'request-id' } as const;

/** Anthropic's API. */
export const messagesOperations = defineOperations({
  createMessage: {
    method: 'POST',
    path: '/v1/messages',
    tag: 'Messages',
    summary: 'Create a message',
    description: 'Requests to Anthropic are forwarded unchanged, to other providers translated.',
    access: 'chat_completions',
    operation: 'anthropic-messages',
    ...ANTHROPIC,
    schemas: messageSchemas,
  },
  countMessageTokens: {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    tag: 'Messages',
    summary: 'Count the tokens of a message',
    description:
      'Inspects the request and returns the count of Anthropic or `echo`; other providers have none. Counts as a request.',
    access: 'chat_completions',
    operation: 'anthropic-count-tokens',
    ...ANTHROPIC,
    async schemas() {
      const { request: schema, response: body } = await loadSchemas('anthropic-count-tokens');
      const request = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };
      return {
        headers: apiHeaders(),
        body: { schema, examples: { text: { value: request } } },
        response: {
          description: 'The count.',
          body,
          example: { input_tokens: 1, svc: svcOf({ input: ['messages[0]'], output: [] }) },
          headers: ['Request-Id'],
        },
        errors: GENERATION_ERRORS,
      };
    },
  },
} satisfies GatewayOperations);

function apiHeaders() {
  const header = z.string().max(4096).optional();
  return z.object({
    'anthropic-version': header.meta({ description: 'Forwarded to Anthropic; by default 2023-06-01.' }),
    'anthropic-beta': header.meta({ description: 'Forwarded to Anthropic.' }),
  });
}

async function messageSchemas() {
  const { request: schema, response, event } = await loadSchemas('anthropic-messages');
  const { request, message, events } = messageExamples();
  return {
    headers: apiHeaders(),
    body: {
      schema,
      examples: {
        whole: { summary: 'Without a stream', value: request },
        stream: { summary: 'A stream', value: { ...request, stream: true } },
      },
    },
    response: {
      description: 'A message.',
      body: response,
      example: message,
      stream: {
        event,
        example: namedStream(events),
        end: 'an `event: ` line with its type precedes it; the last event is `message_stop`',
      },
      headers: ['Request-Id'],
    },
    errors: GENERATION_ERRORS,
  };
}

function messageExamples() {
  const request = { model: 'echo', max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] };
  const head = {
    id: `msg_${REQUEST_ID.slice('req_'.length)}`,
    type: 'message',
    role: 'assistant',
    model: 'echo',
    stop_sequence: null,
  };
  const usage = { input_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  const svc = svcOf({ input: ['messages[0]'], output: ['content[0]'] });
  const events = [
    {
      type: 'message_start',
      message: { ...head, usage: { ...usage, input_tokens: 0, output_tokens: 0 }, content: [], stop_reason: null },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null },
      usage,
      svc,
    },
    { type: 'message_stop' },
  ];
  const content = [{ type: 'text', text: 'Hello' }];
  return { request, message: { ...head, usage, content, stop_reason: 'end_turn', svc }, events };
}
