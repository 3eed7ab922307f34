import { ERRORS, type ErrorCode } from '../../functions/core/base/errors.ts';
import { messagesErrorSchema } from '../../functions/core/protocols/anthropic-messages/messages-schema.ts';
import { messagesErrorType } from '../../functions/core/protocols/error-shapes.ts';
import { errorResponseSchema } from '../../functions/core/protocols/openai-chat/chat-response-schema.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';

/** Response headers under `components/headers`. Names are case-insensitive. */
export const HEADERS: Readonly<Record<string, Json>> = {
  'X-Svc-Request-Id': header('Id of the request.'),
  'X-Request-Id': header("The same id, for OpenAI's SDKs."),
  'X-Trace-Id': header('Trace of the request, 32 hexadecimal digits.'),
  'Request-Id': header("The same id, for Anthropic's SDKs; under `/v1/messages`."),
  'X-Svc-Threat-Score': header('Threat score, 0 to 1, at the time of the status; on a stream, of the input.', 'number'),
  'X-Svc-Action': header(
    'The action, if the response is plain text or audio and has no `svc`: `allow`, `flag`, `redact` or `block`.',
  ),
  'X-Svc-Threats': header('Types of findings, if the response is plain text or audio: `indirect_injection, secret`.'),
  'X-Svc-Processing-Time': header("The gateway's own time until the status, milliseconds.", 'number'),
  'X-Svc-Session-Id': header('The session: `X-Session-ID` of the request, or the open session of its end user.'),
  'X-Svc-Route': header(
    'The targets in order of use; the last one returned the response: `openai/gpt-6-sol;429, anthropic/claude-sonnet-5`.',
  ),
  'X-Svc-Warnings': header('The number of entries in `svc.warnings`; absent if there are none.'),
  'X-Svc-Upstream-Request-Id': header("The provider's own id of its last call, for its support."),
  ...upstreamRateLimits(),
  'Server-Timing': header(
    "The gateway's own time by phase: `auth`, `admit`, `inspect`, and `outside` for outside detectors.",
  ),
  'X-Svc-Idempotent-Replay': header(
    '`true` if the response is the stored response to an earlier request with the same `Idempotency-Key`.',
  ),
  'X-RateLimit-Limit-Requests': header("`requests` of the key's rate limit.", 'integer'),
  'X-RateLimit-Remaining-Requests': header('Requests that would be admitted now.', 'integer'),
  'X-RateLimit-Reset-Requests': header('Time until the limit is full again, such as `250ms`, `1s` or `6m0s`.'),
  ETag: header('The version of the policy, in quotation marks.'),
  Location: header('The target of the redirect.'),
  'X-RateLimit-Limit-Tokens': header("`tokens` of the key's token limit, if it has one.", 'integer'),
  'X-RateLimit-Remaining-Tokens': header(
    'Tokens that would be admitted now, without those reserved by running requests.',
    'integer',
  ),
  'X-RateLimit-Reset-Tokens': header('Time until the token limit is full again, such as `250ms`, `1s` or `6m0s`.'),
  'Retry-After': header('Seconds to wait, rounded up.', 'integer'),
  'Retry-After-Ms': header("A provider's wait in milliseconds, if it sends one."),
  'X-Should-Retry': header(
    "`false` where OpenAI's SDKs must not retry automatically. At a provider's error: its value, if it sends one.",
  ),
};

/** The provider's rate limits, by the gateway's names. */
function upstreamRateLimits(): Record<string, Json> {
  const described = {
    Limit: 'limit',
    Remaining: 'rest of the limit',
    Reset: 'time until the limit is full again, or when',
  };
  const kinds = ['Requests', 'Tokens', 'Input-Tokens', 'Output-Tokens'];
  const entries = Object.entries(described).flatMap(([value, what]) =>
    kinds.map((kind) => [
      `X-Upstream-RateLimit-${value}-${kind}`,
      header(`The provider's ${what}, of ${kind.toLowerCase().replace('-', ' ')}, if it reports one.`),
    ]),
  );
  return Object.fromEntries(entries);
}

const ON_ALL = ['X-Svc-Request-Id', 'X-Request-Id', 'X-Trace-Id'];
const ON_INSPECTED = [
  ...ON_ALL,
  'X-Svc-Threat-Score',
  'X-Svc-Processing-Time',
  'X-Svc-Session-Id',
  'X-Svc-Route',
  'X-Svc-Warnings',
  'X-Svc-Upstream-Request-Id',
  ...Object.keys(upstreamRateLimits()),
  'Server-Timing',
  'X-Svc-Idempotent-Replay',
  'X-RateLimit-Limit-Requests',
  'X-RateLimit-Remaining-Requests',
  'X-RateLimit-Reset-Requests',
  'X-RateLimit-Limit-Tokens',
  'X-RateLimit-Remaining-Tokens',
  'X-RateLimit-Reset-Tokens',
];
/** Headers that an error adds. Only routes that inspect add those of 400 and 409. */
const BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  400: ['X-Should-Retry'],
  409: ['Retry-After', 'X-Should-Retry'],
  429: ['Retry-After', 'Retry-After-Ms', 'X-Should-Retry'],
  503: ['Retry-After'],
  529: ['Retry-After', 'Retry-After-Ms', 'X-Should-Retry'],
  504: ['X-Should-Retry'],
};
const EXAMPLES: Readonly<Record<number, Json>> = {
  400: { blocked: { summary: 'A blocked request', value: examples.blocked } },
  429: { exceeded: { summary: "The key's rate limit is exceeded", value: examples.rateLimited } },
};

export function jsonResponse(description: string, schema: Json, example?: unknown): Json {
  const content = { 'application/json': { schema, ...(example !== undefined && { example }) } };
  return { description, headers: headerRefs(ON_ALL), content };
}

/** A JSON response of a route that inspects. */
export function inspectedResponse(description: string, schema: Json, example: unknown): Json {
  return { ...jsonResponse(description, schema, example), headers: headerRefs(ON_INSPECTED) };
}

/** A completion as JSON or as a stream. */
export function chatResponse(
  completion: Json,
  chunk: Json,
  shown: { whole: unknown; stream: string },
  text = { what: 'A completion', end: 'the stream ends with `data: [DONE]`' },
): Json {
  return {
    description: `${text.what}. With \`stream: true\` an event stream. A failure after the status is an error event.`,
    headers: headerRefs(ON_INSPECTED),
    content: {
      'application/json': { schema: completion, example: shown.whole },
      'text/event-stream': {
        schema: {
          type: 'string',
          description: `Each event is \`data: \` and the JSON of a chunk (${chunk.$ref}); ${text.end}.`,
        },
        example: shown.stream,
      },
    },
  };
}

/** The error body of an API. */
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

/** The error body of Anthropic's API. */
export const ANTHROPIC_FORM: ErrorForm = {
  schema: schemaRef(messagesErrorSchema),
  typeOf: (code) => messagesErrorType(ERRORS[code].status),
  examples: { 400: { blocked: { summary: 'A blocked request', value: examples.messagesBlocked } } },
};

/** A response for each status of the codes; its description lists them. */
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
      'Another refusal by the provider, with the provider’s status and message, and its type and code if it has any.',
    headers: headerRefs(ON_INSPECTED),
    content: { 'application/json': { schema } },
  };
}

/** When each code is returned. docs/reference/errors.md has the same text. */
export const WHEN: Readonly<Record<ErrorCode, string>> = {
  invalid_json:
    'The body is not JSON in UTF-8, repeats a key, is nested deeper than 64 levels, or has more than 250,000 strings, objects and arrays or 16,384 different names.',
  invalid_value: 'A field or header has an invalid value, or a form cannot be parsed; `param` names it.',
  missing_field: 'A required field is absent; `param` names it.',
  unknown_provider: 'The prefix of `model` is not the name of a provider.',
  content_filter: 'The policy blocked the request; `svc` has the findings.',
  invalid_api_key:
    'The key is missing, malformed, unknown, disabled, expired or revoked, or two headers have different keys.',
  insufficient_permissions:
    'The key lacks the permission, or its settings exclude the address or the model. Or the request bypassed the distribution although `onlyThroughDistribution` is set.',
  not_found: 'The path, the object or the running stream does not exist.',
  model_not_found: 'No configured provider has the model.',
  method_not_allowed: 'The path does not support the method; `Allow` lists the supported ones.',
  idempotency_conflict:
    'The `Idempotency-Key` was used with another body, or its first request is still running (`Retry-After`).',
  conflict:
    'The change would leave no active key with the permission `admin`, the object is in a state that excludes the action, or concurrent changes prevent it.',
  version_conflict: '`If-Match` does not name the current version.',
  request_timeout:
    'The body arrives too slowly: the local HTTP server waits 50 s plus one second for each 100 KB received, and 20 s for the headers.',
  request_too_large: 'The body exceeds 6 MiB, or `SVC_MAX_BODY_BYTES` of the local run.',
  unsupported_media_type:
    '`Content-Type` is not `application/json` (or `multipart/form-data` for uploads), or the body is compressed.',
  headers_too_large: 'The request has more than 200 headers, or more than 16 KiB of headers.',
  provider_overloaded: 'The provider is overloaded (its status 529), also after retries and fallbacks.',
  rate_limit_exceeded: 'A limit of the key is exceeded (`details` has the reset time), or a limit of the provider.',
  insufficient_quota: 'The budget of the key or of one of its tags is spent; `details` has the reset time.',
  request_cancelled:
    'A running stream was cancelled by its id, or the key of a running request is no longer valid for it. The code is in the last event of a stream, and a status only if the response had not begun.',
  internal_error: 'An error of the gateway; the message has the request id.',
  provider_error: "The provider failed, was unavailable, or refused the gateway's credentials.",
  provider_timeout:
    'The provider did not respond in time, or its response took too long. It may have billed the call nevertheless.',
  unavailable: 'A store is unavailable.',
};

/** The same responses with `Request-Id`, which Anthropic's SDKs read. */
export function withRequestId(responses: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, withHeaders(response, ['Request-Id'])]),
  );
}

/** A response with more headers. */
export function withHeaders(response: Json, names: readonly string[]): Json {
  return { ...response, headers: { ...(response.headers as Json), ...headerRefs(names) } };
}

/** References to headers under `components`. */
export function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function header(description: string, type = 'string'): Json {
  return { description, schema: { type } };
}
