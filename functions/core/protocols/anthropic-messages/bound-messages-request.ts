import { utf8Length } from '../../base/json.ts';
import { hasServerTools } from '../server-side-reading.ts';
import type { MessagesBlock, MessagesRequest } from './messages-request-schema.ts';

/** Roles and separators around each message, and what is written around tool definitions (the longest has 675 tokens). */
const PER_MESSAGE = 16;
const FOR_TOOLS = 1_000;
/** (width x height) / 750 of at most 1,568 pixels on the long edge is about 1,600; the largest models take more. */
const PER_IMAGE = 5_000;
/** What a file holds is not told by its size; no model takes more than its context. */
const LONGEST_CONTEXT = 2_000_000;

type Request = Pick<MessagesRequest, 'model' | 'messages' | 'system' | 'tools'> & {
  readonly mcp_servers?: unknown;
  readonly container?: unknown;
};

/**
 * An upper bound on the input tokens: the bytes of all text, a token being one byte at least; media by their own measure. Of what
 * Anthropic's own tools, MCP servers and containers hold or read while it answers only the model's context is known.
 */
export function boundMessagesInput(body: Request, contextTokens = LONGEST_CONTEXT): number {
  const { model: _, messages, system, tools, ...others } = body;
  const content = (value: string | readonly MessagesBlock[] | undefined) =>
    typeof value === 'string' ? utf8Length(value) : (value ?? []).reduce((sum, block) => sum + boundOf(block), 0);
  const boundOf = (block: MessagesBlock): number => {
    if (block.type === 'image') return PER_IMAGE;
    if (block.type === 'container_upload') return contextTokens;
    const { source } = block as { source?: { type?: unknown } };
    if (block.type === 'document' && source?.type !== 'text') return contextTokens;
    if (block.type === 'tool_result' && Array.isArray(block.content)) {
      return PER_MESSAGE + content(block.content as MessagesBlock[]);
    }
    return bytesOf(block);
  };
  const spoken = messages.reduce((sum, message) => sum + PER_MESSAGE + content(message.content), 0);
  const { mcp_servers: servers, container } = others;
  const hasServers = Array.isArray(servers) ? servers.length > 0 : servers != null;
  const reads = hasServerTools(tools, 'messages', 'custom') || hasServers || container != null;
  // Schemas of answers and fields that we do not know: all of them may be read by the model.
  const read = reads ? contextTokens : 0;
  return read + spoken + content(system) + (tools ? FOR_TOOLS + bytesOf(tools) : 0) + bytesOf(others);
}

function bytesOf(value: object): number {
  return utf8Length(JSON.stringify(value));
}
