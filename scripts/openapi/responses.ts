import { ERRORS, type ErrorCode } from '../../functions/core/base/errors.ts';
import { messagesErrorSchema } from '../../functions/core/protocols/anthropic-messages/messages-schema.ts';
import { messagesErrorType } from '../../functions/core/protocols/error-shapes.ts';
import { errorResponseSchema } from '../../functions/core/protocols/openai-chat/chat-response-schema.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';

/** Response headers under `components/headers`; the names are as the specification writes them, case does not count. */
export const HEADERS: Readonly<Record<string, Json>> = {
  'X-Svc-Request-Id': header('Id of the request, for tracking.'),
  'X-Request-Id': header('The same id, where OpenAI clients look for it.'),
  'X-Trace-Id': header('The trace that the request belongs to, 32 hexadecimal digits.'),
  'Request-Id': header('The same id, where Anthropic clients look for it; under `/v1/messages`.'),
  'X-Svc-Threat-Score': header('Threat score when the status was sent, 0 to 1.', 'number'),
  'X-Svc-Action': header(
    'What was done, where an answer is text and has no `svc`: `allow`, `flag`, `redact` or `block`.',
  ),
  'X-Svc-Threats': header('The types of what was found, where an answer is text: `indirect_injection, secret`.'),
  'X-Svc-Processing-Time': header("The gateway's own time when the status was sent, milliseconds.", 'number'),
  'X-Svc-Session-Id': header('The X-Session-ID of the request, or else the open session of its end user.'),
  'X-Svc-Route': header(
    'What was tried at providers, in turn, and what answered: `openai/gpt-4o;429, anthropic/claude-sonnet-4-5`.',
  ),
  'Server-Timing': header(
    "The gateway's own time by phase: auth, admit, inspect, and outside where outside detectors were asked.",
  ),
  'X-Svc-Idempotent-Replay': header(
    '`true` where the answer is that to an earlier request with the same Idempotency-Key.',
  ),
  'X-RateLimit-Limit-Requests': header("`requests` of the key's rate limit.", 'integer'),
  'X-RateLimit-Remaining-Requests': header('Requests that would be admitted now.', 'integer'),
  'X-RateLimit-Reset-Requests': header('When the bucket is full again, such as `250ms`, `1s` or `6m0s`.'),
  ETag: header('The version of the policy, in quotation marks.'),
  'X-RateLimit-Limit-Tokens': header("`tokens` of the key's token limit, where it has one.", 'integer'),
  'X-RateLimit-Remaining-Tokens': header(
    'Tokens that would be admitted now, what running requests hold taken off.',
    'integer',
  ),
  'X-RateLimit-Reset-Tokens': header('When all of them are there again, such as `250ms`, `1s` or `6m0s`.'),
  'Retry-After': header('Seconds, rounded up.', 'integer'),
  'X-Should-Retry': header('`false` where OpenAI clients should not repeat the request of their own accord.'),
};

const ON_ALL = ['X-Svc-Request-Id', 'X-Request-Id', 'X-Trace-Id'];
const ON_INSPECTED = [
  ...ON_ALL,
  'X-Svc-Threat-Score',
  'X-Svc-Processing-Time',
  'X-Svc-Session-Id',
  'X-Svc-Route',
  'Server-Timing',
  'X-Svc-Idempotent-Replay',
  'X-RateLimit-Limit-Requests',
  'X-RateLimit-Remaining-Requests',
  'X-RateLimit-Reset-Requests',
  'X-RateLimit-Limit-Tokens',
  'X-RateLimit-Remaining-Tokens',
  'X-RateLimit-Reset-Tokens',
];
/** Headers that an error adds; those of 400 and 409 only on routes that inspect. */
const BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  400: ['X-Should-Retry'],
  409: ['Retry-After', 'X-Should-Retry'],
  429: ['Retry-After', 'X-Should-Retry'],
  503: ['Retry-After'],
  504: ['X-Should-Retry'],
};
const EXAMPLES: Readonly<Record<number, Json>> = {
  400: { blocked: { summary: 'A blocked request', value: examples.blocked } },
  429: { exceeded: { summary: "The key's rate limit is exceeded", value: examples.rateLimited } },
};

export function jsonAnswer(description: string, schema: Json, example?: unknown): Json {
  const content = { 'application/json': { schema, ...(example !== undefined && { example }) } };
  return { description, headers: headerRefs(ON_ALL), content };
}

/** A JSON answer of a route that inspects. */
export function inspectedResponse(description: string, schema: Json, example: unknown): Json {
  return { ...jsonAnswer(description, schema, example), headers: headerRefs(ON_INSPECTED) };
}

/** A completion, whole or as a stream. */
export function chatAnswer(
  completion: Json,
  chunk: Json,
  shown: { whole: unknown; stream: string },
  said = { what: 'A completion', end: 'the stream ends with `data: [DONE]`' },
): Json {
  return {
    description: `${said.what}. With \`stream: true\` an event stream; a failure after this status is one error event.`,
    headers: headerRefs(ON_INSPECTED),
    content: {
      'application/json': { schema: completion, example: shown.whole },
      'text/event-stream': {
        schema: {
          type: 'string',
          description: `Each event is \`data: \` and the JSON of a chunk (${chunk.$ref}); ${said.end}.`,
        },
        example: shown.stream,
      },
    },
  };
}

/** How an API tells errors. */
interface ErrorForm {
  readonly schema: Json;
  typeOf(code: ErrorCode): string;
  readonly examples: Readonly<Record<number, Json>>;
}

const OPENAI_FORM: ErrorForm = {
  schema: schemaRef(errorResponseSchema),
  typeOf: (code) => ERRORS[code].type,
  examples: EXAMPLES,
};

/** The form of Anthropic's API. */
export const ANTHROPIC_FORM: ErrorForm = {
  schema: schemaRef(messagesErrorSchema),
  typeOf: (code) => messagesErrorType(ERRORS[code].status),
  examples: { 400: { blocked: { summary: 'A blocked request', value: examples.messagesBlocked } } },
};

/** An answer for each status among the codes, which it lists; statuses and types are the catalogue's. */
export function errorResponses(
  codes: readonly ErrorCode[],
  inspected = false,
  { schema, typeOf, examples: shownBy }: ErrorForm = OPENAI_FORM,
): Record<string, Json> {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const listed = codes.filter((code) => ERRORS[code].status === status);
      const lines = listed.map((code) => `\`${code}\` (${typeOf(code)}): ${WHEN[code]}`);
      const headers = [
        ...(inspected ? ON_INSPECTED : ON_ALL),
        ...(inspected || (status !== 400 && status !== 409) ? (BY_STATUS[status] ?? []) : []),
      ];
      const shown = inspected && shownBy[status] !== undefined ? { examples: shownBy[status] } : {};
      const content = { 'application/json': { schema, ...shown } };
      return [String(status), { description: lines.join('\n\n'), headers: headerRefs(headers), content }];
    }),
  );
}

export const PASSED_ON = passedOn(OPENAI_FORM);
export const PASSED_ON_BY_ANTHROPIC = passedOn(ANTHROPIC_FORM);

function passedOn({ schema }: ErrorForm): Json {
  return {
    description:
      'Another refusal of the provider, with its own status and message, and its type and code where it has any.',
    headers: headerRefs(ON_INSPECTED),
    content: { 'application/json': { schema } },
  };
}

/** When each code is answered; docs/api.md says the same, and a test compares the two. */
export const WHEN: Readonly<Record<ErrorCode, string>> = {
  invalid_json:
    'The body is not JSON in UTF-8, repeats a key, is nested deeper than 64 levels, or holds more than 80,000 strings, objects and arrays.',
  invalid_value: 'A field or header has a value that is not allowed, or a form cannot be read; `param` names it.',
  missing_field: 'A required field is absent; `param` names it.',
  unknown_provider: 'The prefix of `model` names no provider.',
  content_filter: 'The policy of the key blocked the request; `svc` tells why.',
  invalid_api_key: 'The key is missing, malformed, unknown, disabled, expired or revoked, or two headers differ.',
  insufficient_permissions:
    'The key lacks the permission, may not be used from this address, or may not use the model; or the request came past the distribution where only that is let in.',
  not_found: 'There is no such path, no such key, or no such running stream.',
  model_not_found: 'No provider here offers the model.',
  method_not_allowed: 'The path has no such method; `Allow` lists those it has.',
  idempotency_conflict:
    'The `Idempotency-Key` was used with another body, or its first request is still running (`Retry-After`).',
  conflict:
    'The change would leave no active key with the permission `admin`, or others keep changing the same at the same time.',
  version_conflict: '`If-Match` names another version than the present one.',
  request_timeout:
    'The body comes too slowly: the plain HTTP server waits 50 s, and a second more for each 100 KB that have come; for the head 20 s.',
  request_too_large: 'The body is larger than allowed: 6 MiB, unless the local run sets another limit.',
  unsupported_media_type:
    'The body is not declared as `application/json`, or as `multipart/form-data` where a file is sent; or it is compressed.',
  headers_too_large: 'More than 200 headers, or 16 KiB of them.',
  rate_limit_exceeded: "A limit of the key is exceeded (`details` says until when), or the provider's is.",
  insufficient_quota: 'The budget of the key, or of one of its tags, is spent; `details` says until when.',
  request_cancelled:
    'A running stream was ended by [its id](#cancelling-a-stream): its last event says so. Never the status of an answer.',
  internal_error: "The gateway's own fault; the message holds the request id.",
  provider_error: "The provider failed, could not be reached, or refused the gateway's credentials.",
  provider_timeout:
    'The provider did not answer in time, or its answer took too long. It may have billed the call all the same.',
  unavailable: 'A store is out of reach.',
};

/** The same answers with the header in which Anthropic's clients look for the id. */
export function withRequestId(answers: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, withHeaders(answer, ['Request-Id'])]),
  );
}

/** An answer with more headers. */
export function withHeaders(answer: Json, names: readonly string[]): Json {
  return { ...answer, headers: { ...(answer.headers as Json), ...headerRefs(names) } };
}

function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function header(description: string, type = 'string'): Json {
  return { description, schema: { type } };
}
