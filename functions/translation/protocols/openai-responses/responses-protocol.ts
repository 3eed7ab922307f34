import { isObject } from '../../../kernel/json/index.ts';
import { furtherModels } from '../bodies/named-resources.ts';
import { bytesOf, hasAddress, hasServerTools, searchesByItself, uncountedOutputField } from '../bodies/token-bounds.ts';
import { kindByStreamField, type Protocol } from '../protocol.ts';
import { checkResponsesRequest, fromResponsesRequest } from './from-responses-request.ts';
import { RESPONSES_ITEMS } from './responses-items.ts';
import { namedIds } from './responses-named-ids.ts';
import { typeOfItem } from './responses-names.ts';
import { RESPONSES_PLACES, responsesCoverage, responsesRequestTexts } from './responses-request-texts.ts';
import { RESPONSES_FRAMING, ResponsesResponseFormat } from './responses-response-format.ts';
import { modelOf, type ResponsesItem, type ResponsesPart, type ResponsesRequest } from './responses-schema.ts';

/** OpenAI's Responses API. */
export const RESPONSES_PROTOCOL: Protocol<ResponsesRequest> = {
  operation: 'openai-responses',
  framing: RESPONSES_FRAMING,
  responseKind: kindByStreamField,
  check: checkResponsesRequest,
  read: fromResponsesRequest,
  texts: responsesRequestTexts,
  covered: responsesCoverage,
  moderation: (body) => body.moderation ?? undefined,
  addToPrompt: ({ instructions }, text) => {
    if (typeof instructions === 'string') return { kind: 'append', path: ['instructions'], text: `\n\n${text}` };
    const json = JSON.stringify(text);
    if (instructions === null) return { kind: 'replace', path: ['instructions'], json };
    return { kind: 'insert', path: [], key: 'instructions', json };
  },
  answerCalls: ({ input }, calls, text) => {
    const outputs = calls.map(({ callId, type }) =>
      JSON.stringify({ type: `${type}_output`, call_id: callId, output: text }),
    );
    const path = ['input'];
    if (Array.isArray(input) && input.length > 0) return { kind: 'prepend', path, json: outputs.join(',') };
    const said = typeof input === 'string' ? [JSON.stringify({ role: 'user', content: input })] : [];
    const json = `[${[...outputs, ...said].join(',')}]`;
    return input === undefined ? { kind: 'insert', path: [], key: 'input', json } : { kind: 'replace', path, json };
  },
  boundInputTokens: boundResponsesInput,
  uncountedOutput: (value) => uncountedOutputField(value, ['max_output_tokens']),
  fieldNames: () => ({ maxOutputTokens: 'max_output_tokens', input: 'input' }),
  furtherModels: (value) => furtherModels(value, RESPONSES_PLACES),
  namedIds,
  items: RESPONSES_ITEMS,
  format: (request, head, bodies) => new ResponsesResponseFormat(request, head, bodies),
};

/** As in `chat-protocol.ts`: tokens around each item and around tools, and OpenAI's most expensive images. */
const PER_ITEM = 16;
const FOR_TOOLS = 1_000;
const PER_IMAGE = 50_000;
const PER_SMALL_IMAGE = 3_000;
const AUDIO_CHARS_PER_TOKEN = 20;
/** Neither a file's size nor an id bounds its tokens; the largest model context does. */
const LONGEST_CONTEXT = 2_000_000;
/** Parts in which an address is a text. */
const TEXT_PARTS = new Set(['input_text', 'output_text', 'text', 'refusal', 'summary_text', 'reasoning_text']);
/** Items that refer to content stored at the provider. */
const HELD = new Set(['item_reference', 'compaction']);

/**
 * An upper bound on the input tokens: the bytes of all text (a token has at least one byte), and fixed bounds for media. Earlier turns
 * stored at the provider and the provider's tools count as the whole context of the model.
 */
export function boundResponsesInput(
  body: ResponsesRequest,
  contextTokens = LONGEST_CONTEXT,
  model = modelOf(body),
): number {
  const { model: _, input, previous_response_id: previous, conversation, prompt, tools, ...others } = body;
  const contentBound =
    typeof input === 'string'
      ? PER_ITEM + Buffer.byteLength(input)
      : (input ?? []).reduce((sum, item) => sum + boundItem(item, contextTokens), 0);
  const reads = hasServerTools(tools, 'responses') || searchesByItself(others, model);
  const held = previous != null || conversation != null || prompt != null || reads ? contextTokens : 0;
  return held + contentBound + (tools ? FOR_TOOLS + bytesOf(tools) : 0) + bytesOf(others);
}

function boundItem(item: ResponsesItem, contextTokens: number): number {
  if (HELD.has(typeOfItem(item))) return contextTokens;
  const { content, output, ...rest } = item as ResponsesItem & { content?: unknown; output?: unknown };
  return PER_ITEM + bytesOf(rest) + boundParts(content, contextTokens) + boundParts(output, contextTokens);
}

function boundParts(value: unknown, contextTokens: number): number {
  if (isObject(value)) return boundPart(value as ResponsesPart, contextTokens);
  if (!Array.isArray(value)) return value === undefined ? 0 : bytesOf(value);
  return value.reduce<number>((sum, part: ResponsesPart) => sum + boundPart(part, contextTokens), 0);
}

function boundPart(part: ResponsesPart, contextTokens: number): number {
  switch (part?.type) {
    case 'input_image':
    case 'computer_screenshot': {
      const { image_url: _, detail, ...beside } = part;
      return (detail === 'low' ? PER_SMALL_IMAGE : PER_IMAGE) + bytesOf(beside);
    }
    case 'input_audio': {
      const { input_audio: audio, ...beside } = part;
      const { data, ...rest } = audio as { data: string };
      return PER_ITEM + Math.ceil(data.length / AUDIO_CHARS_PER_TOKEN) + bytesOf([rest, beside]);
    }
    case 'input_file':
      return contextTokens;
    default:
      return isUnknownMedia(part) ? contextTokens : bytesOf(part);
  }
}

/** Whether a part of a type that we do not know has content at an address. */
function isUnknownMedia(part: ResponsesPart): boolean {
  return typeof part?.type === 'string' && !TEXT_PARTS.has(part.type) && hasAddress(part);
}
