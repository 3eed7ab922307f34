import { startBedrockUpstream } from './bedrock-upstream.ts';
import { startGeminiUpstream } from './gemini-upstream.ts';
import type { Behaviour } from './mock-upstream/behaviour.ts';
import { startMockUpstream } from './mock-upstream/start-mock-upstream.ts';

/** What a model of any protocol responds. `items` are for the Responses API alone. */
export interface Reply extends Pick<Behaviour, 'text' | 'toolCalls' | 'items' | 'status'> {
  /** Usage; without it the provider's own count. */
  readonly tokens?: { readonly input: number; readonly output: number };
}

export interface Providers {
  /** Variables that lead the service to them. */
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Providers of all five protocols (chat completions, Responses, Messages, Gemini, Converse) that respond with `reply`. */
export async function startProviders(reply: (body: unknown) => Reply): Promise<Providers> {
  const mock = await startMockUpstream({
    record: false,
    behave: ({ json, path }) => (json === undefined ? {} : behaviourOf(reply(json), path)),
  });
  const gemini = await startGeminiUpstream(reply);
  const bedrock = await startBedrockUpstream(reply);
  return {
    settings: {
      OPENAI_API_KEY: 'upstream-key',
      OPENAI_BASE_URL: `${mock.url}/v1`,
      ANTHROPIC_API_KEY: 'upstream-key',
      ANTHROPIC_BASE_URL: mock.url,
      GEMINI_API_KEY: 'upstream-key',
      GEMINI_BASE_URL: gemini.url,
      BEDROCK_BASE_URL: bedrock.url,
      BEDROCK_API_KEY: 'upstream-key',
      BEDROCK_REGION: 'eu-central-1',
    },
    close: async () => {
      await Promise.all([mock.close(), gemini.close(), bedrock.close()]);
    },
  };
}

function behaviourOf({ tokens, ...rest }: Reply, path: string): Behaviour {
  if (tokens === undefined) return rest;
  const { input, output } = tokens;
  if (path.endsWith('/chat/completions'))
    return { ...rest, usage: { prompt_tokens: input, completion_tokens: output } };
  return { ...rest, usage: { input_tokens: input, output_tokens: output } };
}
