import type { Reasons } from './reasons.ts';

const MADE = 'made by the provider, of no text';
const SWITCH = 'a word that the API fixes: of a request it is inspected as a name';
const NAME = 'the id or name of a call or a thing, given by a program: of a request it is inspected as a name';
/** Of a request. */
export const MEDIA = 'media: base64, an address or an id of it; `coverage.skipped` names it';
const OPAQUE = 'sealed by the provider: nobody else can read it';
const OURS = 'removed: only the gateway reports on an exchange';

const OF_BLOCKS: Reasons = {
  '*.cache_control': SWITCH,
  '*.encrypted_index': OPAQUE,
  '*.encrypted_content': OPAQUE,
  '*.encrypted_stdout': OPAQUE,
  '*.signature': OPAQUE,
  'messages[].content[].data': OPAQUE,
  '*.source.data': MEDIA,
  '*.source.media_type': MEDIA,
  '*.source.url': MEDIA,
  'messages[].content[].id': NAME,
  'messages[].content[].tool_use_id': NAME,
};
const QUERY = 'a query has room for names and ids only; no model reads it';
const PROMPT = "the caller's system prompt, which the response is compared with";
/** Items of the Responses API, in a request. */
const OF_ITEMS: Reasons = {
  '*.image_url': MEDIA,
  '*.file_data': MEDIA,
  '*.file_url': MEDIA,
  'input[].result': MEDIA,
  'input[].outputs[].url': MEDIA,
  '*.encrypted_content': OPAQUE,
  '*.fingerprint': MADE,
  '*.id': NAME,
  '*.call_id': NAME,
  '*.file_id': NAME,
  '*.caller_id': NAME,
  '*.container_id': NAME,
  '*.namespace': NAME,
  '*.server_label': NAME,
  '*.type': SWITCH,
  '*.detail': SWITCH,
  '*.phase': SWITCH,
  '*.status': SWITCH,
  '*.execution': SWITCH,
  '*.mode': SWITCH,
};
const OF_EDITS: Reasons = {
  background: SWITCH,
  input_fidelity: SWITCH,
  output_format: SWITCH,
  quality: SWITCH,
  size: SWITCH,
};
const OF_GEMINI: Reasons = {
  '*.inlineData': MEDIA,
  '*.fileData': MEDIA,
  '*.id': NAME,
  '*.role': SWITCH,
};
const SECRET = "what opens the caller's own server of tools: for that server alone";
/**
 * Places whose strings are not inspected as text, each with its reason, by route. In a request this covers single words, not
 * sentences; in a response, ids and switches in their form. A listed place that is inspected fails the test.
 */
export const UNREAD: Readonly<
  Record<string, { readonly request?: Reasons; readonly answer?: Reasons; readonly event?: Reasons }>
> = {
  'POST /v1/chat/completions': {
    request: {
      '*.image_url': MEDIA,
      '*.input_audio': MEDIA,
      '*.file_data': MEDIA,
      'messages[].tool_calls[].id': NAME,
      'messages[].tool_call_id': NAME,
      'audio.format': SWITCH,
    },
    answer: { moderation: OURS },
    event: { moderation: OURS },
  },
  'POST /v1/responses': {
    request: {
      ...OF_ITEMS,
      '*.ttl': SWITCH,
      'tools[].authorization': SECRET,
      'tools[].headers': SECRET,
    },
    answer: { moderation: OURS },
    event: { 'response.moderation': OURS },
  },
  'POST /v1/responses/compact': { request: { ...OF_ITEMS, '*.ttl': SWITCH } },
  'POST /v1/responses/input_tokens': {
    request: { ...OF_ITEMS, 'tools[].authorization': SECRET, 'tools[].headers': SECRET },
  },
  'GET /v1/responses/{id}': {
    request: { include: QUERY },
    answer: { moderation: OURS, instructions: PROMPT },
    event: { 'response.moderation': OURS, 'response.instructions': PROMPT },
  },
  'POST /v1/responses/{id}/cancel': { answer: { moderation: OURS, instructions: PROMPT } },
  'GET /v1/responses/{id}/input_items': { request: { include: QUERY, order: QUERY, after: QUERY } },
  'POST /v1/images/generations': {
    request: {
      background: SWITCH,
      moderation: SWITCH,
      output_format: SWITCH,
      quality: SWITCH,
      size: SWITCH,
      style: SWITCH,
    },
  },
  'POST /v1/images/edits': { request: OF_EDITS },
  'POST /v1/images/edits (JSON)': {
    request: { ...OF_EDITS, moderation: SWITCH, '*.image_url': MEDIA },
  },
  'POST /v1/audio/translations': {},
  'POST /v1/audio/speech': { request: { response_format: SWITCH } },
  'POST /v1/audio/transcriptions': {},
  'POST /v1/messages': {
    request: {
      ...OF_BLOCKS,
      'container.skills[].type': SWITCH,
      'tools[].type': SWITCH,
    },
  },
  'POST /v1beta/models/{call}': {
    request: { ...OF_GEMINI, 'contents[].parts[].thoughtSignature': OPAQUE, '*.mimeType': SWITCH },
  },
  'POST /v1beta/models/{model}:countTokens': {
    request: { ...OF_GEMINI, '*.thoughtSignature': OPAQUE, '*.mimeType': SWITCH },
  },
  'POST /v1beta/models/{model}:embedContent': {
    request: { ...OF_GEMINI, '*.thoughtSignature': NAME, taskType: SWITCH },
  },
  'POST /v1beta/models/{model}:batchEmbedContents': {
    request: { ...OF_GEMINI, '*.thoughtSignature': NAME, '*.taskType': SWITCH },
  },
  'POST /v1/messages/count_tokens': { request: { ...OF_BLOCKS, 'tools[].type': SWITCH } },
};
