/** What the scripted model needs of a request, in whichever protocol it came. */
export interface AgentRequest {
  readonly tools: readonly Tool[];
  /** The texts of all tool results, in order. */
  readonly results: readonly string[];
}

export interface Tool {
  readonly name: string;
  /** JSON Schema of its arguments; undefined for a tool that takes free text. */
  readonly schema: Schema | undefined;
}

export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of four protocols, read where they are known.
type Json = any;

/** Reads a request of Messages, chat completions, Responses, Gemini or Bedrock's Converse. */
export function readRequest(body: Json): AgentRequest {
  if (Array.isArray(body?.contents)) return gemini(body);
  if (isConverse(body)) return converse(body);
  if (Array.isArray(body?.input)) return responses(body);
  return messages(body);
}

function gemini({ contents, tools = [] }: Json): AgentRequest {
  const declared: Json[] = tools.flatMap((tool: Json) => tool.functionDeclarations ?? []);
  const parts: Json[] = contents.flatMap((content: Json) => content.parts ?? []);
  return {
    tools: declared.map((tool) => ({ name: tool.name, schema: tool.parametersJsonSchema ?? tool.parameters ?? {} })),
    results: parts.flatMap(({ functionResponse }) => (functionResponse ? [textOf(functionResponse.response)] : [])),
  };
}

/** Blocks of Converse have no `type`. */
function isConverse({ messages: said = [] }: Json): boolean {
  return said.some(({ content }: Json) => Array.isArray(content) && content.some((block: Json) => !('type' in block)));
}

function converse({ messages: said, toolConfig }: Json): AgentRequest {
  const specs: Json[] = (toolConfig?.tools ?? []).flatMap(({ toolSpec }: Json) => (toolSpec ? [toolSpec] : []));
  const blocks: Json[] = said.flatMap(({ content }: Json) => content);
  return {
    tools: specs.map(({ name, inputSchema }) => ({ name, schema: inputSchema.json })),
    results: blocks.flatMap(({ toolResult }) => (toolResult ? [textOf(toolResult.content)] : [])),
  };
}

function responses({ input, tools = [] }: Json): AgentRequest {
  const results = input.filter((item: Json) => /^(?:function|custom_tool)_call_output$/.test(item.type));
  const named = tools.filter((tool: Json) => tool.type === 'function' || tool.type === 'custom');
  return {
    tools: named.map((tool: Json) => ({
      name: tool.name,
      schema: tool.type === 'custom' ? undefined : tool.parameters,
    })),
    results: results.map(({ output }: Json) => textOf(output)),
  };
}

/** Messages, and chat completions: they differ in where a tool's name and a result are. */
function messages({ messages: said = [], tools = [] }: Json): AgentRequest {
  const results = said.flatMap(({ role, content }: Json) => {
    if (role === 'tool') return [textOf(content)];
    const parts: Json[] = Array.isArray(content) ? content : [];
    return parts.filter(({ type }) => type === 'tool_result').map((part) => textOf(part.content));
  });
  const declared = tools.map((tool: Json) => tool.function ?? tool).filter((tool: Json) => tool.name);
  return {
    tools: declared.map((tool: Json) => ({ name: tool.name, schema: tool.input_schema ?? tool.parameters ?? {} })),
    results,
  };
}

/** All strings in a result, whatever its shape, a line each. */
function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textOf).join('\n');
}
