/** A part of a text, and where it begins there. */
export interface TextPart {
  readonly text: string;
  readonly offset: number;
}

/** So much of the end of a part stands in the next one too, so that a sentence across the border is seen whole. */
const OVERLAP_CHARS = 200;
/** How far back from its longest length a part may end, to end at a space. */
const REACH_CHARS = 100;

/** The text in parts of at most `maxChars` (more than twice the overlap) that overlap and never cut a character in two. */
export function splitText(text: string, maxChars: number): TextPart[] {
  const parts: TextPart[] = [];
  let offset = 0;
  while (text.length - offset > maxChars) {
    const end = partEnd(text, offset + maxChars);
    parts.push({ text: text.slice(offset, end), offset });
    offset = wholeCharacter(text, end - OVERLAP_CHARS);
  }
  parts.push({ text: text.slice(offset), offset });
  return parts;
}

function partEnd(text: string, longest: number): number {
  const space = text.lastIndexOf(' ', longest - 1);
  return space >= longest - REACH_CHARS ? space : wholeCharacter(text, longest);
}

/** The offset, or the one before it where it would part a surrogate pair. */
function wholeCharacter(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff ? offset - 1 : offset;
}
