import type { StoredMcpServer } from '../../kernel/configuration/index.ts';
import { isObject } from '../../kernel/json/index.ts';
import { fieldsChanged, type ToolVersion, versionOf } from '../../kernel/model/index.ts';
import { type MirroredArgument, mirroredIn } from './mcp-param-headers.ts';

/**
 * What a server offers. `prefix`: begins its name in approvals, `allowedTools` and rules. A resource is one of thousands, and may change
 * at any time: no approval is of one.
 */
const KINDS = {
  tool: { method: 'tools/list', member: 'tools', id: 'name', prefix: '', maxChars: 128 },
  prompt: { method: 'prompts/list', member: 'prompts', id: 'name', prefix: 'prompt:', maxChars: 128 },
  template: {
    ...{ method: 'resources/templates/list', member: 'resourceTemplates', id: 'uriTemplate' },
    ...{ prefix: 'template:', maxChars: 128 },
  },
  resource: { method: 'resources/list', member: 'resources', id: 'uri', prefix: 'resource:', maxChars: 2_048 },
} as const;
export type McpKind = keyof typeof KINDS;
/** Kinds with definitions that an administrator approves. */
export const PINNED_KINDS = ['tool', 'prompt', 'template'] as const satisfies readonly McpKind[];
const PREFIXES = Object.values(KINDS).flatMap(({ prefix }) => (prefix === '' ? [] : [prefix]));

/** The method that lists a kind, and the member of its result. */
export function listOf(kind: McpKind): { readonly method: string; readonly member: string } {
  return KINDS[kind];
}

/** The kind that a method lists; undefined for any other method. */
export function listedBy(method: string): McpKind | undefined {
  return (Object.keys(KINDS) as McpKind[]).find((kind) => KINDS[kind].method === method);
}

/** The kind of a name in approvals. */
export function kindOfName(name: string): McpKind {
  return (
    (Object.keys(KINDS) as McpKind[]).find((kind) => kind !== 'tool' && name.startsWith(KINDS[kind].prefix)) ?? 'tool'
  );
}

/** `search`, `prompt:review`, `resource:file:///a`: the name after that of the server. */
export function nameOf(kind: McpKind, id: string): string {
  return KINDS[kind].prefix + id;
}

/** A tool, prompt, resource or template as its server describes it now. */
export interface McpItem {
  readonly kind: McpKind;
  /** As its server calls it. */
  readonly id: string;
  /** Its name in approvals, `allowedTools` and rules, after that of the server. */
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
  /** The definition as text. */
  readonly json: string;
  readonly version: ToolVersion;
  /** Arguments of a tool that headers repeat. */
  readonly mirrored: readonly MirroredArgument[];
}

/** Longer ones take too long to compare and to read: models are given some thousand characters. */
const MAX_DEFINITION_CHARS = 262_144;

/** Reads a definition; undefined for one that breaks the protocol, is too long, or whose name is that of another kind. */
export function readMcpItem(kind: McpKind, value: unknown): McpItem | undefined {
  if (!isObject(value)) return undefined;
  const id = value[KINDS[kind].id];
  if (typeof id !== 'string' || id === '') return undefined;
  const name = nameOf(kind, id);
  if (name.length > KINDS[kind].maxChars) return undefined;
  const json = JSON.stringify(value);
  if (json.length > MAX_DEFINITION_CHARS) return undefined;
  const named = { kind, id, name, definition: value, json };
  if (kind !== 'tool') {
    const { [KINDS[kind].id]: _, ...definition } = value;
    return { ...named, version: versionOf({ definition }), mirrored: [] };
  }
  const { name: _, inputSchema, ...rest } = value;
  if (!isObject(inputSchema) || PREFIXES.some((prefix) => name.startsWith(prefix))) return undefined;
  const mirrored = mirroredIn(inputSchema);
  if (mirrored === undefined) return undefined;
  const version = versionOf({ definition: { ...rest, parameters: inputSchema } });
  return { ...named, version, mirrored };
}

/** What an administrator has said about a definition: `new` was never approved, `changed` differs from the approved one. */
export type McpItemState = 'approved' | 'changed' | 'new';

/** The state of a definition, and the names of the fields that differ from the approved one. */
export function stateOf(
  { name, version }: Pick<McpItem, 'name' | 'version'>,
  { approved }: Pick<StoredMcpServer, 'approved'>,
): { readonly state: McpItemState; readonly fields: readonly string[] } {
  const pinned = Object.hasOwn(approved, name) ? approved[name] : undefined;
  if (pinned === undefined) return { state: 'new', fields: [] };
  if (pinned.digest === version.digest) return { state: 'approved', fields: [] };
  const fields = fieldsChanged(pinned, version);
  return { state: 'changed', fields: fields.length === 0 ? ['definition'] : fields };
}

/** Whether clients see and call what is in this state. */
export function isServed(state: McpItemState, { onChange }: Pick<StoredMcpServer, 'onChange'>): boolean {
  return state === 'approved' || onChange === 'off' || (state === 'changed' && onChange === 'flag');
}
