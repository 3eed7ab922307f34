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

/** Whether the text before a number says that it is the number of a thing. */
export function namesAThing(before: string): boolean {
  return NAMES_A_THING.test(before);
}
