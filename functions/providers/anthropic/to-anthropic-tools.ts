import type { ChatRequest, ToolChoice, ToolDefinition } from '../../core/model/chat.ts';
import type { AnthropicTool, AnthropicToolChoice } from './anthropic-request.ts';

/** A tool definition; the API demands a schema, so a tool without parameters gets that of an empty object. */
export function toAnthropicTool(tool: ToolDefinition): AnthropicTool {
  return {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    input_schema: tool.parameters ?? { type: 'object', properties: {} },
    ...(tool.strict === true && { strict: true }),
  };
}

/**
 * `tool_choice` with `parallel_tool_calls` folded in; undefined where the API's default says the same, or without tools,
 * where the API refuses the field.
 */
export function toAnthropicToolChoice(request: ChatRequest): AnthropicToolChoice | undefined {
  if (!request.tools?.length) return undefined;
  const single = request.parallelToolCalls === false;
  if (request.toolChoice === undefined && !single) return undefined;
  const choice = toChoice(request.toolChoice ?? 'auto');
  return single && choice.type !== 'none' ? { ...choice, disable_parallel_tool_use: true } : choice;
}

function toChoice(choice: ToolChoice): AnthropicToolChoice {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}
