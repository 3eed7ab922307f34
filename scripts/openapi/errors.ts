import { isDeepStrictEqual } from 'node:util';
import { REQUEST_ID, svcOf } from '../../functions/gateway/operations/examples.ts';
import { ERRORS, type ErrorCode } from '../../functions/kernel/errors/index.ts';
import { messagesErrorSchema } from '../../functions/translation/protocols/anthropic-messages/messages-schema.ts';
import { bedrockErrorSchema } from '../../functions/translation/protocols/bedrock/converse-schema.ts';
import { bedrockException, messagesErrorType } from '../../functions/translation/protocols/error-shapes.ts';
import { errorResponseSchema } from '../../functions/translation/protocols/openai-chat/chat-response-schema.ts';
import { type Json, schemaRef } from './components.ts';
import { headerRefs, ON_ALL, ON_INSPECTED } from './headers.ts';

/** Errors of every call that needs a key. */
export const KEY_ERRORS: readonly ErrorCode[] = [
  'invalid_api_key',
  'insufficient_permissions',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

/** Errors of every call with a body. */
export const BODY_ERRORS: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_value',
  'missing_field',
  'request_timeout',
  'request_too_large',
  'unsupported_media_type',
];

const blocked = {
  error: {
    message: 'The request was blocked by the security policy of this API key.',
    type: 'security_error',
    param: 'messages[0].content',
    code: 'content_filter',
  },
  svc: {
    ...svcOf({ input: ['messages[0]'], output: [] }),
    threat_score: 1,
    detected_threats: [
      {
        type: 'prompt_injection',
        category: 'test_text',
        score: 1,
        severity: 'low',
        action: 'block',
        rule: 'test-text/block',
        message: 'The fixed test text for the action block.',
        location: { part: 'input', message: 0, field: 'messages[0].content', start: 0, end: 19 },
        owasp: 'LLM01:2025',
        atlas: null,
      },
    ],
    action: 'block',
  },
};

const messagesBlocked = {
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message: blocked.error.message,
    code: blocked.error.code,
    param: blocked.error.param,
  },
  request_id: REQUEST_ID,
  svc: blocked.svc,
};

const rateLimited = {
  error: {
    message: 'Rate limit of 1000 requests per hour exceeded. Try again in 4 s.',
    type: 'rate_limit_error',
    param: null,
    code: 'rate_limit_exceeded',
    details: { limit: 1000, remaining: 0, resetTime: '2026-11-21T09:30:03.600Z' },
  },
};

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
  400: { blocked: { summary: 'A blocked request', value: blocked } },
  429: { exceeded: { summary: "The key's rate limit is exceeded", value: rateLimited } },
};

/** The error body of an API. */
export interface ErrorForm {
  /** Begins the names of its responses. */
  readonly name: string;
  readonly schema: Json;
  typeOf(code: ErrorCode): string;
  readonly headers: readonly string[];
  readonly examples: Readonly<Record<number, Json>>;
}

/** Of routes that inspect nothing. */
export const PLAIN_FORM: ErrorForm = {
  name: '',
  schema: schemaRef(errorResponseSchema),
  typeOf: (code) => ERRORS[code].type,
  headers: ON_ALL,
  examples: {},
};

/** The error body of OpenAI's API. */
export const OPENAI_FORM: ErrorForm = {
  ...PLAIN_FORM,
  name: 'Inspected',
  headers: ON_INSPECTED,
  examples: EXAMPLES,
};

/** The error body of Anthropic's API. */
export const ANTHROPIC_FORM: ErrorForm = {
  name: 'Anthropic',
  schema: schemaRef(messagesErrorSchema),
  typeOf: (code) => messagesErrorType(ERRORS[code].status),
  headers: [...ON_INSPECTED, 'Request-Id'],
  examples: { 400: { blocked: { summary: 'A blocked request', value: messagesBlocked } } },
};

/** The error body of Amazon Bedrock's API. */
export const BEDROCK_FORM: ErrorForm = {
  name: 'Bedrock',
  schema: schemaRef(bedrockErrorSchema),
  typeOf: (code) => bedrockException(ERRORS[code].status),
  headers: [...ON_INSPECTED, 'X-Amzn-RequestId', 'X-Amzn-ErrorType'],
  examples: {},
};

/** The responses under `components`, by name. */
const shared = new Map<string, Json>();

/** The responses that `errorResponses` and `passedOn` have referred to. */
export function errorComponents(): Record<string, Json> {
  return Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A reference to a response for each status of the codes; its description lists them. */
export function errorResponses(codes: readonly ErrorCode[], form: ErrorForm = PLAIN_FORM): Record<string, Json> {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const listed = codes.filter((code) => ERRORS[code].status === status);
      const lines = listed.map((code) => `\`${code}\` (${form.typeOf(code)}): ${WHEN[code]}`);
      const isPlain = form === PLAIN_FORM;
      const headers = [
        ...form.headers,
        ...(!isPlain || (status !== 400 && status !== 409) ? (BY_STATUS[status] ?? []) : []),
      ];
      const shown = form.examples[status] === undefined ? {} : { examples: form.examples[status] };
      const content = { 'application/json': { schema: form.schema, ...shown } };
      const response = { description: lines.join('\n\n'), headers: headerRefs(headers), content };
      return [String(status), shareResponse(`${form.name}${nameOf(listed)}`, response)];
    }),
  );
}

/** A reference to the response for a provider's other refusals. */
export function passedOn(form: ErrorForm): Json {
  return shareResponse(`${form.name}PassedOn`, {
    description:
      'Another refusal by the provider, with the provider’s status and message, and its type and code if it has any.',
    headers: headerRefs(form.headers),
    content: { 'application/json': { schema: form.schema } },
  });
}

/** `ModelNotFoundOrNotFound`; the many codes of a body have a name together. */
function nameOf(codes: readonly ErrorCode[]): string {
  if (codes.length > 2) return codes.includes('content_filter') ? 'InvalidOrBlocked' : 'InvalidBody';
  return codes
    .map((code) => code.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase()))
    .sort()
    .join('Or');
}

function shareResponse(name: string, response: Json): Json {
  const known = shared.get(name);
  if (known !== undefined && !isDeepStrictEqual(known, response)) throw new Error(`two responses are called ${name}`);
  shared.set(name, response);
  return { $ref: `#/components/responses/${name}` };
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
