import type { TextSlot } from '../../../kernel/model/index.ts';
import { placesOf } from '../bodies/response-places.ts';

/** A text that comes in `<name>.delta` events, and again whole in `<name>.done`. */
export interface StreamedText {
  /** The list of the item that has the text's part; absent if the item itself has the text. */
  readonly list?: 'content' | 'summary';
  /** The text's member in the part and in the `.done` event. */
  readonly field: string;
  readonly kind: Pick<TextSlot, 'isJson' | 'isReadOnly' | 'call'>;
}

const CALL = { call: 'client' } as const;
const HOSTED = { call: 'provider' } as const;
const JSON_CALL = { isJson: true, ...CALL } as const;
const READ_ONLY = { isReadOnly: true } as const;

/** https://platform.openai.com/docs/api-reference/responses-streaming, and openai 6.49 (resources/responses). */
const STREAMED: ReadonlyMap<string, StreamedText> = new Map([
  ['response.output_text', { list: 'content', field: 'text', kind: {} }],
  ['response.refusal', { list: 'content', field: 'refusal', kind: {} }],
  ['response.reasoning_text', { list: 'content', field: 'text', kind: READ_ONLY }],
  ['response.reasoning_summary_text', { list: 'summary', field: 'text', kind: READ_ONLY }],
  ['response.function_call_arguments', { field: 'arguments', kind: JSON_CALL }],
  ['response.mcp_call_arguments', { field: 'arguments', kind: { isJson: true, ...HOSTED } }],
  ['response.custom_tool_call_input', { field: 'input', kind: CALL }],
  ['response.code_interpreter_call_code', { field: 'code', kind: HOSTED }],
]);

/** Events that end a stream, each with the final response. */
const TERMINAL = new Set(['response.completed', 'response.incomplete', 'response.failed']);
const LIFECYCLE = new Set(['response.created', 'response.queued', 'response.in_progress', ...TERMINAL]);

export function endsResponse(type: string): boolean {
  return TERMINAL.has(type);
}

/** Whether an event contains the whole response. */
export function holdsResponse(type: string): boolean {
  return LIFECYCLE.has(type);
}

/** The text that an event carries in part or whole; undefined for any other event. */
export function streamedText(type: string): { readonly text: StreamedText; readonly isDelta: boolean } | undefined {
  const dot = type.lastIndexOf('.');
  const step = type.slice(dot + 1);
  const text = step === 'delta' || step === 'done' ? STREAMED.get(type.slice(0, dot)) : undefined;
  return text && { text, isDelta: step === 'delta' };
}

/** Where a response of the Responses API has no text: https://platform.openai.com/docs/api-reference/responses */

const OF_PARTS = {
  id: 'type annotations[].type annotations[].file_id annotations[].container_id',
  logprobs: 'logprobs',
};
const OF_ITEMS = {
  id: 'type id status role phase call_id namespace server_label approval_request_id container_id caller.type caller.caller_id created_by fingerprint execution action.type action.sources[].type summary[].type results[].file_id outputs[].type output[].type output[].outcome.type output[].file_id output.type output.file_id tools[].type tools[].name environment.type environment.container_id operation.type',
  data: 'encrypted_content content[].encrypted_content',
  address: 'outputs[].url output.image_url output[].image_url',
  free: 'results[].attributes tools[].input_schema tools[].annotations',
};

export const ANNOTATION = placesOf({ '': { id: 'type file_id container_id' } });
export const PART = placesOf({ '': OF_PARTS });
export const ITEM = placesOf({ '': OF_ITEMS, 'content[]': OF_PARTS });
export const IMAGE_ITEM = placesOf({
  '': { id: `${OF_ITEMS.id} background output_format quality size`, data: 'result' },
});
export const INPUT_ITEMS = placesOf({
  '': { id: 'object first_id last_id' },
  'data[]': { ...OF_ITEMS, data: `${OF_ITEMS.data} result` },
  'data[].content[] data[].output[]': {
    ...OF_PARTS,
    id: `${OF_PARTS.id} file_id detail input_audio.format`,
    data: 'file_data input_audio.data',
    address: 'image_url file_url',
  },
});
export const EVENT = placesOf({
  '': { id: 'type item_id call_id obfuscation', data: 'partial_image_b64', logprobs: 'logprobs' },
});
export const AUDIO_EVENT = placesOf({ '': { id: 'type item_id response_id', data: 'delta' } });
export const RESPONSE = placesOf({
  '': {
    id: 'id object status model service_tier truncation previous_response_id tool_choice tool_choice.type tool_choice.name tools[].type tools[].name reasoning.effort reasoning.summary text.format.type text.format.name text.verbosity prompt.id prompt.version conversation.id prompt_cache_retention incomplete_details.reason error.code',
  },
});
