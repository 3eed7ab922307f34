import type * as z from 'zod';
import type { Operation } from '../../functions/contract/operation.ts';
import { toFields } from '../../functions/contract/to-fields.ts';
import type { ErrorCode } from '../../functions/core/base/errors.ts';
import { type Json, schemaRef } from './components.ts';
import { errorResponses, headerRefs, jsonResponse, withHeaders } from './responses.ts';

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

/** The path items of some operations. */
export function pathsOf(operations: Readonly<Record<string, Operation>>): Record<string, Json> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const { method, path, params } = operation;
    paths[path] ??= params === undefined ? {} : { parameters: parametersOf(params, 'path') };
    paths[path][method.toLowerCase()] = operationOf(id, operation);
  }
  return paths;
}

function operationOf(operationId: string, operation: Operation): Json {
  const { tag, summary, query: ofQuery, headers, body, response } = operation;
  const description = descriptionOf(operation);
  const parameters = [
    ...(headers === undefined ? [] : parametersOf(headers, 'header')),
    ...(ofQuery === undefined ? [] : parametersOf(ofQuery, 'query')),
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== '' && { description }),
    security: securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { ...jsonBody(schemaRef(body.schema), body.examples), required: body.isOptional !== true },
    }),
    responses: {
      [response.status ?? 200]: responseOf(response),
      ...errorResponses(errorsOf(operation)),
    },
  };
}

function descriptionOf({ description = '', access, query: ofQuery }: Operation): string {
  const permission = { admin: 'admin', analytics: 'analytics', records: 'admin', session: undefined, none: undefined }[
    access
  ];
  return [
    description,
    permission && `Needs the permission \`${permission}\`.`,
    access === 'analytics' && ofQuery?.def.catchall !== undefined && 'An unknown parameter is a 400.',
  ]
    .filter((text) => text)
    .join(' ');
}

function securityOf({ access }: Operation): Json[] {
  if (access === 'none') return [];
  return access === 'session' ? bySession() : [...anyKey(), ...bySession()];
}

function errorsOf({ access, body, query: ofQuery, errors = [] }: Operation): ErrorCode[] {
  const isOpen = access === 'session' || access === 'none';
  return [
    ...(body !== undefined ? BODY_ERRORS : ofQuery !== undefined && !isOpen ? ['invalid_value' as const] : []),
    ...errors,
    ...(isOpen ? ['internal_error' as const, 'unavailable' as const] : KEY_ERRORS),
  ];
}

function responseOf({ description, body, example, headers = [] }: Operation['response']): Json {
  if (body === undefined) return { description, headers: headerRefs(headers) };
  const schema = Array.isArray(body) ? { oneOf: body.map(schemaRef) } : schemaRef(body as z.ZodType);
  return withHeaders(jsonResponse(description, schema, example), headers);
}

/** The parameters of a schema's fields. */
function parametersOf(schema: z.ZodObject, place: 'path' | 'query' | 'header'): Json[] {
  return toFields(schema).map(({ name, isRequired, description, schema: { example, ...field } }) => ({
    ...{ name, in: place, description, schema: field },
    ...(isRequired && { required: true }),
    ...(example !== undefined && { example }),
  }));
}

/** The schemas of some operations, those of requests apart. */
export function schemasOf(operations: Readonly<Record<string, Operation>>) {
  const all = Object.values(operations);
  return {
    requests: all.flatMap(({ body }) => body?.schema ?? []),
    responses: all.flatMap(({ response }) => response.body ?? []),
  };
}
