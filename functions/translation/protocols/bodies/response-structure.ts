import { boundJson, boundParsed, type JsonBounds, PARSE_BOUNDS } from '../../../kernel/json/index.ts';

/** A response that is translated: its schemas take longer, and it has no log probabilities. */
const TRANSLATED_BOUNDS: JsonBounds = { ...PARSE_BOUNDS, nodes: 40_000, values: 40_000 };

/** The value of a response, or of one event, that is translated. @throws RangeError, SyntaxError */
export function parseTranslated(text: string): unknown {
  boundParsed(text);
  boundJson(text, TRANSLATED_BOUNDS);
  return JSON.parse(text);
}
