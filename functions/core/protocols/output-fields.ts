import { isObject } from '../json/is-object.ts';

/**
 * Members by which some server is told how long its answer may be, or how many it gives: OpenAI's, Google's, and those that llama.cpp
 * (where `n_predict` wins over `max_tokens`), vLLM, SGLang, TGI, Ollama and older servers know besides.
 */
const OUTPUT_FIELDS = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_new_tokens',
  'max_gen_len',
  'max_length',
  'max_tokens_to_sample',
  'maxTokens',
  'maxOutputTokens',
  'n_predict',
  'num_predict',
  'best_of',
  'n',
  'n_cmpl',
  'num_return_sequences',
];
/** Objects whose members some servers read as if they stood outside. */
const WRAPPERS = ['options', 'parameters', 'extra_body', 'sampling_params'];

/**
 * A member of a parsed body that may raise what is answered beyond what is reserved, since the protocol does not count it.
 * @param counted those that its `read` counts
 */
export function uncountedOutputField(body: unknown, counted: readonly string[]): string | undefined {
  if (!isObject(body)) return undefined;
  const says = (object: Readonly<Record<string, unknown>>, name: string) =>
    Object.hasOwn(object, name) && object[name] !== null;
  const field = OUTPUT_FIELDS.find((name) => !counted.includes(name) && says(body, name));
  if (field !== undefined) return field;
  for (const wrapper of WRAPPERS) {
    const inside = body[wrapper];
    const name = isObject(inside) ? OUTPUT_FIELDS.find((one) => says(inside, one)) : undefined;
    if (name !== undefined) return `${wrapper}.${name}`;
  }
  return undefined;
}
