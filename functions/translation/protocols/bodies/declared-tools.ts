import { toParam } from '../../../kernel/errors/index.ts';
import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import type { DeclaredTool, DeclaredTools } from '../../../kernel/model/index.ts';

type Members = Readonly<Record<string, unknown>>;

/** Members that have the schema of the arguments. */
const SCHEMAS = ['parameters', 'input_schema', 'parametersJsonSchema', 'parameters_json_schema'];
/** What no model reads. */
const UNREAD = new Set(
  'name type strict cache_control prompt_cache_breakpoint defer_loading eager_input_streaming allowed_callers'.split(
    ' ',
  ),
);
/** Items of OpenAI's responses that have the definitions of further tools. */
const HOLDERS = new Set<unknown>(['tool_search_output', 'mcp_list_tools']);

/** The tools that a parsed body declares, in the form of any API. */
export function readDeclaredTools(value: unknown): DeclaredTools {
  const reader = new DeclarationReader();
  if (!isObject(value)) return reader;
  for (const { tools, path, server } of toolLists(value)) reader.readAll(tools, toParam(path), server);
  for (const [at, server] of arrayOf(value.mcp_servers).entries())
    if (isObject(server)) reader.undefinedAt.push(`mcp_servers[${at}]`);
  return reader;
}

interface ToolList {
  readonly tools: readonly unknown[];
  readonly path: JsonPath;
  /** The server whose tools they are; empty for others. */
  readonly server: string;
}

/** The lists of tools in a parsed body. */
export function toolLists(value: Members): ToolList[] {
  const own = ['tools', 'functions'].map((name) => ({ tools: arrayOf(value[name]), path: [name], server: '' }));
  const added = [...arrayOf(value.input).entries()].flatMap(([at, item]): ToolList[] => {
    if (!isObject(item) || !HOLDERS.has(item.type)) return [];
    const server = typeof item.server_label === 'string' ? item.server_label : '';
    return [{ tools: arrayOf(item.tools), path: ['input', at, 'tools'], server }];
  });
  return [...own, ...added];
}

class DeclarationReader {
  readonly tools: DeclaredTool[] = [];
  readonly undefinedAt: string[] = [];

  readAll(tools: unknown, place: string, server: string): void {
    for (const [at, tool] of arrayOf(tools).entries()) {
      if (isObject(tool)) this.readTool(tool, `${place}[${at}]`, server);
    }
  }

  private readTool(tool: Members, place: string, server: string): void {
    const { type, name } = tool;
    if (type === 'namespace' && typeof name === 'string') {
      const { tools, description, ...rest } = tool;
      // Models read its description beside those of its tools.
      if (description !== undefined) this.add({ ...rest, description, name: `${name}/` }, place, server);
      this.readAll(tools, `${place}.tools`, withServer(name, server));
      return;
    }
    const lists = ['functionDeclarations', 'function_declarations'].filter((list) => Array.isArray(tool[list]));
    for (const list of lists) this.readAll(tool[list], `${place}.${list}`, server);
    const inner = ['function', 'custom'].find((member) => isObject(tool[member]));
    if (inner !== undefined) this.add(tool[inner] as Members, `${place}.${inner}`, server);
    else if (typeof name === 'string' && isDefined(tool)) this.add(tool, place, server);
    else if (lists.length === 0) this.undefinedAt.push(place);
  }

  private add(members: Members, field: string, server: string): void {
    const { name } = members;
    if (typeof name !== 'string') return;
    const definition: Record<string, unknown> = {};
    for (const [member, value] of Object.entries(members)) {
      if (value == null || UNREAD.has(member)) continue;
      const isSchema = SCHEMAS.includes(member) && definition.parameters === undefined;
      definition[isSchema ? 'parameters' : member] = isSchema ? withLowerTypes(value) : value;
    }
    this.tools.push({ name: withServer(name, server), field, definition });
  }
}

/** Whether a tool has more than a type and a name, by which the provider knows the definition. */
function isDefined({ type, ...members }: Members): boolean {
  const isOwn = type == null || type === 'function' || type === 'custom';
  return isOwn || SCHEMAS.some((member) => isObject(members[member])) || typeof members.description === 'string';
}

function withServer(name: string, server: string): string {
  return server === '' ? name : `${server}/${name}`;
}

/** Google writes types in capitals: `OBJECT`. */
function withLowerTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withLowerTypes);
  if (!isObject(schema)) return schema;
  const members = Object.entries(schema).map(([name, value]) => [
    name,
    name === 'type' && typeof value === 'string' ? value.toLowerCase() : withLowerTypes(value),
  ]);
  return Object.fromEntries(members);
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
