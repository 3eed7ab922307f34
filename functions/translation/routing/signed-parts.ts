import type { ChatMessage, ContentPart, SignedPart, ToolCall } from '../../kernel/model/index.ts';

/** How a provider's API has the parts of an assistant's message. */
export interface PartWriters<Block> {
  /** @param at its index in the message */
  text(part: ContentPart, at: number): readonly Block[];
  call(call: ToolCall, at: number): readonly Block[];
  signed(block: SignedPart['block']): readonly Block[];
}

/**
 * The blocks of an assistant's message in their order: texts, then calls, with each signed part where the model wrote it. Models refuse a
 * turn whose signed parts are elsewhere. A text is split there.
 */
export function inPlaces<Block>(
  { parts, toolCalls = [], signed = [] }: Pick<ChatMessage, 'parts' | 'toolCalls' | 'signed'>,
  write: PartWriters<Block>,
): Block[] {
  const blocks: Block[] = [];
  let next = 0;
  const writeSigned = (isBefore: (one: SignedPart) => boolean) => {
    for (let one = signed[next]; one !== undefined && isBefore(one); one = signed[next]) {
      blocks.push(...write.signed(one.block));
      next += 1;
    }
  };
  let written = 0;
  for (const [at, part] of parts.entries()) {
    const length = part.type === 'text' ? part.text.length : 0;
    let from = 0;
    writeSigned(({ text, calls }) => calls === 0 && text <= written);
    for (let one = signed[next]; one?.calls === 0 && one.text < written + length; one = signed[next]) {
      const end = one.text - written;
      blocks.push(...write.text(pieceOf(part, from, end), at));
      from = end;
      writeSigned(({ text, calls }) => calls === 0 && text <= written + end);
    }
    blocks.push(...write.text(from === 0 ? part : pieceOf(part, from), at));
    written += length;
  }
  for (const [at, call] of toolCalls.entries()) {
    writeSigned(({ calls }) => calls <= at);
    blocks.push(...write.call(call, at));
  }
  writeSigned(() => true);
  return blocks;
}

/** The cache hint of a text is at its end. */
function pieceOf(part: ContentPart, from: number, to?: number): ContentPart {
  if (part.type !== 'text') return part;
  const { cache, ...rest } = part;
  return { ...rest, text: part.text.slice(from, to), ...(to === undefined && cache && { cache }) };
}
