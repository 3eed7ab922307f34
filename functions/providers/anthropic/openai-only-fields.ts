import { GatewayError } from '../../core/base/errors.ts';

interface FieldRule {
  /** Whether the field can be left out without changing the answer; false refuses it. null is always left out. */
  readonly droppable: (value: unknown) => boolean;
  readonly reason: string;
}

const always = () => true;
const never = () => false;
const oneOf =
  (...values: unknown[]) =>
  (value: unknown) =>
    values.includes(value);

/** Every OpenAI field that the Messages API has no equivalent for, or that the gateway reads itself. */
const OPENAI_ONLY_FIELDS: Readonly<Record<string, FieldRule>> = {
  // Change the answer: refused unless they hold the default.
  logprobs: { droppable: oneOf(false), reason: 'token probabilities are not given' },
  top_logprobs: { droppable: oneOf(0), reason: 'token probabilities are not given' },
  logit_bias: { droppable: isEmptyObject, reason: 'tokens cannot be biased' },
  presence_penalty: { droppable: oneOf(0), reason: 'no penalties' },
  frequency_penalty: { droppable: oneOf(0), reason: 'no penalties' },
  response_format: {
    droppable: isTextFormat,
    reason: 'JSON mode does not exist; structured outputs take other schemas',
  },
  seed: { droppable: never, reason: 'sampling cannot be seeded' },
  audio: { droppable: never, reason: 'no audio output' },
  modalities: { droppable: isTextOnly, reason: 'text output only' },
  prediction: { droppable: never, reason: 'no predicted outputs' },
  web_search_options: { droppable: never, reason: 'web search is a tool there, with other settings and results' },
  functions: { droppable: never, reason: 'it is the deprecated form of `tools`' },
  function_call: { droppable: never, reason: 'it is the deprecated form of `tool_choice`' },
  tools: { droppable: never, reason: 'custom tools have no equivalent' },
  tool_choice: { droppable: never, reason: 'only auto, none, required and one function can be chosen' },
  prompt: { droppable: never, reason: 'it is asked one prompt of text' },
  best_of: { droppable: oneOf(1), reason: 'it gives one choice' },
  echo: { droppable: oneOf(false), reason: 'the prompt does not come back' },
  suffix: { droppable: oneOf(''), reason: 'nothing can be inserted before a text' },
  verbosity: { droppable: oneOf('medium'), reason: 'no such control' },
  service_tier: { droppable: oneOf('auto', 'default'), reason: 'flex, scale and priority are terms with OpenAI' },
  // Bookkeeping at OpenAI: nothing of it reaches the answer.
  store: { droppable: always, reason: "keeps the answer in OpenAI's dashboard" },
  metadata: { droppable: always, reason: "labels for OpenAI's dashboard; there the name means user_id" },
  prompt_cache_key: { droppable: always, reason: 'routing to a cache; the answer is the same' },
  prompt_cache_retention: { droppable: always, reason: 'how long a cache lives; the answer is the same' },
  prompt_cache_options: { droppable: always, reason: 'how a cache is used; the answer is the same' },
  safety_identifier: { droppable: always, reason: "for OpenAI's abuse detection; `user` is what is passed on" },
  // Read elsewhere.
  stream_options: { droppable: always, reason: 'ChatRequest.includeUsage; usage is always sent there' },
  reasoning_effort: { droppable: always, reason: 'to-anthropic-thinking.ts' },
  moderation: { droppable: always, reason: "the gateway's own" },
  svc: { droppable: always, reason: "the gateway's own" },
};

/** The Messages API's own fields are words in lower case: any other name is a path into another API's request, or that API's name. */
const FOREIGN = /[A-Z.[]/;

/**
 * What of `ChatRequest.extra` goes to Anthropic: the fields that are not OpenAI's, untouched.
 * @throws GatewayError `invalid_value` for a field of another API that would change the answer and has no equivalent there
 */
export function withoutOpenAiFields(extra: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const passedOn: [string, unknown][] = [];
  for (const [name, value] of Object.entries(extra)) {
    const rule = Object.hasOwn(OPENAI_ONLY_FIELDS, name) ? OPENAI_ONLY_FIELDS[name] : undefined;
    if (rule === undefined && value !== null && FOREIGN.test(name))
      throw unsupportedField(name, 'it has no place for it');
    if (rule === undefined) passedOn.push([name, value]);
    else if (value !== null && value !== undefined && !rule.droppable(value)) throw unsupportedField(name, rule.reason);
  }
  return Object.fromEntries(passedOn);
}

/** The refusal of a request field; `reason` is a clause of our own, never the caller's text. */
export function unsupportedField(field: string, reason: string): GatewayError {
  return new GatewayError(
    'invalid_value',
    `The provider anthropic does not support this value of \`${field}\`: ${reason}.`,
    {
      param: field,
    },
  );
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isTextFormat(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'text';
}

function isTextOnly(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => item === 'text');
}
