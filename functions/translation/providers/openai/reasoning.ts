import { toParam } from '../../../kernel/errors/index.ts';
import { isObject, type JsonEdit, type JsonPath } from '../../../kernel/json/index.ts';
import type { ChatMessage } from '../../../kernel/model/index.ts';
import { reasoningIn } from '../../protocols/openai-chat/chat-reasoning.ts';
import type { Translation } from '../../routing/index.ts';

/**
 * Where a server takes the reasoning of an assistant's message: a member, or a part of its content. `alone`: it refuses messages with the
 * members of other servers. `refused`: with any.
 */
export type ReasoningPlace = 'reasoning_content' | 'reasoning_content alone' | 'reasoning' | 'thinking' | 'refused';

/**
 * Models whose API takes reasoning back in `reasoning_content`: https://api-docs.deepseek.com/guides/thinking_mode,
 * https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model, https://docs.z.ai/guides/capabilities/thinking-mode,
 * https://help.aliyun.com/en/model-studio/deep-thinking, and Xiaomi's.
 */
const WITH_REASONING = /deepseek|kimi|glm-|qwen|mimo/i;
/** Of these, models that refuse a tool loop without it. */
const REQUIRES_REASONING = /deepseek|kimi|mimo/i;
/** Reasoning that is unknown: another provider's model wrote the message, or its client lost it. Empty texts are refused by some of them. */
const UNKNOWN_REASONING = '.';

const NOT_TAKEN = 'this model takes no reasoning back';

/** The place at a server that a deployment names, of which only the model is known. */
export function placeByModel(model: string): ReasoningPlace | undefined {
  return WITH_REASONING.test(model) ? 'reasoning_content' : undefined;
}

/** DeepSeek's, Moonshot's, Z.ai's and Fireworks' member: sources as above, and https://docs.fireworks.ai/guides/reasoning. */
export function thinkingOffByModel(model: string): object | undefined {
  return /deepseek|kimi|glm-/i.test(model) ? { thinking: { type: 'disabled' } } : undefined;
}

/** Whether a request's members turn thinking off; Together's is `reasoning`. */
export function isThinkingOff({ thinking, reasoning }: { thinking?: unknown; reasoning?: unknown }): boolean {
  return (isObject(thinking) && thinking.type === 'disabled') || (isObject(reasoning) && reasoning.enabled === false);
}

/**
 * The member in which Together's models return it, and take it back: https://docs.together.ai/docs/inference/chat/reasoning and, by model,
 * github.com/togethercomputer/skills (references/chat-completions/reasoning-models.md).
 */
export function placeAtTogether(model: string): ReasoningPlace | undefined {
  if (/gpt-oss|qwen/i.test(model)) return 'reasoning';
  return /kimi|deepseek|glm-|minimax/i.test(model) ? 'reasoning_content' : undefined;
}

/** Its models that think by default. */
export function offAtTogether(model: string): object | undefined {
  return /kimi|deepseek|glm-|qwen/i.test(model) ? { reasoning: { enabled: false } } : undefined;
}

/** What has the reasoning in a message to the server. */
export interface SentReasoning {
  readonly members: object;
  /** Parts before the content. */
  readonly parts: readonly object[];
}

/** The reasoning of translated messages, as the server takes it. What it does not take is reported as dropped. */
export class ReasoningWriter {
  private readonly place: ReasoningPlace | undefined;
  private readonly translation: Translation;
  private readonly unknown: string | undefined;

  constructor(
    messages: readonly ChatMessage[],
    { place, model, isOff }: { place: ReasoningPlace | undefined; model: string; isOff: boolean },
    translation: Translation,
  ) {
    this.place = place;
    this.translation = translation;
    const hasCalls = messages.some(({ toolCalls = [] }) => toolCalls.length > 0);
    this.unknown = hasCalls && !isOff && REQUIRES_REASONING.test(model) ? UNKNOWN_REASONING : undefined;
  }

  /** @param at the index of the message */
  write({ role, reasoning }: ChatMessage, at: number): SentReasoning {
    const { place } = this;
    if (role !== 'assistant') return { members: {}, parts: [] };
    const member = memberOf(place);
    if (member !== undefined) {
      const text = reasoning ?? this.unknown;
      return { members: text === undefined ? {} : { [member]: text }, parts: [] };
    }
    if (reasoning === undefined) return { members: {}, parts: [] };
    if (place === 'thinking') return { members: {}, parts: [thinkingPart(reasoning)] };
    this.translation.dropped(`messages[${at}].reasoning`, NOT_TAKEN);
    return { members: {}, parts: [] };
  }
}

function memberOf(place: ReasoningPlace | undefined): 'reasoning_content' | 'reasoning' | undefined {
  if (place === 'reasoning') return place;
  return place === 'reasoning_content' || place === 'reasoning_content alone' ? 'reasoning_content' : undefined;
}

/** https://docs.mistral.ai/capabilities/reasoning */
function thinkingPart(text: string): object {
  return { type: 'thinking', thinking: [{ type: 'text', text }] };
}

/** Members of a message that some servers name otherwise. */
const MEMBERS = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;

/**
 * The edits of a chat completion's body that give reasoning of an earlier provider the server's form. A client replays what it got, and a
 * request may go to another provider than the one before.
 */
export function reasoningEdits(
  body: object,
  place: ReasoningPlace | undefined,
  model: string,
  translation: Translation,
): JsonEdit[] {
  const { messages } = body as { readonly messages?: unknown };
  if (place === undefined || !Array.isArray(messages)) return [];
  const hasCalls = messages.some((one) => isObject(one) && Array.isArray(one.tool_calls) && one.tool_calls.length > 0);
  const unknown = hasCalls && !isThinkingOff(body) && REQUIRES_REASONING.test(model) ? UNKNOWN_REASONING : undefined;
  const edits = messages.flatMap((message, at) =>
    isObject(message) && message.role === 'assistant' ? editsOf(message, ['messages', at], place, unknown) : [],
  );
  if (place === 'refused') for (const { path } of edits) translation.dropped(toParam(path), NOT_TAKEN);
  return edits;
}

function editsOf(
  message: Readonly<Record<string, unknown>>,
  path: JsonPath,
  place: ReasoningPlace,
  unknown: string | undefined,
): JsonEdit[] {
  const text = reasoningIn(message);
  const { content } = message;
  const parts = Array.isArray(content) ? content.filter((part) => !isThinking(part)) : [];
  const hasThinking = Array.isArray(content) && parts.length < content.length;
  if (place === 'refused' || place === 'thinking') {
    const members = MEMBERS.filter((name) => Object.hasOwn(message, name));
    const removed = members.map((name): JsonEdit => ({ kind: 'remove', path: [...path, name] }));
    if (place === 'refused')
      return hasThinking ? [...removed, setMember(message, path, 'content', orNull(parts))] : removed;
    if (hasThinking || text === undefined) return removed;
    const answer = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : parts;
    return [...removed, setMember(message, path, 'content', [thinkingPart(text), ...answer])];
  }
  const member = memberOf(place) as string;
  const others = place === 'reasoning_content alone' ? MEMBERS.filter((name) => name !== member) : [];
  const edits = others
    .filter((name) => Object.hasOwn(message, name))
    .map((name): JsonEdit => ({ kind: 'remove', path: [...path, name] }));
  if (hasThinking) edits.push(setMember(message, path, 'content', orNull(parts)));
  // OpenRouter's list holds what the string repeats, with signatures.
  const hasDetails = place === 'reasoning' && message.reasoning_details != null;
  const sent = text ?? unknown;
  if (message[member] || hasDetails || sent === undefined) return edits;
  return [...edits, setMember(message, path, member, sent)];
}

/** No content instead of an empty list, which servers refuse. */
function orNull(parts: readonly unknown[]): readonly unknown[] | null {
  return parts.length === 0 ? null : parts;
}

function setMember(holder: object, path: JsonPath, key: string, value: unknown): JsonEdit {
  const json = JSON.stringify(value);
  return Object.hasOwn(holder, key)
    ? { kind: 'replace', path: [...path, key], json }
    : { kind: 'insert', path, key, json };
}

function isThinking(part: unknown): boolean {
  return isObject(part) && part.type === 'thinking';
}
