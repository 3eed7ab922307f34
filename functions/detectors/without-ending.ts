/** A text without the signs that end it, as a sentence's punctuation ends an address. Linear, which `/[...]+$/` is not. */
export function withoutEnding(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
