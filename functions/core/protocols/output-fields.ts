import { isObject } from '../base/json.ts';

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
