/** Placeholder words and runs. */
const PLACEHOLDER =
  /example|placeholder|dummy|sample|changeme|change_me|redacted|insert|replace|x{4,}|\*{3,}|\.{3}|(?:^|[^a-z])(?:your|fake|my|some)[-_ ]|yourkey|here$/i;
/** One repeated character; `A` is base64 of zeros. */
const RUN = /([^A])\1{5,}/;
/** Consecutive keys of a keyboard or letters of an alphabet: typed, not random. */
const SEQUENCE =
  /abcdef|bcdefg|ghijkl|mnopqr|uvwxyz|012345|123456|234567|456789|987654|qwerty|(?:abc|xyz)123|123(?:abc|xyz)/i;

/** Bits of information per character, by its frequency in the text itself: 0 for one repeated character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Whether it is a placeholder for a secret, such as `xxxx` or `AKIA...EXAMPLE`. */
export function isPlaceholder(text: string): boolean {
  return isMadeUp(text) || isSequence(text);
}

/** Whether it names itself a placeholder, or repeats one character. */
export function isMadeUp(text: string): boolean {
  return PLACEHOLDER.test(text) || RUN.test(text);
}

/** Whether characters in it follow each other as on a keyboard or in the alphabet. */
export function isSequence(text: string): boolean {
  return SEQUENCE.test(text);
}

/** Whether it could be the output of a random generator: no placeholder, and at least so many bits per character. */
export function looksRandom(text: string, minEntropy: number): boolean {
  return !isPlaceholder(text) && entropy(text) >= minEntropy;
}

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

function kindOf(unit: number): number {
  if (unit >= 48 && unit <= 57) return DIGIT;
  if (unit >= 65 && unit <= 90) return UPPER;
  return unit >= 97 && unit <= 122 ? LOWER : 0;
}

/**
 * How often the kind of character changes (lower case, upper case, digits) from one to the next, 0..1; a capital before
 * small letters does not count, so that camel case has few changes. Random letters and digits change at every second or
 * third character, names and sentences rarely, however unusual their letters are.
 */
export function characterKindChanges(text: string): number {
  let changes = 0;
  let pairs = 0;
  let previous = 0;
  for (let at = 0; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind !== 0 && previous !== 0) {
      pairs += 1;
      if (kind !== previous && !(previous === UPPER && kind === LOWER)) changes += 1;
    }
    previous = kind;
  }
  return pairs === 0 ? 0 : changes / pairs;
}

/**
 * Parts of well-known keys: Google publishes these in Chromium and in its documentation, and gitleaks allows
 * them too; the others are from widely copied tutorials. Parts only, so that no scanner finds a key here.
 */
const KNOWN_PARTS: readonly string[] = [
  'LA7NfeLquW1tJFp',
  'EhVjf3pduRDt6d1',
  'AScliyLx7F0NPDE',
  '3asb-2pEZVqMkmL',
  'NSXIbFmlXbIE6mC',
  'dOS2zB6NCsk1pCd',
  'SWm6HmTMdYWpgMn',
  'NUvH9H9BsUccjsu',
  '5_iVawFQ8ABuTZN',
  '4UrcGxgwQFTfaI3',
  'Sb51JiIcB6OJpww',
  'F2RrAIm4a0mO64E',
  'cE-OOIbhjyR83gm',
  '8qGxt4ec15vitgn',
  '8vmApnrHNFE0bAp',
  'Tesb6Tscfcni8vI',
  // The webhook secret of the Standard Webhooks specification, and the key of RFC 4231's relatives in AWS's manuals.
  'MfKQ9r8GKYqrTwj',
  'bPxRfiCYEXAMPLE',
];

export function isKnownPublic(text: string): boolean {
  return KNOWN_PARTS.some((part) => text.includes(part));
}
