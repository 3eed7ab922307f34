import type { Reasons } from './reasons.ts';
import type { Provider } from './routes.ts';

const IN_STREAMS =
  'of streams, which have their own tests; usage is always requested, and returned only to who asked for it';
const LABEL = 'a label that no model reads';
const ALWAYS_STRICT = 'the provider always keeps to the schema';
const DEFAULT_TEXT = 'text is the default; every other format is supported or refused';

const TIERS: Reasons = { '=service_tier': '`auto` and `default` are the default; every other tier is reported' };

/** By route, for all providers of other APIs. */
const OF_ROUTES: Readonly<Record<string, Reasons>> = {
  'POST /v1/chat/completions': {
    stream: IN_STREAMS,
    stream_options: IN_STREAMS,
    '=response_format': DEFAULT_TEXT,
    moderation: 'a field of the gateway',
  },
  'POST /v1/completions': { stream: IN_STREAMS, stream_options: IN_STREAMS },
  'POST /v1/responses': {
    stream: IN_STREAMS,
    stream_options: IN_STREAMS,
    include: "adds to items of OpenAI's tools; probabilities of tokens are refused",
    'input[].type': 'a message, which is the default',
    'input[].id': 'the name of the item at OpenAI',
    'input[].status': 'of an item that is complete',
    'input[].phase': 'of a message that is complete',
    'input[].caller': 'the model called, which is the default',
    'input[].content[].annotations': 'citations of an earlier response',
    'input[].content[].logprobs': 'token probabilities of an earlier response',
    '=text.format': DEFAULT_TEXT,
    '=tools[].format': 'any text is the default; a grammar is in the description',
    '=tools[].tools[].format': 'any text is the default; a grammar is in the description',
    moderation: 'a field of the gateway',
  },
  'POST /v1/messages': {
    stream: IN_STREAMS,
    '*.caller': 'the model called, which is the default',
    'tools[].type': "the caller's tool, which is the default",
    service_tier: '`auto` and `standard_only` are the default',
    '=thinking': 'without a budget it is the default of the model',
  },
  'POST /v1beta/models/{call}': {
    'contents[].parts[].functionResponse.name': 'the id of the call names it',
    'systemInstruction.role': 'Google ignores it',
    'tools[].functionDeclarations[].parameters.type': 'an object is the default; another type is reported',
  },
};

/** By route and provider, beyond `OF_ROUTES`. */
const OF_PROVIDERS: Readonly<Record<string, Partial<Record<Provider, Reasons>>>> = {
  'POST /v1/chat/completions': {
    anthropic: TIERS,
    gemini: {
      ...TIERS,
      'response_format.json_schema.name': LABEL,
      'response_format.json_schema.strict': ALWAYS_STRICT,
    },
  },
  'POST /v1/responses': {
    anthropic: { ...TIERS, 'text.format.name': LABEL, 'text.format.strict': ALWAYS_STRICT },
    gemini: { ...TIERS, 'text.format.name': LABEL, 'text.format.strict': ALWAYS_STRICT },
    bedrock: { 'text.format.strict': ALWAYS_STRICT },
  },
  'POST /v1/messages': { gemini: { '*.title': 'a file has no name there' } },
};

/**
 * Fields without an effect, which are neither sent to a provider of another protocol, nor reported, nor refused, each with its reason. A
 * reason that excuses nothing fails the test.
 */
export function unreportedFor(route: string, provider: Provider): Reasons {
  return { ...OF_ROUTES[route], ...OF_PROVIDERS[route]?.[provider] };
}

/** What is sent although the provider's published types do not name it, by provider. */
export const UNPUBLISHED: Readonly<Record<Provider, Reasons>> = {
  openai: {
    'messages[].content':
      'media in past responses: OpenAI refuses them in its own words, other servers of its protocol take them',
  },
  anthropic: {
    temperature: 'its documentation has it, its newest types do not',
    top_p: 'its documentation has it, its newest types do not',
    top_k: 'its documentation has it, its newest types do not',
    'tools[].input_schema.type': "the schema of a caller's tool is passed on unchanged",
  },
  gemini: {},
  bedrock: {},
};
