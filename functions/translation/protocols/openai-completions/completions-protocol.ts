import * as z from 'zod';
import { isObject } from '../../../kernel/json/index.ts';
import { type ChatRequest, type OtherField, securityInfoSchema } from '../../../kernel/model/index.ts';
import { type Defaults, fieldTable, noteOthers } from '../bodies/field-table.ts';
import { openAiIds } from '../bodies/named-ids.ts';
import { furtherModels } from '../bodies/named-resources.ts';
import {
  boundPrompt,
  countPrompts,
  MAX_PROMPTS,
  PROMPT_PLACES,
  promptRequestTexts,
  refuseManyPrompts,
  textsOfPrompt,
  withFewTokens,
} from '../bodies/prompts.ts';
import { checkBody } from '../bodies/request-body.ts';
import { fieldsOutsideMessages } from '../bodies/request-texts.ts';
import { bytesBeside, searchesByItself, uncountedOutputField } from '../bodies/token-bounds.ts';
import { CHAT_FRAMING } from '../openai-chat/chat-response-format.ts';
import { finishReason, usageSchema } from '../openai-chat/chat-response-schema.ts';
import { kindByStreamField, type Protocol } from '../protocol.ts';
import { CompletionsResponseFormat } from './completions-response-format.ts';

const tokens = z.array(z.int().min(0)).min(1);

/** The fields of a completions request that the gateway reads; every other field passes unchanged. */
export const completionsRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(256),
    prompt: z.union(
      [z.string(), tokens, z.array(z.string()).min(1).max(MAX_PROMPTS), z.array(tokens).min(1).max(MAX_PROMPTS)],
      {
        error: 'must be a string, an array of strings, or tokens',
      },
    ),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    // https://platform.openai.com/docs/api-reference/completions/create: 0 tokens score the prompt, with `echo` and `logprobs`.
    max_tokens: z.int().min(0).nullish(),
    n: z.int().min(1).max(128).nullish(),
    best_of: z.int().min(0).max(20).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    stop: z
      .union([z.string(), z.array(z.string()).max(16)], { error: 'must be a string or an array of strings' })
      .nullish(),
    user: z.string().nullish(),
  })
  .meta({ id: 'CompletionsRequest', description: 'As OpenAI documents it; fields not listed here are passed on.' });

export type CompletionsRequest = z.infer<typeof completionsRequestSchema>;

/** The fields of a request. */
export const COMPLETIONS_FIELDS = fieldTable({
  request: {
    read: 'model prompt stream stream_options max_tokens n temperature top_p stop',
    no_effect: 'moderation svc',
    end_user: 'user',
    seed: 'seed',
    top_k: 'top_k',
    presence_penalty: 'presence_penalty',
    frequency_penalty: 'frequency_penalty',
    logit_bias: 'logit_bias',
    essential: 'best_of echo logprobs suffix',
  },
});
/** Values that hold without the field too. */
const DEFAULTS: Defaults = {
  best_of: (value) => value === 1,
  echo: (value) => value === false,
  suffix: (value) => value === '',
  logit_bias: (value) => isObject(value) && Object.keys(value).length === 0,
  presence_penalty: (value) => value === 0,
  frequency_penalty: (value) => value === 0,
};
/** No model has a larger context. */
const LONGEST_CONTEXT = 2_000_000;
/** The API's default: https://platform.openai.com/docs/api-reference/completions/create */
const DEFAULT_MAX_TOKENS = 16;

/** OpenAI's completions of a prompt. A provider with chat only receives a single prompt as one message. */
export const COMPLETIONS_PROTOCOL: Protocol<CompletionsRequest> = {
  operation: 'openai-completions',
  framing: CHAT_FRAMING,
  responseKind: kindByStreamField,
  check: (document) => {
    refuseManyPrompts(document.value, 'prompt');
    checkBody(completionsRequestSchema, { value: withFewTokens(document.value, 'prompt') }, PROMPT_PLACES);
    return document.value as CompletionsRequest;
  },
  read: fromCompletionsRequest,
  texts: (body) => promptRequestTexts(body, 'prompt'),
  covered: (_, texts) => fieldsOutsideMessages(texts),
  addToPrompt: () => undefined,
  boundInputTokens: ({ model: _, prompt, ...rest }, contextTokens = LONGEST_CONTEXT, model) =>
    boundPrompt(prompt) +
    bytesBeside(rest, completionsRequestSchema.shape, countPrompts(prompt)) +
    (searchesByItself(rest, model) ? contextTokens : 0),
  uncountedOutput: (value) => uncountedOutputField(value, ['max_tokens', 'n', 'best_of']),
  fieldNames: () => ({ maxOutputTokens: 'max_tokens', input: 'prompt' }),
  furtherModels: (value) => furtherModels(value, PROMPT_PLACES),
  namedIds: openAiIds(PROMPT_PLACES),
  format: (request, head) => new CompletionsResponseFormat(request, head),
};

function fromCompletionsRequest(body: CompletionsRequest): ChatRequest {
  const others: OtherField[] = [];
  noteOthers(body, COMPLETIONS_FIELDS.request, '', others, DEFAULTS);
  const texts = textsOfPrompt(body.prompt);
  // A chat takes one prompt: several prompts or tokens need a provider with completions.
  if (texts.length !== 1) others.push({ path: 'prompt', meaning: 'essential', value: body.prompt });
  const answers = Math.max(body.n ?? 1, body.best_of ?? 1) * countPrompts(body.prompt);
  return {
    model: body.model,
    messages: texts.map((text) => ({ role: 'user', parts: [{ type: 'text', text }] })),
    stream: body.stream ?? false,
    includeUsage: body.stream_options?.include_usage ?? false,
    choiceCount: answers,
    maxOutputTokens: body.max_tokens ?? DEFAULT_MAX_TOKENS,
    others,
    callersNames: { messages: 'prompt' },
    ...(typeof body.temperature === 'number' && { temperature: body.temperature }),
    ...(typeof body.top_p === 'number' && { topP: body.top_p }),
    ...(body.stop != null && { stop: typeof body.stop === 'string' ? [body.stop] : body.stop }),
  };
}

/** A text completion: a whole response and an event of a stream have the same form. */
export const completionSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('text_completion'),
    created: z.int().meta({ description: 'Unix seconds.' }),
    model: z.string(),
    choices: z.array(
      z.looseObject({
        text: z.string(),
        index: z.int().min(0),
        logprobs: z.looseObject({}).nullish(),
        finish_reason: finishReason.nullable(),
      }),
    ),
    usage: usageSchema.nullish(),
    svc: securityInfoSchema
      .optional()
      .meta({ description: 'In whole responses, and in chunks that have a finish_reason.' }),
  })
  .meta({ id: 'Completion', description: 'A text completion, or a chunk of one.' });
