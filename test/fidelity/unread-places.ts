import type { Reasons } from './reasons.ts';

const MADE = 'made by the provider, of no text';
const SWITCH = 'a word that the API fixes';
const NAME = 'the name of a call or a thing, given by a program';
/** Of a request. */
export const MEDIA = 'media: base64, an address or an id of it; `coverage.skipped` names it';
const OPAQUE = 'sealed by the provider: nobody else can read it';
const REPEATS = 'repeats the text, and is taken out where the text is changed';
const JUDGEMENT = "OpenAI's own judgement of the exchange";
const CALLERS = "the caller's own words come back";

const OF_CHAT_ANSWERS: Reasons = {
  id: MADE,
  model: NAME,
  service_tier: SWITCH,
  system_fingerprint: MADE,
  'choices[].finish_reason': SWITCH,
  'choices[].logprobs': REPEATS,
  moderation: JUDGEMENT,
};
const OF_COMPLETIONS: Reasons = {
  id: MADE,
  model: NAME,
  system_fingerprint: MADE,
  'choices[].finish_reason': SWITCH,
  'choices[].logprobs': REPEATS,
};
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
  '*.file_id': MEDIA,
  'messages[].content[].id': NAME,
  'messages[].content[].tool_use_id': NAME,
};
const OF_CONTAINER: Reasons = { container: MADE };
const OF_MESSAGE: Reasons = {
  id: MADE,
  model: NAME,
  stop_reason: SWITCH,
  stop_sequence: CALLERS,
  ...OF_CONTAINER,
  usage: SWITCH,
};
const OF_GEMINI_ANSWERS: Reasons = {
  responseId: MADE,
  modelVersion: NAME,
  createTime: MADE,
  'candidates[].content.role': SWITCH,
  'candidates[].finishReason': SWITCH,
  'candidates[].safetyRatings': SWITCH,
  'candidates[].logprobsResult': REPEATS,
  'promptFeedback.blockReason': SWITCH,
  'promptFeedback.safetyRatings': SWITCH,
  usageMetadata: SWITCH,
};
const within = (holder: string, reasons: Reasons): Reasons =>
  Object.fromEntries(Object.entries(reasons).map(([place, reason]) => [`${holder}.${place}`, reason]));

/**
 * Places whose strings are not read as text, each with its reason, by route: in a request a word is not, any sentence is. One
 * that is read all the same fails the test.
 */
export const UNREAD: Readonly<
  Record<string, { readonly request?: Reasons; readonly answer?: Reasons; readonly event?: Reasons }>
> = {
  'POST /v1/chat/completions': {
    request: {
      '*.image_url': MEDIA,
      '*.input_audio': MEDIA,
      '*.file_data': MEDIA,
      '*.file_id': MEDIA,
      'messages[].audio.id': NAME,
      'messages[].tool_calls[].id': NAME,
      'messages[].tool_call_id': NAME,
      'audio.format': SWITCH,
      'audio.voice.id': NAME,
    },
    answer: {
      ...OF_CHAT_ANSWERS,
      'choices[].message.audio': MEDIA,
      'choices[].message.tool_calls[].id': NAME,
    },
    event: {
      ...OF_CHAT_ANSWERS,
      'choices[].delta.role': SWITCH,
      'choices[].delta.tool_calls[].id': NAME,
      'choices[].delta.tool_calls[].type': SWITCH,
    },
  },
  'POST /v1/completions': { answer: OF_COMPLETIONS, event: OF_COMPLETIONS },
  'POST /v1/embeddings': { answer: { model: NAME } },
  'POST /v1/messages': {
    request: {
      ...OF_BLOCKS,
      'container.id': NAME,
      'container.skills[].type': SWITCH,
      'tools[].type': SWITCH,
    },
    answer: OF_MESSAGE,
    event: {
      ...within('message', OF_MESSAGE),
      ...within('delta', { ...OF_CONTAINER, stop_reason: SWITCH, stop_sequence: CALLERS }),
    },
  },
  'POST /v1beta/models/{call}': {
    request: {
      '*.inlineData': MEDIA,
      '*.fileData': MEDIA,
      'contents[].parts[].thoughtSignature': OPAQUE,
      '*.id': NAME,
      '*.role': SWITCH,
      '*.mimeType': SWITCH,
    },
    answer: OF_GEMINI_ANSWERS,
    event: OF_GEMINI_ANSWERS,
  },
  'POST /v1/messages/count_tokens': { request: { ...OF_BLOCKS, 'tools[].type': SWITCH } },
};
