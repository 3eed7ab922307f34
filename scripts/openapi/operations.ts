import * as z from 'zod';
import { playgroundOperations } from '../../functions/admin-api/routes/playground.ts';
import { type LazyOperation, OPERATIONS, type Operation, toFields } from '../../functions/contract/index.ts';
import type { GatewayOperation } from '../../functions/gateway/operations/gateway-operation.ts';
import { GATEWAY_OPERATIONS } from '../../functions/gateway/operations/index.ts';
import { errorShapeOf } from '../../functions/translation/index.ts';
import { inlineSchema, type Json, schemaRef } from './components.ts';
import {
  ANTHROPIC_FORM,
  BEDROCK_FORM,
  BODY_ERRORS,
  type ErrorForm,
  errorResponses,
  KEY_ERRORS,
  OPENAI_FORM,
  PLAIN_FORM,
  passedOn,
} from './errors.ts';
import { headerRefs, ON_ALL, ON_INSPECTED, trackingHeaders } from './headers.ts';

/** An operation with its schemas. */
export interface Documented
  extends Omit<Operation, 'access' | 'scope'>,
    Pick<LazyOperation, 'access'>,
    Partial<Pick<Operation, 'scope'>> {
  readonly id: string;
  /** Whether it is served by the pipeline, which inspects. */
  readonly isInspected: boolean;
  readonly errorForm: ErrorForm;
}

/** Every operation of the gateway and of the admin and analytics API, in the order of the document. */
export const DOCUMENTED: readonly Documented[] = [
  ...(await Promise.all(Object.entries(GATEWAY_OPERATIONS).map(([id, operation]) => toDocumented(id, operation)))),
  ...Object.entries({ ...OPERATIONS, ...playgroundOperations }).map(([id, operation]) => ({
    ...{ id, isInspected: false, errorForm: PLAIN_FORM },
    ...operation,
  })),
];

async function toDocumented(id: string, operation: GatewayOperation): Promise<Documented> {
  const { method, path, tag, summary, description, access, schemas } = operation;
  const isInspected = !('handlers' in operation);
  const shape = 'errorShape' in operation ? operation.errorShape : undefined;
  const ofApi = new Map([
    [errorShapeOf('anthropic'), ANTHROPIC_FORM],
    [errorShapeOf('bedrock'), BEDROCK_FORM],
  ]);
  const errorForm = (shape && ofApi.get(shape)) ?? (isInspected ? OPENAI_FORM : PLAIN_FORM);
  const head = { method, path, tag, summary, ...(description !== undefined && { description }), access };
  return { id, ...head, ...(await schemas()), isInspected, errorForm };
}

/** The path items of all operations. */
export function documentPaths(): Record<string, Json> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of DOCUMENTED) {
    const { method, path, params } = operation;
    paths[path] ??= params === undefined ? {} : { parameters: parametersOf(params, 'path') };
    paths[path][method.toLowerCase()] = operationOf(operation);
  }
  return paths;
}

function operationOf(operation: Documented): Json {
  const { id: operationId, tag, summary, query, headers, response, otherResponses = {} } = operation;
  const description = descriptionOf(operation);
  const requestBody = requestBodyOf(operation);
  const parameters = [
    ...(query === undefined ? [] : parametersOf(query, 'query')),
    ...(operation.isInspected ? trackingHeaders(requestBody !== undefined) : []),
    ...(headers === undefined ? [] : parametersOf(headers, 'header')),
  ];
  const successes = Object.entries({ [response.status ?? 200]: response, ...otherResponses });
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== '' && { description }),
    security: securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: {
      ...Object.fromEntries(successes.map(([status, success]) => [status, responseOf(success, operation)])),
      ...errorsOf(operation),
    },
  };
}

const OF_TEAM = {
  owner: 'Owners of a team',
  member: 'Owners and members of a team',
  viewer: 'Owners, members and viewers of a team',
} as const;

function descriptionOf({ description = '', access, scope, query }: Documented): string {
  const permission = access === 'records' ? 'security' : access;
  const isPermission = !['any key', 'session', 'none'].includes(permission);
  return [
    description,
    isPermission && `Needs the permission \`${permission}\`.`,
    scope !== undefined && scope !== 'deployment' && `${OF_TEAM[scope]} may call it for the data of the team.`,
    access === 'analytics' && query?.def.catchall !== undefined && 'An unknown parameter is a 400.',
  ]
    .filter((text) => text)
    .join(' ');
}

function securityOf({ access }: Documented): Json[] {
  const anyKey = ['bearer', 'svcApiKey', 'apiKey', 'googApiKey'].map((name) => ({ [name]: [] }));
  const bySession = [{ dashboardSession: [] }];
  if (access === 'none') return [];
  if (access === 'session') return bySession;
  return ['admin', 'security', 'operator', 'analytics', 'approvals', 'records'].includes(access)
    ? [...anyKey, ...bySession]
    : anyKey;
}

function requestBodyOf({ body, form }: Documented): Json | undefined {
  if (body === undefined && form === undefined) return undefined;
  const content = {
    ...(body !== undefined && { 'application/json': { schema: schemaRef(body.schema), examples: body.examples } }),
    ...(form !== undefined && { 'multipart/form-data': { schema: inlineSchema(form) } }),
  };
  return { required: body?.isOptional !== true, content };
}

function errorsOf({ access, body, form, query, errors = [], errorForm }: Documented): Record<string, Json> {
  const codes = [
    ...(body !== undefined || form !== undefined ? BODY_ERRORS : []),
    ...(query !== undefined && access !== 'none' ? ['invalid_value' as const] : []),
    ...errors,
    ...(access === 'none' ? [] : access === 'session' ? SESSION_ERRORS : KEY_ERRORS),
  ];
  const isForwarded = errors.includes('provider_error');
  return {
    ...errorResponses([...new Set(codes)], errorForm),
    ...(isForwarded && { '4XX': passedOn(errorForm) }),
  };
}

const SESSION_ERRORS = ['internal_error', 'unavailable'] as const;

function responseOf(
  { description, body, example, stream, content = {}, headers = [] }: Operation['response'],
  { isInspected }: Documented,
): Json {
  const isRedirect = body === undefined && stream === undefined && Object.keys(content).length === 0;
  if (isRedirect) return { description, headers: headerRefs(headers) };
  const isEither = stream !== undefined && body !== undefined;
  return {
    description: isEither
      ? `${description} With \`stream: true\` an event stream. A failure after the status is an error event.`
      : description,
    headers: headerRefs([...(isInspected ? ON_INSPECTED : ON_ALL), ...headers]),
    content: {
      ...(body !== undefined && {
        'application/json': { schema: schemaOf(body), ...(example !== undefined && { example }) },
      }),
      ...content,
      ...(stream !== undefined && { 'text/event-stream': streamOf(stream) }),
    },
  };
}

function schemaOf(body: z.ZodType | readonly z.ZodType[]): Json {
  return body instanceof z.ZodType ? schemaRef(body) : { anyOf: body.map(schemaRef) };
}

function streamOf({ event, example, end }: NonNullable<Operation['response']['stream']>): Json {
  const description = `Each event is \`data: \` and the JSON of a chunk (${schemaRef(event).$ref}); ${end}.`;
  return { schema: { type: 'string', description }, example };
}

/** The parameters of a schema's fields. */
function parametersOf(schema: z.ZodObject, place: 'path' | 'query' | 'header'): Json[] {
  return toFields(schema).map(({ name, isRequired, description, schema: { example, ...field } }) => ({
    ...{ name, in: place, description, schema: field },
    ...(isRequired && { required: true }),
    ...(example !== undefined && { example }),
  }));
}

/** The schemas of all operations, those of requests apart. */
export function documentedSchemas() {
  return {
    requests: DOCUMENTED.flatMap(({ body }) => body?.schema ?? []),
    responses: DOCUMENTED.flatMap(({ response, otherResponses = {} }) =>
      [response, ...Object.values(otherResponses)].flatMap(({ body, stream }) =>
        [body ?? [], stream?.event ?? []].flat(),
      ),
    ),
  };
}
