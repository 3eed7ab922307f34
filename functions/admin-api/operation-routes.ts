import type * as z from 'zod';
import type { Operation } from '../contract/index.ts';
import { GatewayError, toValidationError } from '../kernel/errors/index.ts';
import {
  jsonResponse,
  type OutgoingResponse,
  type Route,
  type RoutedRequest,
  readJsonBody,
  readOptionalJsonBody,
} from '../kernel/http/index.ts';
import type { JsonDocument } from '../kernel/json/index.ts';
import { refuseNames } from '../translation/index.ts';
import { type AccessDeps, type AuthorizedCaller, checkCsrf, requirePermission, sessionOf } from './access.ts';
import type { Session } from './sign-in.ts';
import { teamDeps } from './team-deps.ts';

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type BodyOf<Op extends Operation> = Op['body'] extends { readonly isDocument: true }
  ? JsonDocument
  : Op['body'] extends { readonly schema: infer Schema }
    ? Parsed<Schema>
    : undefined;

/** A request of an operation, parsed by its schemas. */
export interface OperationInput<Op extends Operation> {
  readonly params: Parsed<Op['params']>;
  readonly query: Parsed<Op['query']>;
  readonly headers: Parsed<Op['headers']>;
  readonly body: BodyOf<Op>;
  /** Of an operation that needs a permission. */
  readonly caller: Op['access'] extends 'session' | 'none' ? undefined : AuthorizedCaller;
  /** Of an operation with the access `session`, if the request has one. */
  readonly session: Session | undefined;
  readonly routed: RoutedRequest;
}

/** A response with headers or cookies. */
export class ResponseWith<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[] | undefined;

  constructor(body: Body, headers: Readonly<Record<string, string>>, cookies?: readonly string[]) {
    this.body = body;
    this.headers = headers;
    this.cookies = cookies;
  }
}

/** A response that is no JSON. */
export class TextResponse {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(text: string, headers: Readonly<Record<string, string>>) {
    this.text = text;
    this.headers = headers;
  }
}

type ResponseBody<Op extends Operation> = Op['response']['body'] extends z.ZodType
  ? z.output<Op['response']['body']>
  : Op['response']['body'] extends readonly z.ZodType[]
    ? z.output<Op['response']['body'][number]>
    : '';
type Handle<Op extends Operation, Deps> = (
  input: OperationInput<Op>,
  deps: Deps,
) => Promise<
  ResponseBody<Op> | ResponseWith<ResponseBody<Op>> | (Op['response']['content'] extends object ? TextResponse : never)
>;

/** What an operation does besides parsing. */
export interface Handler<Op extends Operation, Deps> {
  /** Before the body is read, of an operation that serves everyone. */
  readonly admit?: (routed: RoutedRequest, deps: Deps) => Promise<void>;
  /** Adds issues of a body that has the right form. */
  readonly check?: (body: BodyOf<Op>, context: z.RefinementCtx) => void;
  readonly handle: Handle<Op, Deps>;
}

/** A handler for each operation. */
export type Handlers<Operations extends Readonly<Record<string, Operation>>, Deps> = {
  readonly [Id in keyof Operations]: Handle<Operations[Id], Deps> | Handler<Operations[Id], Deps>;
};

/** The routes of some operations, in their order. */
export function operationRoutes<Operations extends Readonly<Record<string, Operation>>, Deps extends AccessDeps>(
  operations: Operations,
  handlers: Handlers<Operations, Deps>,
  deps: Deps,
): Route[] {
  return Object.entries(operations).map(([id, operation]) => {
    const handler = handlers[id] as Handle<Operation, Deps> | Handler<Operation, Deps>;
    return operationRoute(operation, typeof handler === 'function' ? { handle: handler } : handler, deps);
  });
}

function operationRoute<Deps extends AccessDeps>(
  operation: Operation,
  { admit, check, handle }: Handler<Operation, Deps>,
  deps: Deps,
): Route {
  const { method, path, params, query, headers, body, response } = operation;
  const schema = check === undefined ? body?.schema : body?.schema.superRefine(check as never);
  return {
    method,
    path,
    async handle(routed) {
      let access = await accessOf(operation, routed, deps);
      await admit?.(routed, deps);
      const { request } = routed;
      const input = {
        params: params?.parse(routed.params),
        query: query && readQuery(request.url, query),
        headers: headers && readHeaders(request.headers, headers),
        body: undefined as unknown,
      };
      if (body !== undefined) {
        input.body = await readBody(routed, { ...body, schema: schema as z.ZodType });
        // A slow body would keep a revoked key in use.
        access = await accessOf(operation, routed, deps);
      }
      const scoped = access.caller?.teamId === undefined ? deps : teamDeps(deps, access.caller.teamId);
      const result = await handle({ ...input, ...access, routed } as unknown as OperationInput<Operation>, scoped);
      return toResponse(response.status ?? 200, result);
    },
  };
}

/** Requires what the operation needs. @throws GatewayError 401 or 403 */
async function accessOf(
  { access, scope }: Operation,
  routed: RoutedRequest,
  deps: AccessDeps,
): Promise<{ readonly caller?: AuthorizedCaller; readonly session?: Session | undefined }> {
  if (access === 'none') return {};
  if (access !== 'session') return { caller: await requirePermission(routed, { access, scope }, deps) };
  const session = await sessionOf(routed.request, deps);
  if (session !== undefined) checkCsrf(routed.request, session);
  return { session };
}

async function readBody({ request }: RoutedRequest, body: NonNullable<Operation['body']>): Promise<unknown> {
  const document = await (body.isOptional ? readOptionalJsonBody(request) : readJsonBody(request, body.maxBytes));
  if (body.isDocument) return document;
  // The schemas would silently drop them.
  refuseNames(document.value, 'other');
  const result = body.schema.safeParse(document.value);
  if (!result.success) throw toValidationError(result.error, document.value);
  return result.data;
}

/** The query parameters of a URL. @throws GatewayError `invalid_value` with the first invalid one */
export function readQuery(url: string, schema: z.ZodObject): Record<string, unknown> {
  const given = [...new URL(url).searchParams];
  const isStrict = schema.def.catchall !== undefined;
  const isFirst = ([param]: [string, string], at: number) => given.findIndex(([other]) => other === param) === at;
  const twice = given.find((one, at) => !isFirst(one, at) && !isList(schema, one[0]))?.[0];
  if (isStrict && twice !== undefined) throw wrong(twice, `'${shorten(twice)}' occurs twice.`);
  const valuesFor = (param: string, first: string) =>
    isList(schema, param) ? given.flatMap(([other, value]) => (other === param ? [value] : [])) : first;
  const first = given.filter(isFirst).map(([param, value]) => [param, valuesFor(param, value)]);
  const result = schema.safeParse(Object.fromEntries(first));
  if (result.success) return result.data;
  const issue = result.error.issues[0] as z.core.$ZodIssue;
  if (issue.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys;
    throw wrong(unknown, `Unknown parameter '${shorten(unknown)}'.`);
  }
  const param = String(issue.path[0]);
  throw wrong(param, `'${param}'${isStrict ? ':' : ''} ${issue.message}.`);
}

/** Whether a parameter may be repeated. */
function isList({ shape }: z.ZodObject, param: string): boolean {
  const field = Object.hasOwn(shape, param) ? (shape[param] as z.ZodType) : undefined;
  return field?.meta()?.wire?.type === 'array';
}

function readHeaders(given: RoutedRequest['request']['headers'], schema: z.ZodObject): Record<string, unknown> {
  const values = Object.keys(schema.shape).map((name) => [name, given.get(name) ?? undefined]);
  const named = Object.fromEntries(values);
  const result = schema.safeParse(named);
  if (!result.success) throw toValidationError(result.error, named);
  return result.data;
}

function toResponse(status: number, result: unknown): OutgoingResponse {
  if (result instanceof TextResponse) return { status, headers: { ...result.headers }, body: result.text };
  if (!(result instanceof ResponseWith)) return jsonResponse(status, result);
  const { body, headers, cookies } = result;
  const response = body === '' ? { status, headers: { ...headers }, body } : jsonResponse(status, body, headers);
  return cookies === undefined ? response : { ...response, cookies };
}

/** The error of a query parameter. */
export function wrong(param: string, message: string): GatewayError {
  return new GatewayError('invalid_value', message, { param: shorten(param) });
}

function shorten(param: string): string {
  return param.length <= 120 ? param : `${param.slice(0, 120)}…`;
}
