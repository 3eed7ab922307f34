/** Characters that a page does not show, or shows like another one: controls, invisible ones, and spaces other than the usual. */
const HIDDEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const MANY_SPACES = / {4,}/g;

/** A text as a person must see it before a decision: each hidden character as its code point, and many spaces as their number. */
export function visibleText(text: string): string {
  return text
    .replace(HIDDEN, (char) => `<U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}>`)
    .replace(MANY_SPACES, ({ length }) => ` <${length} spaces> `);
}

/** The start of such a text, with the number of characters that are left out. */
export function visibleStart(text: string, longest: number): string {
  const shown = visibleText(text);
  const chars = [...shown];
  return chars.length <= longest ? shown : `${chars.slice(0, longest).join('')}… +${chars.length - longest} characters`;
}
