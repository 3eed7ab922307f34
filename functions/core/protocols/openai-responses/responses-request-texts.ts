import { turnsAgo } from '../../inspect/conversation/turns-ago.ts';
import { type Author, outsideMessages, type RequestText, SURFACES } from '../../inspect/request-text.ts';
import type { JsonPath } from '../../json/json-splice.ts';
import { collectTexts, type TakeText } from '../collect-texts.ts';
import { toParam } from '../first-fault.ts';
import type { RequestTexts } from '../protocol.ts';
import { isFixedInDefinition, isFixedInItem } from './fixed-members.ts';
import { type ResponsesItem, type ResponsesRequest, typeOfItem } from './responses-request-schema.ts';

/** What the model itself said; every other item but a message is somebody else's, and trusted least. */
const OF_THE_MODEL = new Set(
  'function_call custom_tool_call reasoning computer_call local_shell_call shell_call apply_patch_call program'.split(
    ' ',
  ),
);
/** Calls are beside a turn's words, not among them. */
const CALL = /_call$/;
const MEDIA: Readonly<Record<string, string>> = {
  input_image: 'image',
  input_file: 'file',
  input_audio: 'audio',
  computer_screenshot: 'image',
  image_generation_call: 'image',
  // What the code interpreter drew.
  image: 'image',
  // Held by the provider, or for its eyes only.
  item_reference: 'item_reference',
  compaction: 'compaction',
};

/** Members in which media may stand. */
const HOLDERS = ['content', 'output', 'outputs', 'tools'];

/** Every string of a request that could carry an instruction, in order. Trust follows the role and the kind of item. */
export function responsesRequestTexts(body: ResponsesRequest): RequestTexts {
  // Nobody reads our own field but us.
  const {
    model: _m,
    moderation: _f,
    previous_response_id: previous,
    input,
    instructions,
    tools,
    text,
    ...others
  } = body;
  const texts: RequestText[] = [];
  const skipped: string[] = [];
  const beside = (author: Author): TakeText => {
    return (path, found, isName) => texts.push(outsideMessages(path, found, author, isName));
  };
  collectTexts({ instructions }, [], isFixedInItem, beside('operator'));
  if (typeof input === 'string') {
    const said = { author: 'user', surface: SURFACES.user, message: 0, turnsAgo: 0, isContent: true } as const;
    texts.push({ path: ['input'], text: input, ...said });
  } else addItems(input ?? [], texts, skipped);
  collectTexts({ tools, text }, [], isFixedInDefinition, beside('definition'));
  addMedia({ tools }, [], skipped);
  collectTexts(others, [], isFixedInItem, beside('user'));
  if (previous != null) skipped.push('previous_response_id: earlier turns');
  if (others.prompt != null) skipped.push('prompt: template');
  return { texts, skipped };
}

/** `input[0..3]`, and the names of the fields beside it that hold texts. */
export function responsesCoverage({ input }: ResponsesRequest, texts: readonly RequestText[]): string[] {
  const beside = texts.filter(({ message }) => message === null).map(({ path }) => String(path[0]));
  return [...coveredInput(input), ...new Set(beside)];
}

function coveredInput(input: ResponsesRequest['input']): string[] {
  if (input == null) return [];
  if (typeof input === 'string') return ['input'];
  return [input.length === 1 ? 'input[0]' : `input[0..${input.length - 1}]`];
}

function addItems(items: readonly ResponsesItem[], texts: RequestText[], skipped: string[]): void {
  const authors = items.map(authorOf);
  const ages = turnsAgo(authors);
  items.forEach((item, at) => {
    const author = authors[at] as Author;
    const type = typeOfItem(item);
    const ofItem = {
      author,
      surface: SURFACES[author],
      message: at,
      turnsAgo: ages[at] as number,
      isContent: !CALL.test(type),
      ...(type === 'reasoning' && { isReadOnly: true as const }),
    };
    collectTexts(item, ['input', at], isFixedInItem, (path, text, isName) =>
      texts.push({
        path,
        text,
        ...ofItem,
        ...(path.at(-1) === 'arguments' && { isJson: true }),
        ...(isName && { isName }),
      }),
    );
    addMedia({ ...item, type }, ['input', at], skipped);
  });
}

function authorOf(item: ResponsesItem): Author {
  const type = typeOfItem(item);
  if (type === 'message') {
    const { role } = item as { role?: unknown };
    if (role === 'system' || role === 'developer') return 'operator';
    return role === 'assistant' ? 'assistant' : 'user';
  }
  return OF_THE_MODEL.has(type) ? 'assistant' : 'tool';
}

/** Adds the media in an item, however deep in contents, outputs and tools: `input[1].content[1]: image`. */
function addMedia(value: unknown, path: JsonPath, skipped: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((part, at) => addMedia(part, [...path, at], skipped));
    return;
  }
  const { type, encrypted_content: encrypted, ...members } = value as Record<string, unknown>;
  const medium = typeof type === 'string' && Object.hasOwn(MEDIA, type) ? MEDIA[type] : undefined;
  if (medium !== undefined) skipped.push(`${toParam(path)}: ${medium}`);
  else if (typeof encrypted === 'string') skipped.push(`${toParam(path)}: encrypted`);
  if (members.input_image_mask != null) skipped.push(`${toParam([...path, 'input_image_mask'])}: image`);
  for (const name of HOLDERS) addMedia(members[name], [...path, name], skipped);
}
