import { sha256 } from '../../kernel/crypto/index.ts';
import { isObject, type JsonDocument, spliceJson } from '../../kernel/json/index.ts';
import type { McpRequest } from './mcp-connection.ts';
import { type McpItem, type McpKind, nameOf } from './mcp-item.ts';
import { McpError, type McpId, type McpMessage, messageFor } from './mcp-message.ts';
import { paramHeaders } from './mcp-param-headers.ts';

/** Longer than any address that servers accept. */
const MAX_URI_CHARS = 2_048;

/** What a call names. */
export interface McpTarget {
  readonly kind: McpKind;
  /** As the client calls it. */
  readonly id: string;
  /** What the rules of the policy for arguments decide by. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The member of `params` that has the id. */
  readonly field: string;
}

/** Methods that a server gets, besides its lists. */
const CALLS = {
  'tools/call': ({ name, arguments: args }: McpMessage['params']) => named('tool', name, args),
  'prompts/get': ({ name, arguments: args }: McpMessage['params']) => named('prompt', name, args),
  'resources/read': ({ uri }: McpMessage['params']) => resource(uri),
  'completion/complete': completion,
} as const;

/** Whether a method calls a server. */
export function isMcpCall(method: string): method is keyof typeof CALLS {
  return Object.hasOwn(CALLS, method);
}

/** What a call names. @throws McpError for params that name nothing */
export function readMcpTarget({ method, params }: Pick<McpMessage, 'method' | 'params'>): McpTarget {
  const target = isMcpCall(method) ? CALLS[method](params) : undefined;
  if (target !== undefined) return target;
  throw new McpError(
    'invalidParams',
    `'params' must be those of ${method}: what it names, and arguments as an object.`,
    {
      param: 'params',
    },
  );
}

function named(kind: 'tool' | 'prompt', name: unknown, args: unknown = {}): McpTarget | undefined {
  return typeof name === 'string' && isObject(args) ? { kind, id: name, args, field: 'params.name' } : undefined;
}

function resource(uri: unknown): McpTarget | undefined {
  const isUri = typeof uri === 'string' && uri !== '' && uri.length <= MAX_URI_CHARS;
  return isUri ? { kind: 'resource', id: uri, args: { uri }, field: 'params.uri' } : undefined;
}

/** A completion is of an argument of a prompt or a template. */
function completion({ ref, argument, context = {} }: McpMessage['params']): McpTarget | undefined {
  if (!isObject(ref) || !isObject(argument) || !isObject(context)) return undefined;
  const { name, value } = argument;
  const { arguments: others = {} } = context;
  if (typeof name !== 'string' || typeof value !== 'string' || !isObject(others)) return undefined;
  const args = { ...others, [name]: value };
  if (ref.type === 'ref/prompt' && typeof ref.name === 'string')
    return { kind: 'prompt', id: ref.name, args, field: 'params.ref.name' };
  if (ref.type === 'ref/resource' && typeof ref.uri === 'string')
    return { kind: 'template', id: ref.uri, args, field: 'params.ref.uri' };
  return undefined;
}

/** A call as its server gets it: under the server's own name of what it calls. */
export function toMcpRequest(
  { id, mirrored }: Pick<McpItem, 'id' | 'mirrored'>,
  message: McpMessage & { readonly id: McpId },
  document: Pick<JsonDocument, 'text'>,
): McpRequest {
  const { method, params } = message;
  const text = (isModern: boolean) => {
    const sent = messageFor(document, message, isModern);
    const isRenamed = method === 'tools/call' && params.name !== id;
    return isRenamed
      ? spliceJson(sent, [{ kind: 'replace', path: ['params', 'name'], json: JSON.stringify(id) }])
      : sent;
  };
  const name = method === 'completion/complete' ? {} : { name: id };
  return { id: message.id, method, ...name, headers: paramHeaders({ mirrored }, params.arguments), text };
}

const SEPARATOR = '__';
/** Models accept no longer names of tools. */
const MAX_JOINED_CHARS = 64;
const DIGEST_CHARS = 20;
const SHORTENED = new RegExp(`^.{${MAX_JOINED_CHARS - DIGEST_CHARS - 1}}_[0-9a-f]{${DIGEST_CHARS}}$`, 's');

/**
 * The name of a tool among those of all servers: `crm__search`. A longer one ends with a digest of it. Names of servers have no `_`, so that
 * the first `__` ends them; a name in the form of a shortened one is shortened too, so that no two tools share one.
 */
export function joinedName(server: string, tool: string): string {
  const whole = server + SEPARATOR + tool;
  if (whole.length <= MAX_JOINED_CHARS && !SHORTENED.test(whole)) return whole;
  const digest = sha256(Buffer.from(whole)).toString('hex').slice(0, DIGEST_CHARS);
  return `${whole.slice(0, MAX_JOINED_CHARS - DIGEST_CHARS - 1)}_${digest}`;
}

/** The server that a joined name begins with; undefined for another name. */
export function serverOf(joined: string): string | undefined {
  const end = joined.indexOf(SEPARATOR);
  return end > 0 ? joined.slice(0, end) : undefined;
}

/** The name of what a call uses, as records have it: no text that the client chose. */
export function recordedName(server: string, { kind, id }: Pick<McpTarget, 'kind' | 'id'>): string {
  return `${server}/${nameOf(kind, kind === 'resource' ? '*' : id)}`;
}
