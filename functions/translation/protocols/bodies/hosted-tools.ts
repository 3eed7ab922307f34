import { toParam } from '../../../kernel/errors/index.ts';
import { isObject, type JsonEdit, type JsonPath } from '../../../kernel/json/index.ts';
import { toolLists } from './declared-tools.ts';

type Members = Readonly<Record<string, unknown>>;

/** A tool of a request that the provider executes. */
export interface HostedTool {
  /** Its type as its API names it: `web_search_20250305`, `googleSearch`. */
  readonly name: string;
  /** Its place in the request: `tools[0]`. */
  readonly field: string;
  readonly path: JsonPath;
}

/** Types of tools whose calls the client executes; any other one counts as the provider's. */
const CLIENT_TYPES =
  /^(?:function|custom|namespace|(?:local_)?shell|apply_patch|computer(?:_use(?:_preview)?)?|(?:bash|text_editor|computer|memory)_\d{8})$/;
/** Google's tools have no type: https://ai.google.dev/api/caching#Tool */
const CLIENT_MEMBERS = new Set(['functionDeclarations', 'computerUse']);
/** Members of a body that each are a tool, beside `tools`. */
const MEMBERS = ['web_search_options', 'search_parameters', 'enable_search', 'plugins'];
/** The type of the tools of Anthropic's `mcp_servers`. */
const MCP_TOOLSET = 'mcp_toolset';

/** The tools in a parsed body of any API whose calls the provider executes, so that they cannot be held. */
export function readHostedTools(value: unknown): HostedTool[] {
  if (!isObject(value)) return [];
  const lists = toolLists(value).flatMap(({ tools, path }) =>
    tools.flatMap((tool, at) => (isObject(tool) ? readTool(tool, [...path, at]) : [])),
  );
  const servers = Array.isArray(value.mcp_servers) ? value.mcp_servers : [];
  return [
    ...lists,
    ...servers.map((_, at) => hosted(MCP_TOOLSET, ['mcp_servers', at])),
    ...MEMBERS.filter((name) => isSet(value[name])).map((name) => hosted(name, [name])),
  ];
}

function readTool(tool: Members, path: JsonPath): HostedTool[] {
  const { type, environment } = tool;
  if (typeof type === 'string') {
    const runsAway = isObject(environment) && environment.type !== 'local';
    return CLIENT_TYPES.test(type) && !runsAway ? [] : [hosted(type, path)];
  }
  if (type != null || 'name' in tool || isObject(tool.function)) return [];
  const own = Object.keys(tool).filter((name) => isSet(tool[name]));
  return own.map((name) => hosted(toCamel(name), [...path, name])).filter(({ name }) => !CLIENT_MEMBERS.has(name));
}

function hosted(name: string, path: JsonPath): HostedTool {
  return { name, field: toParam(path), path };
}

function isSet(member: unknown): boolean {
  return member != null && member !== false && !(Array.isArray(member) && member.length === 0);
}

/** Google's names are `googleSearch` or `google_search`. */
function toCamel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The edits that take tools out of a body, and `tool_choice` with them where the provider would refuse it. */
export function withoutTools(value: unknown, removed: readonly HostedTool[]): readonly JsonEdit[] {
  if (!isObject(value) || removed.length === 0) return [];
  const gone = new Set(removed.map(({ path }) => JSON.stringify(path)));
  const isGone: IsGone = (path, item) => {
    if (gone.has(JSON.stringify(path))) return true;
    // A tool of Google whose members are all removed.
    const members = isObject(item) ? Object.keys(item).filter((name) => isSet(item[name])) : [];
    return members.length > 0 && members.every((name) => gone.has(JSON.stringify([...path, name])));
  };
  const emptied = ['tools', 'mcp_servers'].filter((name) => {
    const list = value[name];
    return Array.isArray(list) && list.length > 0 && list.every((item, at) => isGone([name, at], item));
  });
  const items = toolLists(value).flatMap(({ tools, path }) =>
    tools.flatMap((item, at) => (isGone([...path, at], item) ? [[...path, at]] : [])),
  );
  const places = [...emptied.map((name) => [name]), ...items, ...removed.map(({ path }) => path)];
  return [...choiceEdits(value, isGone, emptied.includes('tools')), ...removals(places)];
}

/** Edits that remove these places. One inside another is removed with it. */
function removals(paths: readonly JsonPath[]): JsonEdit[] {
  const all = new Map(paths.map((path) => [JSON.stringify(path), path]));
  const isInside = (path: JsonPath) => path.some((_, at) => at > 0 && all.has(JSON.stringify(path.slice(0, at))));
  return [...all.values()].filter((path) => !isInside(path)).map((path) => ({ kind: 'remove', path }));
}

type IsGone = (path: JsonPath, item: unknown) => boolean;

/** The model may choose instead where a removed tool was required. Without tools, providers accept no choice. */
function choiceEdits(value: Members, isGone: IsGone, hasNone: boolean): JsonEdit[] {
  const { tool_choice: choice, tools } = value;
  if (hasNone)
    return ['tool_choice', 'parallel_tool_calls']
      .filter((name) => Object.hasOwn(value, name))
      .map((name) => ({ kind: 'remove', path: [name] }));
  if (!isObject(choice) || !Array.isArray(tools)) return [];
  const left = tools.filter((tool, at) => isObject(tool) && !isGone(['tools', at], tool)) as Members[];
  const isLeft = (wanted: unknown) => isObject(wanted) && left.some((tool) => isNamedBy(wanted, tool));
  const list = choice.type === 'allowed_tools' ? allowedIn(choice) : undefined;
  if (list !== undefined) {
    const out = [...list.tools.entries()].filter(([, wanted]) => !isLeft(wanted));
    if (out.length === list.tools.length) return [{ kind: 'replace', path: ['tool_choice'], json: '"none"' }];
    return out.map(([at]) => ({ kind: 'remove', path: [...list.path, at] }));
  }
  if (isLeft(choice) || choice.type === 'auto' || choice.type === 'any' || choice.type === 'none') return [];
  const { disable_parallel_tool_use: single } = choice;
  const auto = choice.type === 'tool' ? { type: 'auto', disable_parallel_tool_use: single } : 'auto';
  return [{ kind: 'replace', path: ['tool_choice'], json: JSON.stringify(auto) }];
}

function allowedIn({
  tools,
  allowed_tools: inner,
}: Members): { tools: readonly unknown[]; path: JsonPath } | undefined {
  if (Array.isArray(tools)) return { tools, path: ['tool_choice', 'tools'] };
  const nested = isObject(inner) ? inner.tools : undefined;
  return Array.isArray(nested) ? { tools: nested, path: ['tool_choice', 'allowed_tools', 'tools'] } : undefined;
}

/** Whether a choice names this tool: by its name, or by its type with or without a date. Functions are never removed. */
function isNamedBy({ type, name }: Members, tool: Members): boolean {
  if (type === 'function' || type === 'custom') return true;
  if (type === 'tool') return tool.name === name;
  return typeof tool.type === 'string' && (tool.type === type || tool.type.startsWith(`${type}_`));
}
