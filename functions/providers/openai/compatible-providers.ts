/** What a server of OpenAI's protocol does otherwise than OpenAI. */
export interface Dialect {
  /** The field that bounds an answer. */
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens';
  /** Whether `stream_options` is known; a server that refuses it tells the usage of a stream unasked. */
  readonly streamOptions: boolean;
  /** Whether the Responses API is there too; else it is translated into chat completions. */
  readonly responses: boolean;
}

export interface CompatibleProvider {
  readonly name: string;
  /** Where it is by default; undefined: only where a deployment says. */
  readonly address: string | undefined;
  /** Whether calls without a key are made: servers of one's own have none. */
  readonly keyless?: true;
  readonly dialect?: Partial<Dialect>;
}

export const OPENAI_DIALECT: Dialect = {
  maxTokensField: 'max_completion_tokens',
  streamOptions: true,
  responses: true,
};
/** `max_tokens` is deprecated at OpenAI alone: it is what all others know. */
export const COMMON_DIALECT: Dialect = { maxTokensField: 'max_tokens', streamOptions: true, responses: false };

/** Providers that speak OpenAI's protocol, and from where; `<NAME>_BASE_URL` gives another address. */
export const COMPATIBLE_PROVIDERS: readonly CompatibleProvider[] = [
  // It refuses `stream_options` with 422: https://github.com/BerriAI/litellm/issues/8978
  { name: 'mistral', address: 'https://api.mistral.ai/v1', dialect: { streamOptions: false } },
  { name: 'cohere', address: 'https://api.cohere.ai/compatibility/v1' },
  { name: 'groq', address: 'https://api.groq.com/openai/v1' },
  { name: 'deepseek', address: 'https://api.deepseek.com/v1' },
  { name: 'xai', address: 'https://api.x.ai/v1' },
  { name: 'together', address: 'https://api.together.xyz/v1' },
  { name: 'fireworks', address: 'https://api.fireworks.ai/inference/v1' },
  { name: 'openrouter', address: 'https://openrouter.ai/api/v1' },
  { name: 'perplexity', address: 'https://api.perplexity.ai' },
  { name: 'ollama', address: 'http://127.0.0.1:11434/v1', keyless: true },
  { name: 'vllm', address: undefined, keyless: true },
];
