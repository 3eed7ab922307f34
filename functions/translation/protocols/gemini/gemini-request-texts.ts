import type { JsonPath } from '../../../kernel/json/index.ts';
import {
  type Author,
  type RequestText,
  type RequestTexts,
  type Skipped,
  turnsAgo,
} from '../../../kernel/model/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import type { Places } from '../bodies/request-places.ts';
import { fieldsOutsideMessages, isSealed, outsideMessages, RequestTextReader } from '../bodies/request-texts.ts';
import { GEMINI_PLACES, inCamelCaseName } from './gemini-names.ts';

const SYSTEM = new Set(['systemInstruction', 'system_instruction']);
/** Members that the operator of the calling application writes. */
const OPERATORS = new Set(['tools', 'toolConfig', 'tool_config', 'generationConfig', 'generation_config']);
const RESULTS = ['functionResponse', 'function_response', 'codeExecutionResult', 'code_execution_result'];
const RESPONSES = ['functionResponse', 'function_response'];
const MEDIA = { inlineData: 'media', inline_data: 'media', fileData: 'file', file_data: 'file' } as const;

type Json = Readonly<Record<string, unknown>>;

/**
 * Every string of a request that could carry an instruction, in order, as sent. Trust follows the role and the kind of part.
 * @param at the path of the request, if it is in another
 */
export function* geminiRequestTexts(
  sent: Json,
  places: Places = GEMINI_PLACES,
  at: JsonPath = [],
): Steps<RequestTexts> {
  const { contents: given, ...others } = sent;
  const contents = given as readonly { readonly role?: string; readonly parts: readonly Json[] }[];
  const reader = new RequestTextReader(places);
  const skipped: Skipped[] = [];
  for (const [name, value] of Object.entries(others)) {
    if (SYSTEM.has(name)) yield* reader.read({ [name]: value }, at, outsideMessages('operator'));
  }
  const ages = turnsAgo(contents.map(({ role }) => (role === 'model' ? 'assistant' : 'user')));
  for (const [turn, { parts, ...rest }] of contents.entries()) {
    const own: Author = rest.role === 'model' ? 'assistant' : 'user';
    const ofTurn = { message: turn, turnsAgo: ages[turn] as number, seals: own === 'assistant' };
    const path = [...at, 'contents', turn];
    for (const [index, part] of parts.entries()) {
      const isResult = RESULTS.some((name) => name in part);
      yield* reader.read(part, [...path, 'parts', index], {
        ...ofTurn,
        author: isResult ? 'tool' : own,
        isContent: () => 'text' in part || isResult,
        isReadOnly: (place) => place === 'contents[].parts[].text' && own === 'assistant' && isSealedThought(part),
      });
      skipped.push(...mediaIn(part, [...path, 'parts', index]));
    }
    yield* reader.read(rest, path, { ...ofTurn, author: own });
  }
  for (const [name, value] of Object.entries(others)) {
    if (inCamelCaseName(name) === 'cachedContent' && value != null)
      skipped.push({ path: [...at, name], what: 'cached content' });
    if (!SYSTEM.has(name))
      yield* reader.read({ [name]: value }, at, outsideMessages(OPERATORS.has(name) ? 'definition' : 'user'));
  }
  return { texts: reader.texts, skipped };
}

/** Whether a part is reasoning signed by Google. */
function isSealedThought({
  thought,
  thoughtSignature,
  thought_signature: signature = thoughtSignature,
}: Json): boolean {
  return thought === true && isSealed(signature);
}

/** The media of a part and of the result that it holds: `contents[0].parts[1]: media`. */
export function mediaIn(part: Json, path: JsonPath): Skipped[] {
  const own = Object.entries(MEDIA).flatMap(([name, what]) => (name in part ? [{ path, what }] : []));
  const results = RESPONSES.flatMap((name) => {
    const { parts } = Object(part[name]) as { parts?: unknown };
    if (!Array.isArray(parts)) return [];
    return parts.flatMap((one, at) => mediaIn(Object(one), [...path, name, 'parts', at]));
  });
  return [...own, ...results];
}

/** Such as `contents[0..3]`, and the names of the other fields that hold texts. */
export function geminiCoverage(sent: Json, texts: readonly RequestText[]): string[] {
  const last = (sent.contents as readonly unknown[]).length - 1;
  return [last === 0 ? 'contents[0]' : `contents[0..${last}]`, ...fieldsOutsideMessages(texts)];
}

/** The path of the last text of the system instruction; undefined if there is none. */
export function systemTextPath(sent: Json): JsonPath | undefined {
  const name = Object.keys(sent).find((field) => SYSTEM.has(field));
  if (name === undefined) return undefined;
  const { parts } = sent[name] as { parts: readonly Json[] };
  const at = parts.findLastIndex(({ text }) => typeof text === 'string');
  return at < 0 ? undefined : [name, 'parts', at, 'text'];
}
