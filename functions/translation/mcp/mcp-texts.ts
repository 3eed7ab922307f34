import { isObject, type JsonPath } from '../../kernel/json/index.ts';
import type { Author, RequestText, RequestTexts, Skipped } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import { Places } from '../protocols/bodies/request-places.ts';
import { outsideMessages, RequestTextReader } from '../protocols/bodies/request-texts.ts';

/** Any JSON: what a server writes and what a model writes for it have no fixed names. */
const PLACES = new Places({ free: 'id params result error definition' });
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const STATE = /^[\w+/=.-]+$/;
const MIN_BASE64_CHARS = 64;
/** Base64 of a text without spaces could be read: lower-case words that `_` joins. */
const WORDS = /[a-z]{2,}_[a-z]{2,}_[a-z]{2,}/;

/**
 * The texts of the member `name` of a message: every string and every member name. Images, audio and other files in it are listed as
 * skipped. Texts in the blocks of a server's content are content, which is also inspected joined.
 */
export function* mcpTexts(value: unknown, name: string, author: Author): Steps<RequestTexts> {
  const reader = new RequestTextReader(PLACES);
  yield* reader.read(value, [name], outsideMessages(author));
  const files = author === 'tool' ? [...filesIn(value, [name])] : [];
  const places = new Set(files.map(({ data }) => JSON.stringify(data)));
  const isFile = ({ path, name: kind }: RequestText) => kind === undefined && places.has(JSON.stringify(path));
  const read = places.size === 0 ? reader.texts : reader.texts.filter((text) => !isFile(text));
  const texts = author === 'tool' ? read.filter((text) => !isType(text)).map(asServerText) : read;
  return { texts, skipped: files.map(({ data: _, ...skipped }) => skipped) };
}

/** Members that hold blocks of content, in results and in what a server asks of a client. */
const HOLDERS = ['content', 'contents', 'messages', 'inputRequests', 'params'] as const;
const HOLDER_NAMES: ReadonlySet<unknown> = new Set(HOLDERS);

/** A server recognizes its state by its bytes, and clients neither read nor show it: one without words stays unchanged. */
function asServerText(text: RequestText): RequestText {
  const { path, name } = text;
  const isState = path.length === 2 && path[1] === 'requestState' && name === undefined;
  if (isState && STATE.test(text.text) && !WORDS.test(text.text)) return { ...text, isReadOnly: true };
  const isContent = name === undefined && path.at(-1) === 'text' && path.some((step) => HOLDER_NAMES.has(step));
  return isContent ? { ...text, isContent } : text;
}

/** A word of the protocol, by which a client knows what a result is. */
function isType({ path, text }: RequestText): boolean {
  return path.length === 2 && path[1] === 'resultType' && (text === 'complete' || text === 'input_required');
}

type Found = Skipped & { readonly data: JsonPath };

/** The blocks of content with data in base64. */
function* filesIn(value: unknown, path: JsonPath): Generator<Found, void> {
  if (!isObject(value)) return;
  const { type, data, resource, blob } = value;
  if ((type === 'image' || type === 'audio') && isBase64(data)) yield { path, what: type, data: [...path, 'data'] };
  if (isBase64(blob)) yield { path, what: 'file', data: [...path, 'blob'] };
  if (type === 'resource') yield* filesIn(resource, [...path, 'resource']);
  for (const holder of HOLDERS) {
    const held = value[holder];
    if (Array.isArray(held)) for (const [at, block] of held.entries()) yield* filesIn(block, [...path, holder, at]);
    else if (holder === 'inputRequests' && isObject(held))
      for (const [name, asked] of Object.entries(held)) yield* filesIn(asked, [...path, holder, name]);
    else yield* filesIn(held, [...path, holder]);
  }
}

function isBase64(data: unknown): boolean {
  return (
    typeof data === 'string' &&
    data.length >= MIN_BASE64_CHARS &&
    BASE64.test(data) &&
    !WORDS.test(data.slice(0, 4_096))
  );
}
