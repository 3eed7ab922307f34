import type { ChatRequest, Usage } from '../model/chat.ts';
import type { Exchange } from './exchange.ts';

/** English text has about this many characters a token (OpenAI's own rule of thumb). */
const CHARS_PER_TOKEN = 4;

/**
 * What a provider will have counted, where it has told nothing: by the characters of the answer that came. `cutOffTokens`: an answer
 * that was cut off counts as so many instead, since it is no text.
 */
export function estimateUsage(
  request: ChatRequest,
  { receivedChars, outcome }: Pick<Exchange, 'receivedChars' | 'outcome'>,
  cutOffTokens?: number,
): Usage {
  const texts = request.messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text.length : 0)));
  const inputChars = texts.reduce((sum, length) => sum + length, 0);
  return {
    inputTokens: Math.ceil(inputChars / CHARS_PER_TOKEN),
    outputTokens:
      cutOffTokens !== undefined && outcome !== 'completed' ? cutOffTokens : Math.ceil(receivedChars / CHARS_PER_TOKEN),
  };
}
