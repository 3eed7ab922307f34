import { turnsAgo } from '../../inspect/conversation/turns-ago.ts';
import { type Author, outsideMessages, type RequestText, SURFACES } from '../../inspect/request-text.ts';
import type { JsonPath } from '../../json/json-splice.ts';
import { collectTexts, type IsFixed, type TakeText } from '../collect-texts.ts';
import type { RequestTexts } from '../protocol.ts';
import { isFree } from './gemini-names.ts';

/** Base64, addresses of files and signatures: not text, however long. */
const OPAQUE = new Set(['data', 'fileUri', 'file_uri', 'thoughtSignature', 'thought_signature']);
/** Names and switches that the protocol fixes. */
const FIXED = new Set(['role', 'mimeType', 'mime_type', 'id']);
const SYSTEM = new Set(['systemInstruction', 'system_instruction']);
/** The operator of the calling application writes them. */
const OPERATORS = new Set(['tools', 'toolConfig', 'tool_config', 'generationConfig', 'generation_config']);
const RESULTS = ['functionResponse', 'function_response', 'codeExecutionResult', 'code_execution_result'];
const MEDIA = { inlineData: 'media', inline_data: 'media', fileData: 'file', file_data: 'file' } as const;

type Json = Readonly<Record<string, unknown>>;

/** Every string of a request that could carry an instruction, in order, as it was sent. Trust follows the role and the kind of part. */
export function geminiRequestTexts(sent: Json): RequestTexts {
  const { contents: given, ...others } = sent;
  const contents = given as readonly { readonly role?: string; readonly parts: readonly Json[] }[];
  const texts: RequestText[] = [];
  const skipped: string[] = [];
  const beside = (author: Author): TakeText => {
    return (path, text, isName) => texts.push(outsideMessages(path, text, author, isName));
  };
  for (const [name, value] of Object.entries(others)) {
    if (SYSTEM.has(name)) collectTexts({ [name]: value }, [], isFixed, beside('operator'));
  }
  const ages = turnsAgo(contents.map(({ role }) => (role === 'model' ? 'assistant' : 'user')));
  contents.forEach(({ parts, ...rest }, at) => {
    const own: Author = rest.role === 'model' ? 'assistant' : 'user';
    const take = (
      value: unknown,
      path: JsonPath,
      author: Author,
      kind: Pick<RequestText, 'isContent' | 'isReadOnly'>,
    ) => {
      const add: TakeText = (found, text, isName) =>
        texts.push({
          path: found,
          text,
          author,
          surface: SURFACES[author],
          message: at,
          turnsAgo: ages[at] as number,
          ...kind,
          ...(isName && { isName }),
        });
      collectTexts(value, path, isFixed, add, isFree);
    };
    parts.forEach((part, index) => {
      const isResult = RESULTS.some((name) => name in part);
      const isContent = 'text' in part || isResult;
      take(part, ['contents', at, 'parts', index], isResult ? 'tool' : own, {
        isContent,
        ...(part.thought === true && { isReadOnly: true }),
      });
      skipped.push(...mediaIn(part, `contents[${at}].parts[${index}]`));
    });
    take(rest, ['contents', at], own, { isContent: false });
  });
  for (const [name, value] of Object.entries(others)) {
    if (!SYSTEM.has(name))
      collectTexts({ [name]: value }, [], isFixed, beside(OPERATORS.has(name) ? 'definition' : 'user'));
  }
  return { texts, skipped };
}

/** The media of a part, and of a result that it holds: `contents[0].parts[1]: media`. */
function mediaIn(part: Json, place: string): string[] {
  const own = Object.entries(MEDIA).flatMap(([name, what]) => (name in part ? [`${place}: ${what}`] : []));
  const { functionResponse, function_response: spelled = functionResponse } = part;
  const { parts } = Object(spelled) as { parts?: unknown };
  if (!Array.isArray(parts)) return own;
  return [...own, ...parts.flatMap((one, at) => mediaIn(Object(one), `${place}.functionResponse.parts[${at}]`))];
}

/** `contents[0..3]`, and the names of the fields beside them that hold texts. */
export function geminiCoverage(sent: Json, texts: readonly RequestText[]): string[] {
  const last = (sent.contents as readonly unknown[]).length - 1;
  const beside = texts.filter(({ message }) => message === null).map(({ path }) => String(path[0]));
  return [last === 0 ? 'contents[0]' : `contents[0..${last}]`, ...new Set(beside)];
}

/** The last text of the operator's; undefined where there is none. */
export function systemTextPath(sent: Json): JsonPath | undefined {
  const name = Object.keys(sent).find((field) => SYSTEM.has(field));
  if (name === undefined) return undefined;
  const { parts } = sent[name] as { parts: readonly Json[] };
  const at = parts.findLastIndex(({ text }) => typeof text === 'string');
  return at < 0 ? undefined : [name, 'parts', at, 'text'];
}

const isFixed: IsFixed = (name, path) =>
  !isFree(path) && (FIXED.has(name) || (OPAQUE.has(name) && path[0] === 'contents'));
