import {
  compactedResponseSchema,
  inputItemListSchema,
  inputTokenCountSchema,
  responseDeletionSchema,
  responseEventSchema,
  responseSchema,
  responsesRequestSchema,
} from '../../functions/core/protocols/openai-responses/responses-schema.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';
import { anyKey, GENERATION_ERRORS, jsonBody, KEY_ERRORS, pathId, query, trackingHeaders } from './operations.ts';
import { chatResponse, errorResponses, inspectedResponse, PASSED_ON } from './responses.ts';

const PERMISSION = 'Needs the permission `chat_completions`.';
const OWN_ID = `Only for ids that this key received. Counts as a request. ${PERMISSION}`;
const ID = pathId('Id of the response.');
const INCLUDE = query('include[]', 'More fields, as in the request that created the response.', {
  type: 'array',
  items: { type: 'string' },
});

const ERRORS = {
  ...errorResponses(
    ['invalid_value', ...KEY_ERRORS, 'not_found', 'rate_limit_exceeded', 'provider_error', 'provider_timeout'],
    true,
  ),
  '4XX': PASSED_ON,
};

/** Idempotency keys are for requests with a body. */
const HEADERS = trackingHeaders().slice(0, -1);

function onStored(operationId: string, summary: string, description: string, ok: Json, parameters: Json[] = []): Json {
  return {
    operationId,
    tags: ['Responses'],
    summary,
    description: `${description} ${OWN_ID}`,
    security: anyKey(),
    parameters: [...parameters, ...HEADERS],
    responses: { 200: ok, ...ERRORS },
  };
}

function onInput(operationId: string, summary: string, description: string, ok: Json): Json {
  return {
    operationId,
    tags: ['Responses'],
    summary,
    description: `${description} ${PERMISSION}`,
    security: anyKey(),
    parameters: trackingHeaders(),
    requestBody: jsonBody(schemaRef(responsesRequestSchema), { text: { value: examples.responsesRequest } }),
    responses: { 200: ok, ...errorResponses([...GENERATION_ERRORS, 'not_found'], true), '4XX': PASSED_ON },
  };
}

/** The calls of OpenAI's Responses API beside the one that creates a response. */
export const STORED_RESPONSE_PATHS: Readonly<Record<string, Json>> = {
  '/v1/responses/compact': {
    post: onInput(
      'compactResponse',
      'Compact a conversation',
      'Returns fewer items for the input of the next request. A blocked result is an error. Only with models of OpenAI and Azure.',
      inspectedResponse('The compacted conversation.', schemaRef(compactedResponseSchema), examples.compactedResponse),
    ),
  },
  '/v1/responses/input_tokens': {
    post: onInput(
      'countResponseTokens',
      'Count the input tokens of a response',
      'Inspects the request and returns the count of OpenAI or Azure; other providers have none. Counts as a request.',
      inspectedResponse('The count.', schemaRef(inputTokenCountSchema), examples.inputTokenCount),
    ),
  },
  '/v1/responses/{id}': {
    parameters: [ID],
    get: onStored(
      'getResponse',
      'Read a stored response',
      'Its text is inspected again. While it is queued or in progress, `output` is empty.',
      chatResponse(
        schemaRef(responseSchema),
        schemaRef(responseEventSchema),
        { whole: examples.response, stream: examples.responseStream },
        {
          what: 'The response',
          end: 'an `event: ` line with its type precedes it; the last event has the whole response',
        },
      ),
      [
        query('stream', 'Whether to stream the events of a background response.', { type: 'boolean' }),
        query('starting_after', 'Of a stream: the number of the last event that the client has.', { type: 'integer' }),
        query('include_obfuscation', 'Forwarded to the provider.', { type: 'boolean' }),
        INCLUDE,
      ],
    ),
    delete: onStored(
      'deleteResponse',
      'Delete a stored response',
      'Deletes it at its provider.',
      inspectedResponse('It is deleted.', schemaRef(responseDeletionSchema), examples.responseDeletion),
    ),
  },
  '/v1/responses/{id}/cancel': {
    parameters: [ID],
    post: onStored(
      'cancelResponse',
      'Cancel a background response',
      'Ends it at its provider and returns it.',
      inspectedResponse('The response.', schemaRef(responseSchema), examples.response),
    ),
  },
  '/v1/responses/{id}/input_items': {
    parameters: [ID],
    get: onStored(
      'listResponseInput',
      'List the input of a stored response',
      'A page of items, inspected as output. A blocked page is empty.',
      inspectedResponse('A page of items.', schemaRef(inputItemListSchema), examples.inputItemList),
      [
        query('after', 'The last id of the page before.', { type: 'string' }),
        query('limit', 'Most items on a page.', { type: 'integer' }),
        query('order', 'By default `desc`.', { type: 'string', enum: ['asc', 'desc'] }),
        INCLUDE,
      ],
    ),
  },
};
