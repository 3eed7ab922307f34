import { readObject } from '../../../kernel/json/index.ts';
import type {
  ChatMessage,
  ChatRequest,
  ContentPart,
  Effort,
  JsonFormat,
  Thinking,
} from '../../../kernel/model/index.ts';
import { dropReasoning, fieldsFor, refuseEssential, type TargetFields, type Translation } from '../../routing/index.ts';
import { isEffort } from '../efforts.ts';

/** https://ai.google.dev/gemini-api/docs/openai#thinking */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};
/** Models with a thinking budget; later ones also take it. Earlier models do not think. */
const THINKS = /(?:^|\/)gemini-(?:2\.5|[3-9]|\d\d)/;
/** Models that cannot stop thinking, and their smallest budget. */
const ALWAYS_THINKS = /(?:^|\/)gemini-(?:2\.5-pro|[3-9]|\d\d)/;
const MIN_BUDGET = 128;
/** Models that require a signature on past calls. */
const CHECKS_SIGNATURES = /(?:^|\/)gemini-(?:[3-9]|\d\d)/;
/** Models that take media within results, and these: https://ai.google.dev/gemini-api/docs/function-calling#multimodal */
const TAKES_MEDIA_IN_RESULTS = CHECKS_SIGNATURES;
const MEDIA_IN_RESULTS = /^data:(?:image\/(?:png|jpeg|webp)|application\/pdf|text\/plain)[;,]/;
/**
 * Google's value for calls without a signature, such as those of another model:
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/**
 * Earlier models refuse it: "Function calling with a response mime type: 'application/json' is unsupported".
 * https://github.com/googleapis/python-genai/issues/867, https://github.com/alphaXiv/agents/issues/3
 */
const TAKES_FORMAT_WITH_TOOLS = CHECKS_SIGNATURES;

interface GeminiContext {
  readonly model: string;
  readonly hasTools: boolean;
}

const number =
  (name: string) =>
  (value: unknown): object | undefined =>
    typeof value === 'number' ? { generationConfig: { [name]: value } } : undefined;

/** What generateContent has for fields of other APIs. */
export const GEMINI_TARGET: TargetFields<GeminiContext> = {
  reasoning_effort: {
    as: '`generationConfig.thinkingConfig.thinkingBudget` from Gemini 2.5 on',
    set: (effort, context) => (isEffort(effort) ? toThinkingConfig({ effort }, context) : undefined),
    otherwise: 'dropped',
    reason: 'this model has no such level',
  },
  thinking: {
    as: '`generationConfig.thinkingConfig.thinkingBudget` from Gemini 2.5 on',
    set: (thinking, context) => toThinkingConfig(thinking as Thinking, context),
    otherwise: 'dropped',
    reason: 'this model does not think',
  },
  response_format: {
    as: '`generationConfig.responseMimeType`, `generationConfig.responseJsonSchema`; with tools from Gemini 3 on',
    set: (value, { model, hasTools }) => {
      if (hasTools && !TAKES_FORMAT_WITH_TOOLS.test(model)) return undefined;
      const { schema, description } = value as JsonFormat;
      const said = description ? { description, ...schema } : schema;
      const responseJsonSchema = schema && { responseJsonSchema: said };
      return { generationConfig: { responseMimeType: 'application/json', ...responseJsonSchema } };
    },
    otherwise: 'refused',
    reason: 'models before Gemini 3 take no format of the response together with tools',
  },
  seed: {
    as: '`generationConfig.seed`',
    set: (seed) => (Number.isSafeInteger(seed) ? { generationConfig: { seed } } : undefined),
    otherwise: 'dropped',
  },
  top_k: { as: '`generationConfig.topK`', set: number('topK'), otherwise: 'dropped' },
  presence_penalty: {
    as: '`generationConfig.presencePenalty`',
    set: number('presencePenalty'),
    otherwise: 'dropped',
  },
  frequency_penalty: {
    as: '`generationConfig.frequencyPenalty`',
    set: number('frequencyPenalty'),
    otherwise: 'dropped',
  },
  logit_bias: { otherwise: 'dropped' },
  verbosity: { otherwise: 'dropped' },
  service_tier: { otherwise: 'dropped', reason: 'its tiers have other terms' },
  end_user: { otherwise: 'dropped' },
  cache_hint: { otherwise: 'dropped', reason: 'it caches by itself' },
  image_detail: { otherwise: 'dropped' },
};

function toThinkingConfig({ effort, budget, off }: Thinking, { model }: GeminiContext): object | undefined {
  if (off) return {};
  if (!THINKS.test(model)) return undefined;
  const asked = budget ?? (effort === undefined ? undefined : BUDGETS[effort]);
  if (asked === undefined) return {};
  const least = ALWAYS_THINKS.test(model) ? MIN_BUDGET : 0;
  const thinkingBudget = Math.max(least, Math.min(asked, BUDGETS.max));
  const thinkingConfig = { thinkingBudget, ...(asked > 0 && { includeThoughts: true }) };
  return { generationConfig: { thinkingConfig } };
}

/**
 * The body of generateContent for a request in another protocol.
 * @throws GatewayError `invalid_value` for what changes the result and has no equivalent; `param` names the field
 */
export function toGeminiRequest(request: ChatRequest, model: string, translation: Translation): object {
  refuseEssential(request.others, translation);
  dropReasoning(request.messages, translation);
  const { generationConfig, ...others } = fieldsFor(
    request.others,
    GEMINI_TARGET,
    { model, hasTools: (request.tools ?? []).length > 0 },
    translation,
  );
  const settings = {
    ...(generationConfig as object | undefined),
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.topP !== undefined && { topP: request.topP }),
    ...(request.stop && { stopSequences: request.stop }),
    ...(request.choiceCount > 1 && { candidateCount: request.choiceCount }),
  };
  const writer = new ContentsWriter(request.messages, model, translation);
  const { tools } = request;
  // `true` is the API's only behaviour.
  if (request.parallelToolCalls === false && tools?.length) {
    translation.dropped('parallel_tool_calls', 'calls cannot be limited to one at a time');
  }
  const mode = toMode(request);
  return {
    ...others,
    contents: writer.contents,
    ...(writer.system.length > 0 && { systemInstruction: { parts: writer.system } }),
    ...(tools && tools.length > 0 && { tools: [{ functionDeclarations: tools.map(toDeclaration) }] }),
    ...(tools && tools.length > 0 && mode !== undefined && { toolConfig: { functionCallingConfig: mode } }),
    ...(Object.keys(settings).length > 0 && { generationConfig: settings }),
  };
}

interface Content {
  readonly role: string;
  readonly parts: object[];
}

/** Writes messages as contents. Consecutive messages of one role become one: the API needs results of parallel calls together. */
class ContentsWriter {
  readonly contents: Content[] = [];
  readonly system: object[] = [];
  private readonly names: ReadonlyMap<string, string>;
  private readonly signs: boolean;
  private readonly takesMedia: boolean;
  private readonly translation: Translation;

  constructor(messages: readonly ChatMessage[], model: string, translation: Translation) {
    this.signs = CHECKS_SIGNATURES.test(model);
    this.takesMedia = TAKES_MEDIA_IN_RESULTS.test(model);
    this.translation = translation;
    const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
    this.names = new Map(calls.map(({ id, name }) => [id, name] as const));
    for (const [at, message] of messages.entries()) this.add(message, `messages[${at}]`);
  }

  private add(message: ChatMessage, place: string): void {
    const { role } = message;
    if (role === 'system' || role === 'developer') {
      this.system.push(...this.toParts(message, place));
      return;
    }
    const parts = role === 'tool' ? this.toResult(message, place) : this.toSaid(message, place);
    const author = role === 'assistant' ? 'model' : 'user';
    const last = this.contents.at(-1);
    if (last?.role === author) last.parts.push(...parts);
    else if (parts.length > 0) this.contents.push({ role: author, parts });
  }

  private toSaid(message: ChatMessage, place: string): object[] {
    const { toolCalls = [], signed = [] } = message;
    const signatures = new Map(signed.map(({ calls, block }) => [calls, block]));
    const calls = toolCalls.map(({ id, name, arguments: text }, index) => ({
      functionCall: { id, name, args: this.toArgs(text, `${place}.tool_calls[${index}].function.arguments`) },
      // Of parallel calls, the first has the signature.
      ...(this.signs && index === 0 && { thoughtSignature: NO_SIGNATURE }),
      ...signatures.get(index),
    }));
    return [...this.toParts(message, place), ...calls];
  }

  /** The result of a call. Media that the model does not take within it follow as separate parts, which all models take. */
  private toResult({ parts, toolCallId = '' }: ChatMessage, place: string): object[] {
    const name = this.names.get(toolCallId);
    if (name === undefined) throw this.translation.refused(`${place}.tool_call_id`, 'no earlier call has this id');
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const [within, after]: [object[], object[]] = [[], []];
    for (const [at, part] of parts.entries()) {
      if (part.type === 'text') continue;
      const param = `${place}.content[${at}]`;
      const media = this.toPart(part, param);
      if (this.takesMedia && isMediaOfResults(part)) within.push(media);
      else {
        this.translation.follows(param);
        after.push(media);
      }
    }
    // A result must be an object: other text is put under `result` unchanged.
    const response = readObject(text) ?? { result: text };
    return [
      { functionResponse: { id: toolCallId, name, response, ...(within.length > 0 && { parts: within }) } },
      ...after,
    ];
  }

  private toParts({ parts }: ChatMessage, place: string): object[] {
    return parts.flatMap((part, index) =>
      part.type === 'text' && part.text === '' ? [] : [this.toPart(part, `${place}.content[${index}]`)],
    );
  }

  private toArgs(text: string, param: string): object {
    const value = readObject(text);
    if (value !== undefined) return value;
    throw this.translation.refused(param, 'the arguments must be a JSON object');
  }

  private toPart(part: ContentPart, param: string): object {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return { text: part.text };
      case 'image':
        return this.toInlineData(part.url, param);
      case 'audio':
        return { inlineData: { mimeType: `audio/${part.format}`, data: part.data } };
      case 'file':
        return this.toInlineData(part.data ?? '', param);
    }
  }

  private toInlineData(url: string, param: string): object {
    const mimeType = DATA_URL.exec(url)?.[1];
    if (mimeType === undefined) throw this.translation.refused(param, 'send media as a base64 data URL');
    return { inlineData: { mimeType, data: url.slice(url.indexOf(',') + 1) } };
  }
}

function isMediaOfResults(part: ContentPart): boolean {
  const url = part.type === 'image' ? part.url : part.type === 'file' ? part.data : undefined;
  return url !== undefined && MEDIA_IN_RESULTS.test(url);
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,;]*)*;base64,/;

function toDeclaration({ name, description, parameters }: NonNullable<ChatRequest['tools']>[number]): object {
  return { name, ...(description && { description }), ...(parameters && { parametersJsonSchema: parameters }) };
}

/** A forced call always matches its schema. With `auto` it does if a tool is `strict`. */
function toMode({ toolChoice, tools = [] }: ChatRequest): object | undefined {
  if (typeof toolChoice === 'object') return { mode: 'ANY', allowedFunctionNames: [toolChoice.name] };
  if (toolChoice === 'required') return { mode: 'ANY' };
  if (toolChoice === 'none') return { mode: 'NONE' };
  if (tools.some(({ strict }) => strict)) return { mode: 'VALIDATED' };
  return toolChoice === undefined ? undefined : { mode: 'AUTO' };
}
