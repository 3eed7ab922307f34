const PLACEHOLDER =
  /example|placeholder|dummy|sample|changeme|change_me|redacted|insert|replace|x{4,}|\*{3,}|\.{3}|(?:^|[^a-z])(?:your|fake|my|some)[-_ ]|yourkey|abcdef|012345|123456|987654|qwerty|(.)\1{5,}/i;

/** Bits of information a character, by how often each occurs in the text itself: 0 for one repeated character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Whether it is written by a person to stand for a secret, such as `xxxx` or `AKIA...EXAMPLE`. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

/** Whether it could be the output of a random generator: no placeholder, and at least so many bits a character. */
export function looksRandom(text: string, minEntropy: number): boolean {
  return !isPlaceholder(text) && entropy(text) >= minEntropy;
}
