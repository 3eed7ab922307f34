import type { ChatRequest, Usage } from '../model/chat.ts';

/** English text has about this many characters a token (OpenAI's own rule of thumb). */
const CHARS_PER_TOKEN = 4;

/** What a provider will have counted, where it has told nothing; `outputChars` of the answer came. */
export function estimateUsage(request: ChatRequest, outputChars: number): Usage {
  const texts = request.messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text.length : 0)));
  const inputChars = texts.reduce((sum, length) => sum + length, 0);
  return {
    inputTokens: Math.ceil(inputChars / CHARS_PER_TOKEN),
    outputTokens: Math.ceil(outputChars / CHARS_PER_TOKEN),
  };
}
