import { ApiError, send } from '../../api/client.ts';
import { call, type FormField } from '../../api/operations.ts';
import { visibleText } from '../../components/visible-text.ts';

/** The arguments of a tool as JSON, if its schema is not flat. */
export const JSON_FIELD: FormField = { name: 'arguments', kind: 'json', label: 'Arguments' };

const MAX_FIELDS = 20;
/** The places of a form have dots. */
const NAME = /^[\w-]{1,64}$/;
const MAX_HINT_CHARS = 160;

interface Property {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly description?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
}

/** The fields for the arguments of a tool; undefined if one is neither a text, a number nor a boolean. */
export function argumentFields(schema: unknown): readonly FormField[] | undefined {
  if (!isObject(schema)) return undefined;
  const { properties = {}, required } = schema;
  if (!isObject(properties)) return undefined;
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS) return undefined;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = entries.map(([name, property]) => toField(name, property, needed.includes(name)));
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function toField(name: string, property: unknown, isRequired: boolean): FormField | undefined {
  if (!isObject(property) || !NAME.test(name)) return undefined;
  const { type, enum: values, description, minimum, maximum }: Property = property;
  const hint = typeof description === 'string' ? visibleText(description).slice(0, MAX_HINT_CHARS) : undefined;
  const field = { name, label: name, isRequired, ...(hint !== undefined && { hint }) };
  if (values !== undefined) {
    if (!Array.isArray(values) || !values.every((value) => typeof value === 'string' && value !== '')) return undefined;
    return { ...field, kind: 'select', choices: isRequired ? values : ['', ...values], choiceLabels: { '': 'None' } };
  }
  switch (type) {
    case 'string':
      return { ...field, kind: 'text' };
    case 'boolean': {
      const choices = ['true', 'false'];
      return {
        ...field,
        kind: 'select',
        choices: isRequired ? choices : ['', ...choices],
        choiceLabels: { '': 'None' },
      };
    }
    case 'integer':
    case 'number': {
      const least = typeof minimum === 'number' ? minimum : Number.MIN_SAFE_INTEGER;
      const most = typeof maximum === 'number' ? { maximum } : {};
      return { ...field, kind: 'number', isWhole: type === 'integer', minimum: least, ...most };
    }
    default:
      return undefined;
  }
}

/** The arguments of what a form has. */
export function toArguments(schema: unknown, entered: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const isBoolean = (name: string) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isObject(property) && property.type === 'boolean';
  };
  return Object.fromEntries(
    Object.entries(entered).map(([name, value]) => [name, isBoolean(name) ? value === 'true' : value]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface ToolCall {
  readonly server: string;
  readonly tool: string;
  readonly keyId: string;
  readonly args: object;
}

/** What a caller gets of a tool. */
export interface ToolResult {
  /** Its texts; other content as JSON. */
  readonly text: string;
  readonly isError: boolean;
  readonly requestId: string | undefined;
}

/** A call takes as long as its server does. */
const TIMEOUT_MS = 120_000;
/** A revision without headers that mirror arguments. */
const REVISION = '2025-11-25';

/** Calls a tool as a key, through the gateway like every client. Throws an ApiError. */
export async function callTool({ server, tool, keyId, args }: ToolCall, signal: AbortSignal): Promise<ToolResult> {
  const { token } = await call('testMcpTool', { params: { name: server, tool }, body: { keyId }, signal });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } };
  const response = await send(`/v1/mcp/${encodeURIComponent(server)}`, {
    method: 'POST',
    credentials: 'omit',
    redirect: 'error',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': REVISION,
      Authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(message),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const { result, error } = parsed(lastMessage(await response.text()));
  if (isObject(result)) return { text: textOf(result), isError: result.isError === true, requestId };
  const why = isObject(error) && typeof error.message === 'string' ? error.message : 'The response is no result.';
  const code = isObject(error) && isObject(error.data) ? String(error.data.code) : 'mcp_error';
  throw new ApiError(response.status, code, why, undefined, requestId);
}

/** The last message of a stream of events, or the text that is none. The lines of a message are lines of its event. */
export function lastMessage(text: string): string {
  if (text.trimStart().startsWith('{')) return text;
  const events = text.split('\n\n').filter((event) => /^data:/m.test(event));
  const lines =
    events
      .at(-1)
      ?.split('\n')
      .filter((line) => line.startsWith('data:')) ?? [];
  return lines.map((line) => line.slice('data:'.length)).join('\n');
}

function parsed(text: string): { readonly result?: unknown; readonly error?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function textOf({ content, structuredContent }: Readonly<Record<string, unknown>>): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = blocks.map((block) =>
    isObject(block) && typeof block.text === 'string' ? block.text : JSON.stringify(block, null, 2),
  );
  const structured = structuredContent === undefined ? [] : [JSON.stringify(structuredContent, null, 2)];
  return [...texts, ...structured].join('\n');
}
