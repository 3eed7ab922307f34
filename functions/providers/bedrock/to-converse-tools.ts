import type { ChatRequest, ToolChoice, ToolDefinition } from '../../core/model/chat.ts';
import type { ConverseRequest, ConverseTool, ConverseToolChoice } from './converse-request.ts';
import { unsupported } from './unsupported.ts';

/**
 * The tools of a request and which of them is to be called. Converse has no `none`: without any past call the tools are
 * left out, which says the same; with one it demands them.
 * @throws GatewayError `invalid_value` for `none` beside past calls
 */
export function toConverseTools({
  tools = [],
  toolChoice,
  messages,
}: ChatRequest): Pick<ConverseRequest, 'toolConfig'> {
  if (tools.length === 0) return {};
  if (toolChoice === 'none') {
    const hasCalls = messages.some(({ role, toolCalls = [] }) => role === 'tool' || toolCalls.length > 0);
    if (hasCalls) throw unsupported('tool_choice', 'beside past calls of tools, tools cannot be switched off');
    return {};
  }
  return {
    toolConfig: {
      tools: tools.map(toTool),
      ...(toolChoice !== undefined && { toolChoice: toChoice(toolChoice) }),
    },
  };
}

/** The API demands a schema, so a tool without parameters gets that of an empty object. */
function toTool({ name, description, parameters, strict }: ToolDefinition): ConverseTool {
  return {
    toolSpec: {
      name,
      // An empty one is refused.
      ...(description && { description }),
      inputSchema: { json: parameters ?? { type: 'object', properties: {} } },
      ...(strict === true && { strict }),
    },
  };
}

function toChoice(choice: Exclude<ToolChoice, 'none'>): ConverseToolChoice {
  if (typeof choice === 'object') return { tool: { name: choice.name } };
  return choice === 'required' ? { any: {} } : { auto: {} };
}
