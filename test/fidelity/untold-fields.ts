import type { Reasons } from './reasons.ts';
import type { Provider } from './routes.ts';

const CACHE = 'a hint to a cache: the answer is the same';
const IN_STREAMS =
  'of streams, which are tested by themselves; usage is always asked for, and kept from who did not ask';

/** Of a chat, whatever provider of another protocol is asked. */
const OF_CHATS: Reasons = {
  stream: IN_STREAMS,
  stream_options: IN_STREAMS,
  'messages[].name': 'who of several speaks in one role: only OpenAI tells them apart',
  '*.prompt_cache_breakpoint': CACHE,
  prompt_cache_key: CACHE,
  prompt_cache_options: CACHE,
  prompt_cache_retention: CACHE,
  '*.detail': 'how closely an image is looked at: a hint that no other API has',
  metadata: "labels for OpenAI's dashboard",
  '=response_format': 'text, as it holds without it; every other format is honoured or refused',
  moderation: "the gateway's own to answer",
  safety_identifier: "for OpenAI's detection of abuse; `user` is what is passed on",
  store: "keeps the answer in OpenAI's dashboard",
};

/** Of a message of Anthropic's, whatever provider of another protocol is asked. */
const OF_MESSAGES: Reasons = {
  stream: IN_STREAMS,
  '*.cache_control': CACHE,
  '*.caller': 'says that the model itself called, as it holds without it',
  'tools[].type': "says that the tool is the caller's own, as it holds without it",
};

/** Of a response, whatever provider of another protocol is asked. */
const OF_RESPONSES: Reasons = {
  stream: IN_STREAMS,
  stream_options: IN_STREAMS,
  include: "adds to items of OpenAI's own tools; probabilities of tokens are refused",
  '*.prompt_cache_breakpoint': CACHE,
  prompt_cache_key: CACHE,
  prompt_cache_options: CACHE,
  prompt_cache_retention: CACHE,
  'input[].type': 'a message, as it is without it',
  'input[].id': 'the name that the item has at OpenAI',
  'input[].status': 'how the item ended: it is whole as it stands',
  'input[].phase': 'whether an answer is the last of its turn: it stands last',
  'input[].caller': 'says that the model itself called, as it holds without it',
  'input[].content[].annotations': 'what an earlier answer cited comes back: to refuse it would end a conversation',
  'input[].content[].logprobs': 'what an earlier answer was made of comes back',
  '=text.format': 'text, as it holds without it; every other format is honoured or refused',
  metadata: "labels for OpenAI's dashboard",
  moderation: "the gateway's own to answer",
  safety_identifier: "for OpenAI's detection of abuse; `user` is what is passed on",
};

const OF_GEMINI: Reasons = {
  'contents[].parts[].functionResponse.name': 'the call that it answers is told by its id',
  'systemInstruction.role': 'Google reads none there',
};

/**
 * Fields that are neither sent to a provider of another protocol nor refused, each with its reason, by route and provider.
 * A reason that excuses nothing fails the test.
 */
export const UNTOLD: Readonly<Record<string, Partial<Record<Provider, Reasons>>>> = {
  'POST /v1/chat/completions': {
    anthropic: OF_CHATS,
    gemini: {
      ...OF_CHATS,
      user: 'Gemini takes no name of an end user',
      'response_format.json_schema.strict': 'Gemini always keeps to the schema',
      'response_format.json_schema.name': 'a label of the schema, which Gemini has no place for',
    },
  },
  'POST /v1/completions': {
    anthropic: { stream: IN_STREAMS, stream_options: IN_STREAMS },
    gemini: { stream: IN_STREAMS, stream_options: IN_STREAMS, user: 'Gemini takes no name of an end user' },
  },
  'POST /v1/responses': {
    anthropic: OF_RESPONSES,
    gemini: {
      ...OF_RESPONSES,
      user: 'Gemini takes no name of an end user',
      'text.format.strict': 'Gemini always keeps to the schema',
      'text.format.name': 'a label of the schema, which Gemini has no place for',
    },
  },
  'POST /v1/messages': {
    openai: {
      ...OF_MESSAGES,
      service_tier: "terms with Anthropic: 'auto' and 'standard_only' are what holds without them",
      '=thinking': 'switched off, as it holds without it; every other thinking is refused',
    },
    gemini: {
      ...OF_MESSAGES,
      'metadata.user_id': 'Gemini takes no name of an end user',
      'messages[].content[].title': 'a file has no name there',
    },
  },
  'POST /v1beta/models/{call}': { openai: OF_GEMINI, anthropic: OF_GEMINI },
};

/** What is sent although the provider's published types do not name it, by provider. */
export const UNPUBLISHED: Readonly<Record<Provider, Reasons>> = {
  openai: {
    'messages[].content':
      'media in results and past answers: OpenAI refuses them in its own words, other servers of its protocol take them',
  },
  anthropic: {
    temperature: 'its documentation has it, its newest types do not',
    top_p: 'its documentation has it, its newest types do not',
    'tools[].input_schema.type': "the schema of a caller's tool is passed on as it is written",
  },
  gemini: {},
  bedrock: {},
};
