/** What all rules of this family have in common. */
export const SHARED = {
  type: 'pii',
  view: 'exact',
  surfaces: ['user', 'tool', 'output'],
  owasp: 'LLM02:2025',
  atlas: 'AML.T0057',
} as const;

/** What stands before numbers that count or name things: orders, parts, versions. */
const NAMES_A_THING =
  /(?:order|invoice|ticket|case|ref(?:erence)?|tracking|serial|part|model|sku|item|article|product|batch|lot|version|build|commit|revision|isbn|issn|doi|ean|upc|gtin|barcode|flight|booking|confirmation|transaction|trace|request|session|port|rfc|bug|issue|pr|id)\.?\s?(?:no|num(?:ber)?|nr|id|code|#)?\.?\s?(?:is|was)?[\s:#=("'-]{0,4}$/i;

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const FIRST_LETTER = 0x41;

/** Whether the text before a number says that it is the number of a thing. */
export function namesAThing(before: string): boolean {
  return mayEndInWords(before) && NAMES_A_THING.test(before);
}

/**
 * Whether what stands behind the last digit could have words in it: where number follows number it has none, and no list of
 * words need be looked for.
 */
export function mayEndInWords(before: string): boolean {
  for (let at = before.length - 1; at >= 0; at--) {
    const unit = before.charCodeAt(at);
    if (unit >= FIRST_LETTER) return true;
    if (unit >= DIGIT_0 && unit <= DIGIT_9) return false;
  }
  return false;
}
