import type { ErrorCode } from '../../functions/core/base/errors.ts';
import type { Json } from './components.ts';

/** Errors of every call that needs a key. */
export const KEY_ERRORS: ErrorCode[] = [
  'invalid_api_key',
  'insufficient_permissions',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

/** Errors of every call with a body. */
export const BODY_ERRORS: ErrorCode[] = [
  'invalid_json',
  'invalid_value',
  'missing_field',
  'request_timeout',
  'request_too_large',
  'unsupported_media_type',
];

/** Errors of every call of a model. */
export const GENERATION_ERRORS: ErrorCode[] = [
  ...BODY_ERRORS,
  'unknown_provider',
  'content_filter',
  ...KEY_ERRORS,
  'model_not_found',
  'idempotency_conflict',
  'rate_limit_exceeded',
  'insufficient_quota',
  'provider_error',
  'provider_overloaded',
  'request_cancelled',
  'provider_timeout',
];

/** The headers that describe a request, by their names under `components/parameters`. */
export function trackingHeaders(): Json[] {
  const names = ['XSessionID', 'XEndUserID', 'XUserID', 'XEnvironment', 'XAppVersion', 'IdempotencyKey'];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** A key in any one of the headers. */
export function anyKey(): Json[] {
  return ['bearer', 'svcApiKey', 'apiKey', 'googApiKey'].map((name) => ({ [name]: [] }));
}

/** The cookie of a dashboard session. */
export function bySession(): Json[] {
  return [{ dashboardSession: [] }];
}

export function jsonBody(schema: Json, shown: Json): Json {
  return { required: true, content: { 'application/json': { schema, examples: shown } } };
}

export function query(name: string, description: string, schema: Json): Json {
  return { name, in: 'query', description, schema };
}

/** The `{id}` of a path. */
export function pathId(description: string): Json {
  return { name: 'id', in: 'path', required: true, description, schema: { type: 'string' } };
}

/** `limit` and `cursor` of a list. */
export const PAGE_PARAMETERS: readonly Json[] = [
  query('limit', 'Most entries on a page.', { type: 'integer', minimum: 1, maximum: 100, default: 50 }),
  query('cursor', '`nextCursor` of the previous page.', { type: 'string' }),
];

/** The fields that all operations of administrators share. */
export function adminOperation(operationId: string, summary: string, description?: string): Json {
  const text = `${description === undefined ? '' : `${description} `}Needs the permission \`admin\`.`;
  return { operationId, tags: ['Admin'], summary, description: text, security: [...anyKey(), ...bySession()] };
}
