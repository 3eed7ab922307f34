import { isObject } from '../../base/json.ts';

/**
 * Members by which some server is told how long its answer may be, or how many it gives: OpenAI's, Google's, and those that llama.cpp
 * (where `n_predict` wins over `max_tokens`), vLLM, SGLang, TGI, Ollama and older servers know besides. Some servers read names in any
 * case.
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
  ].map(plain),
);
/** Objects whose members some servers read as if they stood outside. */
const WRAPPERS = new Set(['options', 'parameters', 'extra_body', 'sampling_params', 'generation_config'].map(plain));

/**
 * A member of a parsed body that may raise what is answered beyond what is reserved, since the protocol does not count it.
 * @param counted those that its `read` counts
 */
export function uncountedOutputField(body: unknown, counted: readonly string[]): string | undefined {
  if (!isObject(body)) return undefined;
  for (const [name, value] of Object.entries(body)) {
    if (value === null || counted.includes(name)) continue;
    if (OUTPUT_FIELDS.has(plain(name))) return name;
    if (!WRAPPERS.has(plain(name)) || !isObject(value)) continue;
    const inside = Object.keys(value).find((one) => value[one] !== null && OUTPUT_FIELDS.has(plain(one)));
    if (inside !== undefined) return `${name}.${inside}`;
  }
  return undefined;
}

/** A name without its case and separators: `nPredict` is `n_predict`. */
function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/**
 * Tools that the caller runs: what they give is in the next request, and is counted there. Any other type, one that is not known
 * included, is run by the provider while it answers, and what it reads is counted as input.
 */
const RUN_BY_CALLER: Readonly<Record<'responses' | 'messages', (type: string) => boolean>> = {
  responses: (type) => ['function', 'custom', 'local_shell', 'apply_patch'].includes(type),
  // Anthropic defines these, and the caller runs them; their types end in a date.
  messages: (type) => type === 'custom' || /^(?:bash|text_editor|computer|memory)_\d{8}$/.test(type),
};

/** Members of a chat's body, of OpenRouter, xAI and others, that have the provider search while it answers. */
const SEARCH_MEMBERS = ['web_search_options', 'plugins', 'search_parameters', 'enable_search', 'connectors'] as const;
/** Models that search by themselves: OpenAI's `gpt-4o-search-preview`, Perplexity's, Groq's compound systems, `:online` at OpenRouter. */
const SEARCH_MODEL = /^(?:sonar|compound)|-search-(?:preview|api)|:online$/i;

/** Whether the provider runs one of the tools of a request. `unnamed`: the type of a tool that names none. */
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

/** Whether a chat's or completion's provider searches while it answers. `model`: as its provider names it. */
export function searchesByItself(body: object, model: string): boolean {
  if (SEARCH_MODEL.test(model.slice(model.lastIndexOf('/') + 1))) return true;
  return SEARCH_MEMBERS.some((name) => {
    const value = (body as Record<string, unknown>)[name];
    return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
  });
}
