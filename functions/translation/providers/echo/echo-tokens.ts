import type { ChatRequest } from '../../../kernel/model/index.ts';

/** A token of the echo model: a word with the space before it, or a single other character. Its length is bounded, for the pauses. */
const TOKEN = /\s{0,256}[\p{L}\p{N}_]{1,256}|\s{0,256}[^\s\p{L}\p{N}_]|\s{1,256}/gu;

/** The tokens of a text; joined, they are the text. */
export function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/** Units that take about a millisecond to split. */
const STEP_UNITS = 32_768;

/** Says when other tasks may run: after about a millisecond of work, of one text or of many. */
export class Pauses {
  private units = 0;

  /** Whether a pause is due after so many more units. */
  areDue(units: number): boolean {
    this.units += units;
    return this.units >= STEP_UNITS;
  }

  async next(): Promise<void> {
    this.units = 0;
    await new Promise(setImmediate);
  }
}

/** The first `most` tokens of a text, and how many it has. */
export async function firstTokens(
  text: string,
  most: number,
  pauses = new Pauses(),
): Promise<{ readonly first: string[]; readonly count: number }> {
  const first: string[] = [];
  let count = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (count < most) first.push(token);
    count += 1;
    if (pauses.areDue(token.length)) await pauses.next();
  }
  return { first, count };
}

/** The number of tokens in all texts of a request. */
export async function countInput(request: ChatRequest): Promise<number> {
  const pauses = new Pauses();
  let sum = 0;
  for (const { parts } of request.messages) {
    for (const part of parts) if (part.type === 'text') sum += (await firstTokens(part.text, 0, pauses)).count;
  }
  return sum;
}
