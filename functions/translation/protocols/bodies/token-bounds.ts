import { toParam } from '../../../kernel/errors/index.ts';
import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import { asReadLeniently, KNOWN_NAMES } from './member-names.ts';
import { MAPS } from './named-resources.ts';
import { traitsOf } from './reference-names.ts';

/**
 * Members that set the length or the number of responses on some server: OpenAI's, Google's, and those of llama.cpp (where `n_predict`
 * overrides `max_tokens`), vLLM, SGLang, TGI, Ollama, models of Bedrock, Aleph Alpha, text-generation-webui and older servers.
 */
const OUTPUT_FIELDS = new Set(
  [
    'max_tokens',
    'max_completion_tokens',
    'max_output_tokens',
    'max_new_tokens',
    'max_gen_len',
    'max_length',
    'max_tokens_to_sample',
    'n_predict',
    'num_predict',
    'best_of',
    'n',
    'n_cmpl',
    'num_return_sequences',
    'tokens_to_generate',
    'max_token_count',
    'max_tokens_to_generate',
    'max_response_output_tokens',
    'candidate_count',
    'num_results',
    'num_generations',
    'num_completions',
    'maximum_tokens',
    'auto_max_new_tokens',
    // Of pictures, also at Replicate, Diffusers, Stable Diffusion's web UI and Imagen.
    'num_images',
    'num_images_per_prompt',
    'number_of_images',
    'num_outputs',
    'num_samples',
    'sample_count',
    'batch_size',
    'n_iter',
  ].map(asReadLeniently),
);
/** Below them names have their documented meaning, or the caller chooses them. */
const NO_WRAPPERS: ReadonlySet<string> = new Set([...KNOWN_NAMES, 'logit_bias', ...MAPS].map(asReadLeniently));

/**
 * A member of a parsed body that may raise the output beyond what is reserved, since the protocol does not count it. Servers read members of
 * some objects as top-level members (`options`, `extra_body`, `inference_config`), so any object that the APIs do not define is searched.
 * @param counted the members that the protocol's `read` counts
 */
export function uncountedOutputField(body: unknown, counted: readonly string[]): string | undefined {
  const path = pathTo(body, OUTPUT_FIELDS, counted);
  return path === undefined ? undefined : toParam(path);
}

/** Members that set the size of a picture, besides OpenAI's `size`: at Together, xAI, Fireworks, Stability and others. */
const SIZES = new Set(
  ['size', 'width', 'height', 'resolution', 'image_size', 'output_size', 'aspect_ratio', 'megapixels'].map(
    asReadLeniently,
  ),
);

/** Whether a body sets the size of a picture by other members than `size`: a server may use those. */
export function hasOtherSize(body: unknown): boolean {
  return pathTo(body, SIZES, ['size']) !== undefined;
}

/** The first member with one of the names, as a lenient server reads them. @param counted names that are none at the top */
function pathTo(value: unknown, names: ReadonlySet<string>, counted: readonly string[]): JsonPath | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, item] of Object.entries(value)) {
    if (item === null || counted.includes(name)) continue;
    const step = Array.isArray(value) ? Number(name) : name;
    const read = asReadLeniently(name);
    if (names.has(read)) return [step];
    // What a protocol counts at the top does not count below.
    const isWrapper = !NO_WRAPPERS.has(read) && !traitsOf(name).isFree;
    const inside = isWrapper ? pathTo(item, names, []) : undefined;
    if (inside !== undefined) return [step, ...inside];
  }
  return undefined;
}

/**
 * Tools that the caller runs: their results come in the next request and are counted there. The provider runs any other type, unknown types
 * included, during the response, and what it reads counts as input.
 */
const RUN_BY_CALLER: Readonly<Record<'responses' | 'messages', (type: string) => boolean>> = {
  responses: (type) => ['function', 'custom', 'local_shell', 'apply_patch'].includes(type),
  // Anthropic defines these and the caller runs them; their types end with a date.
  messages: (type) => type === 'custom' || /^(?:bash|text_editor|computer|memory)_\d{8}$/.test(type),
};

/** Members of a chat body at OpenRouter, xAI and others that make the provider search, or read from a server. */
const SEARCH_MEMBERS = [
  'web_search_options',
  'plugins',
  'search_parameters',
  'enable_search',
  'connectors',
  'mcp_servers',
] as const;
/** Models that always search: OpenAI's `gpt-4o-search-preview`, Perplexity's, Groq's compound systems, `:online` at OpenRouter. */
const SEARCH_MODEL = /^(?:sonar|compound)|-search-(?:preview|api)|:online$/i;

/** Whether the provider runs a tool of the request. `unnamed`: the type of a tool without a type. */
export function hasServerTools(
  tools: unknown,
  protocol: keyof typeof RUN_BY_CALLER,
  unnamed: string | undefined = undefined,
): boolean {
  if (!Array.isArray(tools)) return false;
  return tools.some((tool: unknown) => {
    if (!isObject(tool)) return true;
    const type = tool.type ?? unnamed;
    if (protocol === 'responses' && type === 'namespace') return hasServerTools(tool.tools, protocol);
    return typeof type !== 'string' || !RUN_BY_CALLER[protocol](type);
  });
}

/** Whether the model searches for every response. */
export function searchesByModel(model: string): boolean {
  return SEARCH_MODEL.test(model.slice(model.lastIndexOf('/') + 1));
}

/** Whether the provider of a chat or completion searches during the response. `model`: the provider's model name. */
export function searchesByItself(body: object, model: string): boolean {
  if (searchesByModel(model)) return true;
  return SEARCH_MEMBERS.some((name) => {
    const value = (body as Record<string, unknown>)[name];
    return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
  });
}

/** The bytes of a text, or of the JSON of any other value: a token of every tokenizer in use has at least one byte. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}

/**
 * The bytes of the members beside the prompts of a request. A text that is none of its settings may be read with each prompt (a suffix, an
 * instruction of vLLM's or Jina's models).
 */
export function bytesBeside(others: object, settings: object, promptCount: number): number {
  let [once, repeated] = [0, 0];
  for (const [name, value] of Object.entries(others)) {
    const bytes = bytesOf(value);
    once += bytesOf(name) + bytes;
    const isText = typeof value === 'string' || typeof value === 'object';
    if (isText && !Object.hasOwn(settings, name)) repeated += bytes;
  }
  return once + Math.max(0, promptCount - 1) * repeated;
}

/**
 * An upper bound on the tokens of a prediction that its response does not contain: OpenAI bills them as output (`rejected_prediction_tokens` in
 * https://platform.openai.com/docs/api-reference/chat/object).
 */
export function boundPrediction(body: unknown): number {
  const { prediction } = Object(body) as { readonly prediction?: unknown };
  return isObject(prediction) ? bytesOf(prediction) : 0;
}

const ADDRESS = /^\s*(?:https?|data|file|ftp|gs|s3):/i;

/** Whether a string of a value is an address from which a provider may read content. */
export function hasAddress(value: unknown): boolean {
  if (typeof value === 'string') return ADDRESS.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasAddress);
}
