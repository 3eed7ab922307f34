import {
  countTokensRequestSchema,
  messageEventSchema,
  messageSchema,
  messagesRequestSchema,
  tokenCountSchema,
} from '../../functions/core/protocols/anthropic-messages/messages-schema.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';
import { anyKey, GENERATION_ERRORS, jsonBody, trackingHeaders } from './operations.ts';
import {
  ANTHROPIC_FORM,
  chatResponse,
  errorResponses,
  inspectedResponse,
  PASSED_ON_BY_ANTHROPIC,
  withRequestId,
} from './responses.ts';

const ERROR_RESPONSES = {
  ...errorResponses(GENERATION_ERRORS, true, ANTHROPIC_FORM),
  '4XX': PASSED_ON_BY_ANTHROPIC,
};

function apiHeader(name: string, description: string): Json {
  return { name, in: 'header', description, schema: { type: 'string', maxLength: 4096 } };
}

const PARAMETERS = [
  ...trackingHeaders(),
  apiHeader('anthropic-version', 'Forwarded to Anthropic; by default 2023-06-01.'),
  apiHeader('anthropic-beta', 'Forwarded to Anthropic.'),
];

/** Anthropic's API. */
export const MESSAGES_PATHS: Readonly<Record<string, Json>> = {
  '/v1/messages': {
    post: {
      operationId: 'createMessage',
      tags: ['Messages'],
      summary: 'Create a message',
      description:
        'Requests to Anthropic are forwarded unchanged, to other providers translated. Needs the permission `chat_completions`.',
      security: anyKey(),
      parameters: PARAMETERS,
      requestBody: jsonBody(schemaRef(messagesRequestSchema), {
        whole: { summary: 'Without a stream', value: examples.messagesRequest },
        stream: { summary: 'A stream', value: { ...examples.messagesRequest, stream: true } },
      }),
      responses: withRequestId({
        200: chatResponse(
          schemaRef(messageSchema),
          schemaRef(messageEventSchema),
          { whole: examples.message, stream: examples.messageStream },
          { what: 'A message', end: 'an `event: ` line with its type precedes it; the last event is `message_stop`' },
        ),
        ...ERROR_RESPONSES,
      }),
    },
  },
  '/v1/messages/count_tokens': {
    post: {
      operationId: 'countMessageTokens',
      tags: ['Messages'],
      summary: 'Count the tokens of a message',
      description:
        'Inspects the request and returns the count of Anthropic or `echo`; other providers have none. Counts as a request. Needs the permission `chat_completions`.',
      security: anyKey(),
      parameters: PARAMETERS,
      requestBody: jsonBody(schemaRef(countTokensRequestSchema), { text: { value: examples.countTokensRequest } }),
      responses: withRequestId({
        200: inspectedResponse('The count.', schemaRef(tokenCountSchema), examples.tokenCount),
        ...ERROR_RESPONSES,
      }),
    },
  },
};
