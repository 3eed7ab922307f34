import type { ChatRequest, Usage } from '../model/chat.ts';
import type { Exchange } from './exchange.ts';

/** English text has about this many characters a token (OpenAI's own rule of thumb). */
const CHARS_PER_TOKEN = 4;

/**
 * What a provider will have counted, where it has told nothing: by the characters that were sent and came. `cutOff` is what an answer
 * counts as that was cut off, where its texts do not tell.
 */
export function estimateUsage(
  request: ChatRequest,
  { receivedChars, outcome }: Pick<Exchange, 'receivedChars' | 'outcome'>,
  cutOff?: Usage,
): Usage {
  const texts = request.messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text.length : 0)));
  const inputChars = texts.reduce((sum, length) => sum + length, 0);
  return {
    inputTokens: Math.ceil(inputChars / CHARS_PER_TOKEN),
    outputTokens: Math.ceil(receivedChars / CHARS_PER_TOKEN),
    ...(outcome !== 'completed' && cutOff),
  };
}
