import * as z from 'zod';

/** A provider's protocol that a model is called with. */
export type Target = 'OpenAI' | 'Anthropic' | 'Google' | 'Bedrock';

/** One conversation with a model. */
export interface Ask {
  readonly model: string;
  readonly streams: boolean;
  /** What the request has beside its text. With `tool` the client sends the result of the call in a second request. */
  readonly has?: 'tool' | 'schema' | 'image' | 'reasoning';
}

/** What the client's caller gets. */
export interface Outcome {
  readonly text: string;
  readonly calls?: readonly { readonly name: string; readonly args: unknown }[];
  /** The parsed structured output. */
  readonly value?: unknown;
  readonly usage: { readonly input: number | undefined; readonly output: number | undefined };
}

export interface Connection {
  /** The service, without `/v1`. */
  readonly origin: string;
  readonly key: string;
}

export interface Client {
  readonly name: string;
  readonly package: string;
  /** The target whose protocol it has, so that its requests pass unchanged. */
  readonly own: Target;
  /** Whether the error is the class that this client has for a 429. */
  isRateLimit(error: unknown): boolean;
  ask(connection: Connection, ask: Ask): Promise<Outcome>;
}

export const PROMPT = 'What is the weather in Rome?';
export const MAX_TOKENS = 4096;
export const THINKING_TOKENS = 2048;
/** A white pixel. */
export const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';
export const TOOL = { name: 'get_weather', description: 'The weather in a city' } as const;
export const CITY = z.object({ city: z.string() });
export const SCHEMA = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
  additionalProperties: false,
};
export const RESULT = 'Sunny in Rome.';
