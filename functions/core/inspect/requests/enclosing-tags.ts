/** Tags in which clients enclose what they attach to a message: `<name>...</name>`. */
const OPENING = /^\s{0,8}<([\w-]{1,64})>/;
/** Longer than any closing tag with the spaces behind it. */
const LAST_UNITS = 80;
const CLOSING = /<\/([\w-]{1,64})>\s{0,8}$/;

/** Where the tag that opens a text ends; 0 where it opens with none. */
export function openingTagEnd(text: string): number {
  return OPENING.exec(text)?.[0].length ?? 0;
}

/** Where the tag that closes a text starts; its length where it closes with none. */
export function closingTagStart(text: string): number {
  const match = CLOSING.exec(text.slice(-LAST_UNITS));
  return match === null ? text.length : text.length - match[0].length;
}

/** Whether one tag encloses a text. */
export function isEnclosed(text: string): boolean {
  const name = OPENING.exec(text)?.[1];
  return name !== undefined && CLOSING.exec(text.slice(-LAST_UNITS))?.[1] === name;
}
