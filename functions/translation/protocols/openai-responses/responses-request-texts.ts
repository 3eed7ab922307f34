import type { JsonPath } from '../../../kernel/json/index.ts';
import {
  type Author,
  type RequestText,
  type RequestTexts,
  type Skipped,
  turnsAgo,
} from '../../../kernel/model/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { Places } from '../bodies/request-places.ts';
import { fieldsOutsideMessages, isSealed, outsideMessages, RequestTextReader } from '../bodies/request-texts.ts';
import { isLookedUp } from './responses-ids.ts';
import { typeOfItem } from './responses-names.ts';
import type { ResponsesItem, ResponsesRequest } from './responses-schema.ts';

const PART = 'input[].content[]';

/** The strings of a request that are not plain text. */
export const RESPONSES_PLACES = new Places({
  fixed: `type id call_id item_id status role object phase detail format mode ttl execution approval_request_id container_id
    caller_id created_by server_label namespace fingerprint obfuscation file_id file_ids encrypted_content`,
  names: 'name filename tool_name tool_names',
  fixedIn: 'tools[].headers tools[].authorization',
  free: `metadata prompt.variables input[].arguments input[].parsed_arguments input[].content[].parsed
    input[].results[].attributes`,
  schemas: `tools[].parameters tools[].tools[].parameters text.format.schema input[].tools[].parameters
    input[].tools[].input_schema`,
  json: 'input[].arguments',
  media: `${PART}.image_url ${PART}.file_data ${PART}.file_url ${PART}.input_audio.data input[].output.image_url
    input[].result@image_generation_call input[].outputs[].url@image tools[].input_image_mask.image_url`,
  sealed: 'input[].encrypted_content',
  same: `input[].output[]=${PART}`,
});

/** Items that the model wrote. Every other item except a message is third-party text and least trusted. */
const OF_THE_MODEL = new Set(
  'function_call custom_tool_call reasoning computer_call local_shell_call shell_call apply_patch_call program'.split(
    ' ',
  ),
);
/** Where a reasoning item has its text. */
const REASONING = new Set(['input[].summary[].text', 'input[].content[].text']);
/** Calls are not part of a turn's text. */
const CALL = /_call$/;
const MEDIA: Readonly<Record<string, string>> = {
  input_image: 'image',
  input_file: 'file',
  input_audio: 'audio',
  computer_screenshot: 'image',
  image_generation_call: 'image',
  // Drawn by the code interpreter.
  image: 'image',
  // Stored at the provider, or readable only by it.
  item_reference: 'item_reference',
  compaction: 'compaction',
};

/** Members that may contain media. */
const HOLDERS = ['content', 'output', 'outputs', 'tools'];

/** Every string of a request that could carry an instruction, in order. Trust follows the role and the item type. */
export function* responsesRequestTexts(body: ResponsesRequest): Steps<RequestTexts> {
  // No model reads the gateway's field `moderation`.
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
  const reader = new RequestTextReader(RESPONSES_PLACES);
  const skipped: Skipped[] = [];
  yield* reader.read({ instructions }, [], outsideMessages('operator'));
  if (typeof input === 'string') {
    yield* reader.read(input, ['input'], { author: 'user', message: 0, turnsAgo: 0, isContent: () => true });
  } else yield* addItems(input ?? [], reader, skipped);
  yield* reader.read({ tools, text }, [], outsideMessages('definition'));
  addMedia({ tools }, [], skipped);
  yield* reader.read(others, [], outsideMessages('user'));
  if (previous != null) skipped.push({ path: ['previous_response_id'], what: 'earlier turns' });
  const { conversation } = others as { readonly conversation?: unknown };
  if (conversation != null) skipped.push({ path: ['conversation'], what: 'earlier turns' });
  if (others.prompt != null) skipped.push({ path: ['prompt'], what: 'template' });
  return { texts: reader.texts, skipped };
}

/** Such as `input[0..3]`, and the names of the other fields that hold texts. */
export function responsesCoverage({ input }: ResponsesRequest, texts: readonly RequestText[]): string[] {
  return [...coveredInput(input), ...fieldsOutsideMessages(texts)];
}

function coveredInput(input: ResponsesRequest['input']): string[] {
  if (input == null) return [];
  if (typeof input === 'string') return ['input'];
  return [input.length === 1 ? 'input[0]' : `input[0..${input.length - 1}]`];
}

function* addItems(items: readonly ResponsesItem[], reader: RequestTextReader, skipped: Skipped[]): Steps<void> {
  const authors = items.map(authorOf);
  const ages = turnsAgo(authors);
  for (const [at, item] of items.entries()) {
    const type = typeOfItem(item);
    const isContent = !CALL.test(type);
    const isReasoning = type === 'reasoning' && isTheModels(item);
    yield* reader.read(item, ['input', at], {
      author: authors[at] as Author,
      message: at,
      turnsAgo: ages[at] as number,
      seals: type !== 'message',
      isContent: () => isContent,
      isReadOnly: (place) => isReasoning && REASONING.has(place),
    });
    addMedia({ ...item, type }, ['input', at], skipped);
  }
}

/** Whether the model wrote the reasoning: it is encrypted beside its text, or bound to the key by its id. */
function isTheModels(item: ResponsesItem): boolean {
  return isSealed((item as { encrypted_content?: unknown }).encrypted_content) || isLookedUp(item);
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

/** Adds media at any depth of contents, outputs and tools: `input[1].content[1]: image`. */
function addMedia(value: unknown, path: JsonPath, skipped: Skipped[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((part, at) => addMedia(part, [...path, at], skipped));
    return;
  }
  const { type, encrypted_content: encrypted, ...members } = value as Record<string, unknown>;
  const medium = typeof type === 'string' && Object.hasOwn(MEDIA, type) ? MEDIA[type] : undefined;
  if (medium !== undefined) skipped.push({ path, what: medium });
  else if (typeof encrypted === 'string') skipped.push({ path, what: 'encrypted' });
  if (members.input_image_mask != null) skipped.push({ path: [...path, 'input_image_mask'], what: 'image' });
  for (const name of HOLDERS) addMedia(members[name], [...path, name], skipped);
}
