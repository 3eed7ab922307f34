import type { Behaviour, MockToolCall } from './behaviour.ts';
import type { ProviderRequest } from './provider-request.ts';

export interface ReplyText {
  text: string;
  /** The content deltas; joined they are the text. */
  pieces: string[];
}

/** What the model says, before it is put in a provider's shape. */
export interface ReplyContent {
  /** Empty where there are only tool calls. */
  texts: ReplyText[];
  toolCalls: MockToolCall[];
  completionTokens: number;
}

export function replyContent(behaviour: Behaviour, request: ProviderRequest): ReplyContent {
  const toolCalls = behaviour.toolCalls ?? [];
  const texts = replyTexts(behaviour, request, toolCalls.length > 0);
  const said = [...texts.map(({ text }) => text), ...toolCalls.map((call) => call.name + call.arguments)];
  const length = said.reduce((sum, text) => sum + text.length, 0);
  return { texts, toolCalls, completionTokens: Math.ceil(length / 4) };
}

function replyTexts(behaviour: Behaviour, request: ProviderRequest, hasToolCalls: boolean): ReplyText[] {
  const { text, pieces } = behaviour;
  const given = behaviour.texts ?? (text === undefined ? undefined : Array<string>(request.choices).fill(text));
  if (given !== undefined) {
    return given.map((one, index) => ({ text: one, pieces: index === 0 && pieces ? pieces : words(one) }));
  }
  if (pieces !== undefined) return Array<ReplyText>(request.choices).fill({ text: pieces.join(''), pieces });
  if (hasToolCalls) return [];
  const echo = behaviour.leaksSystem ? request.systemText : request.lastUserText;
  return Array<ReplyText>(request.choices).fill({ text: echo, pieces: words(echo) });
}

/** Splits before each word; joined, the parts are the text again. */
export function words(text: string): string[] {
  return text.match(/^\s*\S*\s*|\S+\s*/g)?.filter((word) => word !== '') ?? [];
}

/** A tool call's arguments as streamed: eight characters at a time. */
export function argumentPieces(text: string): string[] {
  return text.match(/[\s\S]{1,8}/gu) ?? [];
}

let issued = 0;

/** An id of the provider's length that no other reply has. */
export function replyId(prefix: string, length: number): string {
  issued += 1;
  return prefix + issued.toString(36).padStart(length, 'Mock0');
}
