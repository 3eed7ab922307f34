/** Tags around text that clients attach to a message: `<name>...</name>`. */
const OPENING = /^\s{0,8}<([\w-]{1,64})>/;
/** Longer than any closing tag with the spaces after it. */
const LAST_UNITS = 80;
const CLOSING = /<\/([\w-]{1,64})>\s{0,8}$/;

/** The end of a text's opening tag; 0 if there is none. */
export function openingTagEnd(text: string): number {
  return OPENING.exec(text)?.[0].length ?? 0;
}

/** The start of a text's closing tag; the text's length if there is none. */
export function closingTagStart(text: string): number {
  const match = CLOSING.exec(text.slice(-LAST_UNITS));
  return match === null ? text.length : text.length - match[0].length;
}

/** Whether a pair of tags encloses all of a text. */
export function isEnclosedInTags(text: string): boolean {
  const name = OPENING.exec(text)?.[1];
  return name !== undefined && CLOSING.exec(text.slice(-LAST_UNITS))?.[1] === name;
}
