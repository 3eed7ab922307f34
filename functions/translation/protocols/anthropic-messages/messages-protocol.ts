import { isObject } from '../../../kernel/json/index.ts';
import { furtherModels } from '../bodies/named-resources.ts';
import { bytesOf, hasServerTools, uncountedOutputField } from '../bodies/token-bounds.ts';
import { TextlessFormat, type TextlessResponse } from '../bodies/untranslated-format.ts';
import { type ApiRequest, kindByStreamField, type Protocol } from '../protocol.ts';
import { checkCountTokensRequest, checkMessagesRequest, fromMessagesRequest } from './from-messages-request.ts';
import { isDiagnosed, namedInMessages } from './messages-ids.ts';
import {
  continuesThread,
  MESSAGES_PLACES,
  messagesCoverage,
  messagesRequestTexts,
  systemTextPath,
} from './messages-request-texts.ts';
import { MESSAGES_FRAMING, MessagesResponseFormat } from './messages-response-format.ts';
import type { CountTokensRequest, MessagesBlock, MessagesRequest } from './messages-schema.ts';
import { inVersions } from './messages-versions.ts';

/** The protocol in the versions that the request selects. Anthropic's SDKs add `?beta=true` to calls of its beta API. */
export function asSelected<Body>(protocol: Protocol<Body>, { headers, url }: ApiRequest['request']): Protocol<Body> {
  const chosen = inVersions(protocol, headers);
  const isBeta = url.includes('?') && new URL(url).searchParams.get('beta') === 'true';
  return isBeta ? { ...chosen, query: 'beta=true' } : chosen;
}

/** What message and token counting requests share. */
const SHARED = {
  texts: messagesRequestTexts,
  covered: messagesCoverage,
  addToPrompt: (body, text) => {
    // A thread keeps the prompt that it began with.
    if (continuesThread(body)) return undefined;
    const path = systemTextPath(body);
    if (path !== undefined) return { kind: 'append', path, text: `\n\n${text}` };
    const block = JSON.stringify({ type: 'text', text });
    if (Array.isArray(body.system)) return { kind: 'prepend', path: ['system'], json: block };
    return { kind: 'insert', path: [], key: 'system', json: JSON.stringify(text) };
  },
  boundInputTokens: boundMessagesInput,
  uncountedOutput: (value) => uncountedOutputField(value, ['max_tokens']),
  fieldNames: () => ({ maxOutputTokens: 'max_tokens', input: 'messages' }),
  furtherModels: (value) => furtherModels(value, MESSAGES_PLACES),
  namedIds: namedInMessages,
} satisfies Partial<Protocol<CountTokensRequest>>;

/** Anthropic's Messages API. */
export const MESSAGES_PROTOCOL: Protocol<MessagesRequest> = {
  ...SHARED,
  operation: 'anthropic-messages',
  framing: MESSAGES_FRAMING,
  responseKind: kindByStreamField,
  check: checkMessagesRequest,
  read: fromMessagesRequest,
  format: (request, head, { asked }) => new MessagesResponseFormat(request, head, isDiagnosed(asked)),
};

/** Anthropic's token counting API. */
export const COUNT_TOKENS_PROTOCOL: Protocol<CountTokensRequest> = {
  ...SHARED,
  operation: 'anthropic-count-tokens',
  framing: MESSAGES_FRAMING,
  responseKind: () => 'json',
  unbilled: true,
  check: checkCountTokensRequest,
  read: ({ model, messages, system, tools, tool_choice }) => ({
    ...fromMessagesRequest({ model, messages, system, tools, tool_choice }),
    choiceCount: 0,
  }),
  format: () => new TextlessFormat({}, readCount),
};

/** Parses `{"input_tokens": 14}`. Counted tokens are not usage. */
function readCount({ input_tokens: count }: Readonly<Record<string, unknown>>): TextlessResponse {
  return {
    usage: { inputTokens: 0, outputTokens: 0 },
    fault: Number.isSafeInteger(count) ? undefined : 'no token count',
  };
}

/** Tokens for roles and separators around each message, and for the prompt around tool definitions (the longest has 675 tokens). */
const PER_MESSAGE = 16;
const FOR_TOOLS = 1_000;
/** An image of at most 1,568 pixels on the long edge takes (width x height) / 750, about 1,600; the largest models take more. */
const PER_IMAGE = 5_000;
/** A file's size does not bound its tokens; the largest model context does. */
const LONGEST_CONTEXT = 2_000_000;

type Request = Pick<MessagesRequest, 'model' | 'messages' | 'system' | 'tools'> & {
  readonly mcp_servers?: unknown;
  readonly container?: unknown;
};

/**
 * An upper bound on the input tokens: the bytes of all text (a token has at least one byte), and fixed bounds for media. Anthropic's server
 * tools, MCP servers, containers and threads count as the whole context of the model.
 */
export function boundMessagesInput(body: Request, contextTokens = LONGEST_CONTEXT): number {
  const { model: _, messages, system, tools, ...others } = body;
  const content = (value: string | readonly MessagesBlock[] | undefined) =>
    typeof value === 'string'
      ? Buffer.byteLength(value)
      : (value ?? []).reduce((sum, block) => sum + boundOf(block), 0);
  const boundOf = (block: MessagesBlock): number => {
    const { source, ...beside } = block as { source?: unknown };
    if (block.type === 'image') return PER_IMAGE + bytesOf(beside);
    // A document, or a block of a type that we do not know.
    const isRead = isObject(source) ? source.type !== 'text' : block.type === 'document';
    if (isRead || block.type === 'container_upload') return contextTokens;
    if (block.type === 'tool_result' && Array.isArray(block.content)) {
      const { content: parts, ...rest } = block;
      return PER_MESSAGE + bytesOf(rest) + content(parts as MessagesBlock[]);
    }
    return bytesOf(block);
  };
  const contentBound = messages.reduce(
    (sum, { content: said, ...rest }) => sum + PER_MESSAGE + bytesOf(rest) + content(said),
    0,
  );
  const { mcp_servers: servers, container } = others;
  const hasServers = Array.isArray(servers) ? servers.length > 0 : servers != null;
  const reads = hasServerTools(tools, 'messages', 'custom') || hasServers || container != null || continuesThread(body);
  // Response schemas and unknown fields count too: the model may read all of them.
  const read = reads ? contextTokens : 0;
  return read + contentBound + content(system) + (tools ? FOR_TOOLS + bytesOf(tools) : 0) + bytesOf(others);
}
