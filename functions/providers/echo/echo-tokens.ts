import type { ChatRequest } from '../../core/model/chat.ts';

/** A token of the echo model: a word with the space before it, or a single other character. */
const TOKEN = /\s*[\p{L}\p{N}_]+|\s*[^\s\p{L}\p{N}_]|\s+/gu;

/** The tokens of a text; together they are the text. */
export function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/** The tokens of all texts of a request. */
export function countInput(request: ChatRequest): number {
  const texts = request.messages.flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')));
  return texts.reduce((sum, text) => sum + tokensOf(text).length, 0);
}
