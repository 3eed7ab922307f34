import { nameWithDigest, sha256 } from '../../kernel/crypto/index.ts';
import type {
  ChatCompletion,
  ChatDelta,
  ChatMessage,
  ChatRequest,
  JsonFormat,
  OtherField,
} from '../../kernel/model/index.ts';
import type { ChatCall, ProviderResponse } from '../routing/index.ts';

/** Which names an API takes. */
interface Grammar {
  readonly valid: RegExp;
  /** A valid name in place of another one. `salt` makes it another valid name. */
  readonly fit: (name: string, salt: string) => string;
}

/** What an API takes as the names that callers choose. */
export interface NameGrammar {
  /** Of tools, and of schemas of responses. */
  readonly tool: Grammar;
  /** Ids of tool calls; any if absent. */
  readonly callId?: Grammar;
  /** The end user's id; any if absent. */
  readonly endUser?: Grammar;
}

/** Letters, digits, `_` and `-`. */
function plainName(maxChars: number): Grammar {
  return {
    valid: new RegExp(`^[a-zA-Z0-9_-]{1,${maxChars}}$`),
    fit: (name, salt) => nameWithDigest(name.replace(/[^a-zA-Z0-9_-]/g, '_'), maxChars, name + salt),
  };
}

/** Any text of a length. */
function anyName(maxChars: number): Grammar {
  return {
    valid: new RegExp(`^[^]{1,${maxChars}}$`),
    fit: (name, salt) => nameWithDigest(name.replace(/[^\x21-\x7e]/g, '_'), maxChars, name + salt),
  };
}

/** https://platform.openai.com/docs/api-reference/chat/create; longer ids and users get `string_above_max_length`. */
export const CHAT_NAMES: NameGrammar = { tool: plainName(64), callId: anyName(40), endUser: anyName(64) };
/** "Tool call id ... must be a-z, A-Z, 0-9, with a length of 9" */
export const MISTRAL_NAMES: NameGrammar = {
  ...CHAT_NAMES,
  callId: {
    valid: /^[a-zA-Z0-9]{9}$/,
    fit: (id, salt) =>
      sha256(Buffer.from(id + salt))
        .toString('hex')
        .slice(0, 9),
  },
};
/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use and, for the user, /docs/en/api/messages */
export const ANTHROPIC_NAMES: NameGrammar = { tool: plainName(64), callId: plainName(256), endUser: anyName(256) };
/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html */
export const CONVERSE_NAMES: NameGrammar = { tool: plainName(64), callId: plainName(64), endUser: anyName(256) };
/** https://ai.google.dev/api/caching#FunctionDeclaration */
export const GEMINI_NAMES: NameGrammar = {
  tool: {
    valid: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
    fit: (name, salt) => nameWithDigest(`_${name.replace(/[^a-zA-Z0-9_.:-]/g, '_')}`, 64, name + salt),
  },
};

/**
 * Calls a provider of another API with names that this API takes, and returns its response with the caller's names. The history has the same
 * names, so a conversation goes on.
 */
export async function withFittedNames(
  call: ChatCall,
  grammar: NameGrammar,
  complete: (call: ChatCall) => Promise<ProviderResponse>,
): Promise<ProviderResponse> {
  const { request, callersTools } = fitNames(call.request, grammar);
  const response = await complete(request === call.request ? call : { ...call, request });
  if (callersTools.size === 0) return response;
  const nameOf = (name: string) => callersTools.get(name) ?? name;
  switch (response.kind) {
    case 'translated':
      return { ...response, completion: renameCalls(response.completion, nameOf) };
    case 'translated-stream':
      return { ...response, deltas: renameDeltas(response.deltas, nameOf) };
    default:
      return response;
  }
}

interface FittedRequest {
  /** The request itself if all of its names are valid. */
  readonly request: ChatRequest;
  /** The caller's names of the tools that have another one. */
  readonly callersTools: ReadonlyMap<string, string>;
}

export function fitNames(request: ChatRequest, { tool, callId, endUser }: NameGrammar): FittedRequest {
  const { messages, tools, toolChoice, others } = request;
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
  const chosen = typeof toolChoice === 'object' ? [toolChoice.name] : [];
  const named = fitted([...(tools ?? []).map(({ name }) => name), ...chosen, ...calls.map(({ name }) => name)], tool);
  const results = messages.flatMap(({ toolCallId }) => (toolCallId === undefined ? [] : [toolCallId]));
  const ids =
    callId === undefined ? new Map<string, string>() : fitted([...calls.map(({ id }) => id), ...results], callId);
  const changed = others.map((field) => fitField(field, tool, endUser));
  const isUnchanged = named.size === 0 && ids.size === 0 && changed.every((field, at) => field === others[at]);
  if (isUnchanged) return { request, callersTools: named };
  const nameOf = (name: string) => named.get(name) ?? name;
  return {
    request: {
      ...request,
      messages: messages.map((message) => fitMessage(message, nameOf, (id) => ids.get(id) ?? id)),
      ...(tools && { tools: tools.map((one) => ({ ...one, name: nameOf(one.name) })) }),
      ...(typeof toolChoice === 'object' && { toolChoice: { name: nameOf(toolChoice.name) } }),
      others: changed,
    },
    callersTools: new Map([...named].map(([callers, sent]) => [sent, callers])),
  };
}

/** Other names for those that are not valid. No two are equal, nor equal to a valid one. */
function fitted(names: readonly string[], { valid, fit }: Grammar): ReadonlyMap<string, string> {
  const taken = new Set(names.filter((name) => valid.test(name)));
  const others = new Map<string, string>();
  for (const name of new Set(names)) {
    if (taken.has(name)) continue;
    let sent = fit(name, '');
    for (let count = 1; taken.has(sent); count += 1) sent = fit(name, ` ${count}`);
    taken.add(sent);
    others.set(name, sent);
  }
  return others;
}

function fitField(field: OtherField, tool: Grammar, endUser: Grammar | undefined): OtherField {
  const { meaning, value } = field;
  if (meaning === 'end_user' && typeof value === 'string' && endUser && !endUser.valid.test(value)) {
    return { ...field, value: endUser.fit(value, '') };
  }
  const name = meaning === 'response_format' ? (value as JsonFormat).name : undefined;
  if (name === undefined || tool.valid.test(name)) return field;
  return { ...field, value: { ...(value as JsonFormat), name: tool.fit(name, '') } };
}

type Rename = (name: string) => string;

function fitMessage(message: ChatMessage, nameOf: Rename, idOf: Rename): ChatMessage {
  const { toolCalls, toolCallId } = message;
  if (toolCalls === undefined && toolCallId === undefined) return message;
  return {
    ...message,
    ...(toolCalls && { toolCalls: toolCalls.map((call) => ({ ...call, id: idOf(call.id), name: nameOf(call.name) })) }),
    ...(toolCallId !== undefined && { toolCallId: idOf(toolCallId) }),
  };
}

function renameCalls(completion: ChatCompletion, nameOf: Rename): ChatCompletion {
  const choices = completion.choices.map((choice) =>
    choice.toolCalls === undefined
      ? choice
      : { ...choice, toolCalls: choice.toolCalls.map((call) => ({ ...call, name: nameOf(call.name) })) },
  );
  return { ...completion, choices };
}

async function* renameDeltas(
  deltas: AsyncIterable<readonly ChatDelta[]>,
  nameOf: Rename,
): AsyncGenerator<readonly ChatDelta[]> {
  for await (const batch of deltas) {
    yield batch.map((delta) => (delta.type === 'tool_call' ? { ...delta, name: nameOf(delta.name) } : delta));
  }
}
