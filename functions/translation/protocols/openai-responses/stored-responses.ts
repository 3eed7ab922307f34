import { GatewayError } from '../../../kernel/errors/index.ts';
import type { JsonDocument } from '../../../kernel/json/index.ts';
import type { ChatRequest } from '../../../kernel/model/index.ts';
import { TextlessFormat, type TextlessResponse } from '../bodies/untranslated-format.ts';
import type { Bodies, ResponseIdentity, StoredCall, StoredCallName, StoredRequest } from '../protocol.ts';
import { InputItemsFormat } from './input-items-format.ts';
import { RESPONSES_FRAMING } from './responses-response-format.ts';
import { promptOf, StoredResponseFormat } from './stored-response-format.ts';

/** Query parameters by call: https://platform.openai.com/docs/api-reference/responses, and openai 6.49 (resources/responses). */
const RETRIEVAL = new Set(['include', 'include[]', 'include_obfuscation', 'starting_after', 'stream']);
const LISTING = new Set(['include', 'include[]', 'after', 'before', 'limit', 'order']);
const NONE: ReadonlySet<string> = new Set();

/** Ids, names and numbers: a query is not inspected, so the format leaves no room for text. */
const VALUE = /^[\w.:-]{1,256}$/;
const MAX_PARAMETERS = 64;

const NO_PROMPT: StoredCall['promptIn'] = () => ({ prompts: [] });

/** `GET /v1/responses/{id}`. Every call inspects the text again. */
export const RESPONSE_CALL = storedCall('openai-response', RETRIEVAL, responseFormat, promptOf);

/** `POST /v1/responses/{id}/cancel`: ends a background response and returns it. */
export const CANCELLATION_CALL = storedCall('openai-response-cancellation', NONE, responseFormat, promptOf);

/** `DELETE /v1/responses/{id}`. */
export const DELETION_CALL = storedCall(
  'openai-response-deletion',
  NONE,
  () => new TextlessFormat({ id: 'id object' }, readDeletion),
);

/**
 * `GET /v1/responses/{id}/input_items`. Inspected as output: the list also has earlier responses as the provider stores them, without the
 * redactions that the caller got.
 */
export const INPUT_ITEMS_CALL = storedCall('openai-response-input', LISTING, () => new InputItemsFormat());

function storedCall(
  operation: StoredCallName,
  parameters: ReadonlySet<string>,
  format: StoredCall['format'],
  promptIn = NO_PROMPT,
): StoredCall {
  return {
    operation,
    unbilled: true,
    framing: RESPONSES_FRAMING,
    responseKind: (value) => (last(queryOf(value), 'stream') === 'true' ? 'events' : 'json'),
    check: (document) => checkStoredRequest(document, parameters),
    promptIn,
    format,
  };
}

function responseFormat(request: ChatRequest, head: ResponseIdentity, { asked }: Bodies<StoredRequest>) {
  return new StoredResponseFormat(request, head, asked.startingAfter);
}

/** @throws GatewayError that names the parameter */
function checkStoredRequest({ value }: JsonDocument, parameters: ReadonlySet<string>): StoredRequest {
  const { id } = value as { id: string };
  // OpenAI's beta client adds `?beta=true` to every path (openai 6.49, resources/beta/responses); the provider gets none.
  const query = queryOf(value).filter(([name, text]) => name !== 'beta' || text !== 'true');
  if (query.length > MAX_PARAMETERS) throw invalid('', `A query has at most ${MAX_PARAMETERS} parameters.`);
  for (const [name, text] of query) {
    if (!parameters.has(name)) throw invalid(name, `This path has no query parameter '${name}'.`);
    if (!VALUE.test(text)) throw invalid(name, `'${name}' must be a name, an id or a number.`);
  }
  const stream = last(query, 'stream');
  if (stream !== undefined && stream !== 'true' && stream !== 'false') {
    throw invalid('stream', "'stream' must be true or false.");
  }
  const start = last(query, 'starting_after');
  if (start !== undefined && !/^\d{1,15}$/.test(start)) {
    throw invalid('starting_after', "'starting_after' must be the number of an event.");
  }
  return {
    id,
    stream: stream === 'true',
    startingAfter: start === undefined ? undefined : Number(start),
    // The provider streams from the start: a text is inspected whole, and only later events are sent.
    query: query
      .filter(([name]) => name !== 'starting_after' && name !== 'stream')
      .concat(stream ? [['stream', stream]] : []),
  };
}

function invalid(param: string, message: string): GatewayError {
  return new GatewayError('invalid_value', message, param === '' ? {} : { param: param.slice(0, 64) });
}

function queryOf(value: unknown): readonly (readonly [string, string])[] {
  return (value as { query: [string, string][] }).query;
}

function last(query: StoredRequest['query'], name: string): string | undefined {
  return query.findLast(([parameter]) => parameter === name)?.[1];
}

/** Parses `{"id": "resp_1", "object": "response.deleted", "deleted": true}`. */
function readDeletion({ deleted }: Readonly<Record<string, unknown>>): TextlessResponse {
  return { usage: undefined, fault: typeof deleted === 'boolean' ? undefined : 'no deletion' };
}
