import type { ChatRequest } from '../../core/model/chat.ts';

/** A token of the echo model: a word with the space before it, or a single other character. */
const TOKEN = /\s*[\p{L}\p{N}_]+|\s*[^\s\p{L}\p{N}_]|\s+/gu;

/** The tokens of a text; together they are the text. */
export function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/** So many tokens of a long text are found in a millisecond or so: others go first then. */
const STEP_TOKENS = 8192;

/** The first tokens of a text, at most so many, and how many it has. */
export async function firstTokens(
  text: string,
  most: number,
): Promise<{ readonly first: string[]; readonly count: number }> {
  const first: string[] = [];
  let count = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (count < most) first.push(token);
    count += 1;
    if (count % STEP_TOKENS === 0) await new Promise(setImmediate);
  }
  return { first, count };
}

/** How many tokens all texts of a request have. */
export async function countInput(request: ChatRequest): Promise<number> {
  let sum = 0;
  for (const { parts } of request.messages) {
    for (const part of parts) if (part.type === 'text') sum += (await firstTokens(part.text, 0)).count;
  }
  return sum;
}
