import { GatewayError } from '../../kernel/errors/index.ts';
import { type ErrorShape, messageOf, type RequestHeaders } from '../../kernel/http/index.ts';
import { isObject, type JsonDocument, type JsonEdit, spliceJson } from '../../kernel/json/index.ts';

/** The revision without sessions: each request names its revision and what the client is able to do. */
export const MODERN = '2026-07-28';
/** Revisions that begin with `initialize`; the first is the newest. */
export const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** Members of `_meta` that every request of the revision 2026-07-28 has. */
const META = 'io.modelcontextprotocol/';
const VERSION_META = `${META}protocolVersion`;
const CAPABILITIES_META = `${META}clientCapabilities`;

/** Codes of JSON-RPC and of the MCP specification. */
const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** The code of JSON-RPC for a method that a server does not know. */
export const METHOD_NOT_FOUND = RPC.methodNotFound;

type ErrorFields = ConstructorParameters<typeof GatewayError>[2];

/** An error with a code of the MCP specification. */
export class McpError extends GatewayError {
  readonly rpcCode: number;
  readonly data: object;

  constructor(
    rpc: keyof typeof RPC,
    message: string,
    fields: ErrorFields & { readonly data?: object; readonly isUnknown?: boolean } = {},
  ) {
    super(fields.isUnknown ? 'not_found' : 'invalid_value', message, fields);
    this.rpcCode = RPC[rpc];
    this.data = fields.data ?? {};
  }
}

const RPC_OF: Readonly<Record<string, number>> = {
  invalid_json: RPC.parse,
  invalid_value: RPC.invalidParams,
  missing_field: RPC.invalidParams,
  internal_error: RPC.internal,
};

/** An id of a JSON-RPC request. */
export type McpId = string | number;

/**
 * Errors as JSON-RPC responses to the request in a document; without an id if it has none. A code is the specification's if it has one, else
 * the HTTP status: the specification reserves all other negative numbers. `data` has the gateway's own code.
 */
export function mcpErrors(document?: Pick<JsonDocument, 'value'>): ErrorShape {
  const id = document && idOf(document);
  return (error, requestId) => {
    const { message: _, ...data } = error.toBody();
    const code = error instanceof McpError ? error.rpcCode : (RPC_OF[error.code] ?? error.status);
    const more = error instanceof McpError ? error.data : {};
    return {
      jsonrpc: '2.0',
      ...(id !== undefined && { id }),
      error: {
        code,
        message: messageOf(error, requestId),
        data: { ...data, ...(error.svc && { svc: error.svc }), ...more },
      },
    };
  };
}

/** A message of a client. */
export interface McpMessage {
  /** Undefined for a notification. */
  readonly id: McpId | undefined;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether it is of the revision 2026-07-28. */
  readonly isModern: boolean;
}

const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params']);
/** Longer than any counter or UUID: an id goes to the server. */
const ID = /^[\w.:/+=-]{1,64}$/;
const METHOD = /^[\w/$.-]{1,64}$/;

/** The id of a body, for the response to a message that is refused. */
function idOf({ value }: Pick<JsonDocument, 'value'>): McpId | undefined {
  const id = isObject(value) ? value.id : undefined;
  return (typeof id === 'string' && ID.test(id)) || Number.isSafeInteger(id) ? (id as McpId) : undefined;
}

/**
 * A message of a client, whose headers agree with its body. @throws McpError
 */
export function readMcpMessage(document: Pick<JsonDocument, 'value'>, headers: RequestHeaders): McpMessage {
  const { value } = document;
  if (Array.isArray(value))
    throw new McpError('invalidRequest', 'Send one message at a time: batches are not accepted.');
  if (!isObject(value) || value.jsonrpc !== '2.0')
    throw new McpError('invalidRequest', "The body must be a message of JSON-RPC 2.0, with 'jsonrpc': '2.0'.");
  const unknown = Object.keys(value).find((member) => !MEMBERS.has(member));
  if (unknown !== undefined)
    throw new McpError('invalidRequest', 'The message has members besides jsonrpc, id, method and params.');
  const { method, params = {} } = value;
  if (typeof method !== 'string' || !METHOD.test(method))
    throw new McpError('invalidRequest', "'method' must be a method of MCP.", { param: 'method' });
  if (!isObject(params)) throw new McpError('invalidRequest', "'params' must be an object.", { param: 'params' });
  if (params._meta !== undefined && !isObject(params._meta))
    throw new McpError('invalidParams', "'params._meta' must be an object.", { param: 'params._meta' });
  const id = idOf(document);
  if (value.id !== undefined && id === undefined)
    throw new McpError('invalidRequest', "'id' must be an integer or at most 64 letters, digits and ._:/+=-.", {
      param: 'id',
    });
  const isModern = readRevision(method, params, headers);
  checkMirrors(method, params, headers, isModern && id !== undefined);
  return { id, method, params, isModern };
}

/** Whether a message is of the revision 2026-07-28. @throws McpError for an unknown revision, or one that is named in two ways */
function readRevision(method: string, params: McpMessage['params'], headers: RequestHeaders): boolean {
  const meta = isObject(params._meta) ? params._meta : {};
  const named = meta[VERSION_META];
  const header = headers.get('mcp-protocol-version') || undefined;
  const known: readonly unknown[] = [MODERN, ...LEGACY];
  // `initialize` names its revision in the body and is the first request of a client.
  const isModern = named === MODERN || header === MODERN;
  if (method === 'initialize' && !isModern) return false;
  if (isModern && named !== undefined && named !== header) throw mismatch('MCP-Protocol-Version', 'params._meta');
  for (const one of [named, header]) if (one !== undefined && !known.includes(one)) throw unsupported(one);
  if (!isModern) return false;
  if (named === undefined)
    throw new McpError('invalidParams', `'params._meta' must have ${VERSION_META}.`, { param: 'params._meta' });
  if (!isObject(meta[CAPABILITIES_META]))
    throw new McpError('invalidParams', `'params._meta' must have ${CAPABILITIES_META}.`, { param: 'params._meta' });
  return true;
}

function unsupported(requested: unknown): McpError {
  const shown = typeof requested === 'string' && ID.test(requested) ? requested : 'unknown';
  const data = { supported: [MODERN, ...LEGACY], requested: shown };
  return new McpError('unsupportedVersion', 'Unsupported protocol version', { data });
}

/** The member of `params` that `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string | undefined>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** @param isRequired whether the headers must be there. @throws McpError */
function checkMirrors(
  method: string,
  params: McpMessage['params'],
  headers: RequestHeaders,
  isRequired: boolean,
): void {
  const mirrored = [['Mcp-Method', method, 'method'] as const];
  const named = NAMED[method];
  const names = named === undefined ? [] : [['Mcp-Name', params[named], `params.${named}`] as const];
  for (const [header, value, field] of [...mirrored, ...names]) {
    const sent = headers.get(header);
    if (sent === null && !isRequired) continue;
    if (decodeHeader(sent ?? '') !== value) throw mismatch(header, field);
  }
}

/** The error of a header that differs from its field. */
export function mismatch(header: string, field: string): McpError {
  return new McpError('headerMismatch', `Header mismatch: ${header} must have the value of '${field}'.`, {
    param: field,
  });
}

const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;
/** Visible ASCII with spaces inside. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

/** The value of a header that may be in base64; undefined for one that claims to be and is not. */
export function decodeHeader(sent: string): string | undefined {
  if (!sent.startsWith('=?base64?') || !sent.endsWith('?=')) return sent;
  const [, base64] = ENCODED.exec(sent) ?? [];
  if (base64 === undefined) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes.toString('utf8') : undefined;
}

/** A value as a header has it. */
export function encodeHeader(value: string): string {
  if (PLAIN.test(value) && !(value.startsWith('=?base64?') && value.endsWith('?='))) return value;
  return `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** The members of `_meta` that a request of the revision 2026-07-28 has. */
export function modernMeta(capabilities: object = {}): Readonly<Record<string, unknown>> {
  return {
    [VERSION_META]: MODERN,
    [`${META}clientInfo`]: { name: 'svc', version: '1' },
    [CAPABILITIES_META]: capabilities,
  };
}

/** The revision of a response to `initialize`: the client's if the gateway knows it. */
function negotiated(requested: unknown): string {
  return LEGACY.find((one) => one === requested) ?? LEGACY[0];
}

/** How long clients may believe what the gateway can do. */
const DISCOVER_TTL_MS = 300_000;

/** What the gateway says of the server at an address. */
interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  /** What the gateway passes on, whatever the server has. */
  readonly capabilities: object;
}

/** The gateway's own response to a message that reaches no server. @throws McpError for an unknown method */
export function ownMcpResult(
  { method, params, isModern }: McpMessage,
  { name, version, capabilities }: ServerIdentity,
): object {
  const info = { name, version };
  if (!isModern && method === 'initialize')
    return { protocolVersion: negotiated(params.protocolVersion), capabilities, serverInfo: info };
  if (!isModern && method === 'ping') return {};
  if (isModern && method === 'server/discover')
    return {
      resultType: 'complete',
      supportedVersions: [MODERN, ...LEGACY],
      capabilities,
      _meta: { [`${META}serverInfo`]: info },
      ttlMs: DISCOVER_TTL_MS,
      cacheScope: 'private',
    };
  throw unknownMethod();
}

/** The error of a method that is not served here. */
export function unknownMethod(): McpError {
  return new McpError('methodNotFound', 'Method not found', { isUnknown: true });
}

/** What a client of the revision 2026-07-28 is able to do; nothing for one of an older revision, whose session the gateway does not have. */
function capabilitiesOf({
  params,
  isModern,
}: Pick<McpMessage, 'params' | 'isModern'>): Readonly<Record<string, unknown>> {
  const meta = isModern && isObject(params._meta) ? params._meta : {};
  const declared = meta[CAPABILITIES_META];
  return isObject(declared) ? declared : {};
}

/** What a server may ask of a client, and the capability that the client declares for it. */
const INPUTS: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** Whether a result asks for input that the client has not declared, or in another form than the specification's. */
export function asksTooMuch(
  { inputRequests = {} }: Readonly<Record<string, unknown>>,
  message: Pick<McpMessage, 'params' | 'isModern'>,
): boolean {
  if (!isObject(inputRequests)) return true;
  const capabilities = capabilitiesOf(message);
  return Object.values(inputRequests).some((asked) => {
    const method = isObject(asked) && typeof asked.method === 'string' ? asked.method : '';
    return !Object.hasOwn(INPUTS, method) || !isObject(capabilities[INPUTS[method] as string]);
  });
}

/** A message as a server gets it: as sent, with the members of `_meta` that its revision requires. */
export function messageFor(
  { text }: Pick<JsonDocument, 'text'>,
  { isModern: isClientModern, params }: McpMessage,
  isModern: boolean,
): string {
  if (!isModern || isClientModern) return text;
  const members = Object.entries(modernMeta());
  const given = params._meta;
  if (given === undefined) {
    const json = JSON.stringify(Object.fromEntries(members));
    return spliceJson(text, [{ kind: 'insert', path: ['params'], key: '_meta', json }]);
  }
  const toEdit = ([key, value]: readonly [string, unknown]): JsonEdit => {
    const [path, json] = [['params', '_meta'], JSON.stringify(value)];
    return Object.hasOwn(given as object, key)
      ? { kind: 'replace', path: [...path, key], json }
      : { kind: 'insert', path, key, json };
  };
  return spliceJson(text, members.map(toEdit));
}
