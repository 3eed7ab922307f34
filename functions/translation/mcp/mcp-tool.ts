import type { StoredMcpServer } from '../../kernel/configuration/index.ts';
import type { RequestHeaders } from '../../kernel/http/index.ts';
import { isObject, type JsonDocument } from '../../kernel/json/index.ts';
import { fieldsChanged, type ToolVersion, versionOf } from '../../kernel/model/index.ts';
import type { McpRequest } from './mcp-connection.ts';
import { decodeHeader, encodeHeader, type McpId, type McpMessage, messageFor, mismatch } from './mcp-message.ts';

const MAX_NAME_CHARS = 128;
const TOKEN = /^[\w!#$%&'*+.^`|~-]{1,64}$/;
const MAX_SCHEMA_DEPTH = 16;

/** An argument that a header repeats. */
interface MirroredArgument {
  readonly path: readonly string[];
  readonly header: string;
}

/** The definition of a tool as its server has it now. */
export interface McpTool {
  readonly name: string;
  /** Its definition, without a member that the gateway adds. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly version: ToolVersion;
  readonly mirrored: readonly MirroredArgument[];
}

/** Reads a definition; undefined for one that breaks the protocol. */
export function readMcpTool(value: unknown): McpTool | undefined {
  if (!isObject(value) || !isObject(value.inputSchema)) return undefined;
  const { name, inputSchema, ...rest } = value;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_CHARS) return undefined;
  const mirrored = mirroredIn(inputSchema);
  if (mirrored === undefined) return undefined;
  return {
    name,
    definition: value,
    version: versionOf({ definition: { ...rest, parameters: inputSchema } }),
    mirrored,
  };
}

/** The annotated arguments of a schema; undefined if an annotation is invalid. */
function mirroredIn(schema: Readonly<Record<string, unknown>>): MirroredArgument[] | undefined {
  const found: MirroredArgument[] = [];
  const visit = ({ properties }: Readonly<Record<string, unknown>>, path: readonly string[]): boolean => {
    if (!isObject(properties) || path.length > MAX_SCHEMA_DEPTH) return true;
    return Object.entries(properties).every(([name, property]) => {
      if (!isObject(property)) return true;
      const header = property['x-mcp-header'];
      const below = [...path, name];
      if (header === undefined) return visit(property, below);
      if (typeof header !== 'string' || !TOKEN.test(header)) return false;
      found.push({ path: below, header });
      return true;
    });
  };
  const isValid = visit(schema, []);
  const names = new Set(found.map(({ header }) => header.toLowerCase()));
  return isValid && names.size === found.length ? found : undefined;
}

/** Headers for the arguments that the server wants repeated. */
function paramHeaders({ mirrored }: Pick<McpTool, 'mirrored'>, args: unknown): Record<string, string> {
  return Object.fromEntries(
    mirrored.flatMap(({ path, header }) => {
      const text = textAt(args, path);
      return text === undefined ? [] : [[`mcp-param-${header.toLowerCase()}`, encodeHeader(text)]];
    }),
  );
}

/** @throws McpError if a client's header differs from the argument that it repeats */
export function checkParamHeaders(
  { mirrored }: Pick<McpTool, 'mirrored'>,
  args: unknown,
  headers: RequestHeaders,
): void {
  for (const { path, header } of mirrored) {
    const name = `Mcp-Param-${header}`;
    const sent = headers.get(name);
    const text = textAt(args, path);
    if (sent === null && text === undefined) continue;
    const read = decodeHeader(sent ?? '');
    const isSame = sent !== null && (read === text || (text !== undefined && isSameInteger(read, text)));
    if (!isSame) throw mismatch(name, ['params', 'arguments', ...path].join('.'));
  }
}

function isSameInteger(a: string, b: string): boolean {
  return /^-?\d{1,16}(?:\.0+)?$/.test(a) && /^-?\d{1,16}$/.test(b) && Number(a) === Number(b);
}

function textAt(args: unknown, path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>(
    (held, name) => (isObject(held) && Object.hasOwn(held, name) ? held[name] : undefined),
    args,
  );
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined;
}

/** What an administrator has said about a definition: `new` was never approved, `changed` differs from the approved one. */
export type McpToolState = 'approved' | 'changed' | 'new';

/** The state of a definition, and the names of the fields that differ from the approved one. */
export function stateOf(
  { name, version }: Pick<McpTool, 'name' | 'version'>,
  { approved }: Pick<StoredMcpServer, 'approved'>,
): { readonly state: McpToolState; readonly fields: readonly string[] } {
  const pinned = Object.hasOwn(approved, name) ? approved[name] : undefined;
  if (pinned === undefined) return { state: 'new', fields: [] };
  if (pinned.digest === version.digest) return { state: 'approved', fields: [] };
  const fields = fieldsChanged(pinned, version);
  return { state: 'changed', fields: fields.length === 0 ? ['definition'] : fields };
}

/** Whether clients see and call a tool in this state. */
export function isServed(state: McpToolState, { onChange }: Pick<StoredMcpServer, 'onChange'>): boolean {
  return state === 'approved' || onChange === 'off' || (state === 'changed' && onChange === 'flag');
}

/** A call of a tool as its server gets it. */
export function toMcpCall(
  tool: McpTool,
  message: McpMessage & { readonly id: McpId },
  document: Pick<JsonDocument, 'text'>,
): McpRequest {
  return {
    id: message.id,
    method: message.method,
    name: tool.name,
    headers: paramHeaders(tool, message.params.arguments),
    text: (isModern) => messageFor(document, message, isModern),
  };
}
