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
const SECRET = "what opens the caller's own server of tools: for that server alone";
const OF_TOLD_RESPONSES: Reasons = {
  ...Object.fromEntries(
    'instructions tools tool_choice text metadata prompt reasoning user safety_identifier prompt_cache_key prompt_cache_retention prompt_cache_options previous_response_id conversation'
      .split(' ')
      .map((field) => [field, CALLERS]),
  ),
  model: NAME,
  service_tier: SWITCH,
  truncation: SWITCH,
  'error.code': SWITCH,
  'incomplete_details.reason': SWITCH,
  moderation: JUDGEMENT,
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
  'POST /v1/responses': {
    request: {
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
      '*.approval_request_id': NAME,
      '*.namespace': NAME,
      '*.server_label': NAME,
      '*.type': SWITCH,
      '*.detail': SWITCH,
      '*.phase': SWITCH,
      '*.status': SWITCH,
      '*.execution': SWITCH,
      '*.mode': SWITCH,
      '*.ttl': SWITCH,
      'tools[].authorization': SECRET,
      'tools[].headers': SECRET,
    },
    answer: { ...OF_TOLD_RESPONSES, 'output[].content[].logprobs': REPEATS },
    event: { ...within('response', OF_TOLD_RESPONSES), 'part.logprobs': REPEATS, logprobs: REPEATS },
  },
  'POST /v1/images/generations': {
    request: {
      background: SWITCH,
      moderation: SWITCH,
      output_format: SWITCH,
      quality: SWITCH,
      size: SWITCH,
      style: SWITCH,
    },
    answer: { 'data[].b64_json': MEDIA, 'data[].url': MEDIA },
    event: { b64_json: MEDIA },
  },
  'POST /v1/audio/transcriptions': {
    request: { chunking_strategy: SWITCH, language: SWITCH },
    answer: { logprobs: REPEATS },
    event: { logprobs: REPEATS },
  },
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
