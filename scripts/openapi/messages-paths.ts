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
  chatAnswer,
  errorResponses,
  inspectedResponse,
  PASSED_ON_BY_ANTHROPIC,
  withRequestId,
} from './responses.ts';

const ERRORS_TOLD = {
  ...errorResponses(GENERATION_ERRORS, true, ANTHROPIC_FORM),
  '4XX': PASSED_ON_BY_ANTHROPIC,
};

function apiHeader(name: string, description: string): Json {
  return { name, in: 'header', description, schema: { type: 'string', maxLength: 4096 } };
}

const PARAMETERS = [
  ...trackingHeaders(),
  apiHeader('anthropic-version', 'Goes to Anthropic; 2023-06-01 where it is absent.'),
  apiHeader('anthropic-beta', 'Goes to Anthropic.'),
];

/** Anthropic's API. */
export const MESSAGES_PATHS: Readonly<Record<string, Json>> = {
  '/v1/messages': {
    post: {
      operationId: 'createMessage',
      tags: ['Messages'],
      summary: 'Create a message',
      description:
        "Anthropic's Messages API: to Anthropic as it comes, to every other provider translated. Needs the permission `chat_completions`.",
      security: anyKey(),
      parameters: PARAMETERS,
      requestBody: jsonBody(schemaRef(messagesRequestSchema), {
        whole: { summary: 'A whole answer', value: examples.messagesRequest },
        stream: { summary: 'A stream', value: { ...examples.messagesRequest, stream: true } },
      }),
      responses: withRequestId({
        200: chatAnswer(
          schemaRef(messageSchema),
          schemaRef(messageEventSchema),
          { whole: examples.message, stream: examples.messageStream },
          { what: 'A message', end: 'before it stands `event: ` and its type; the last event is `message_stop`' },
        ),
        ...ERRORS_TOLD,
      }),
    },
  },
  '/v1/messages/count_tokens': {
    post: {
      operationId: 'countMessageTokens',
      tags: ['Messages'],
      summary: 'Count the tokens of a message',
      description:
        'Inspects the request and asks Anthropic, or `echo`, for the count; other providers have none. Counts as a request. Needs the permission `chat_completions`.',
      security: anyKey(),
      parameters: PARAMETERS,
      requestBody: jsonBody(schemaRef(countTokensRequestSchema), { text: { value: examples.countTokensRequest } }),
      responses: withRequestId({
        200: inspectedResponse('The count.', schemaRef(tokenCountSchema), examples.tokenCount),
        ...ERRORS_TOLD,
      }),
    },
  },
};
