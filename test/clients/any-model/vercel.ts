import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  generateText,
  type LanguageModel,
  type ModelMessage,
  Output,
  stepCountIs,
  streamText,
  type ToolSet,
  tool,
} from 'ai';
import {
  type Ask,
  CITY,
  type Client,
  type Connection,
  IMAGE,
  MAX_TOKENS,
  type Outcome,
  promptOf,
  type Target,
  THINKING_TOKENS,
  toolsOf,
} from './client.ts';

type Options = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>;

/** How one of its providers is set up. */
interface Setup {
  readonly name: string;
  readonly package: string;
  readonly own: Target;
  model(connection: Connection, name: string): LanguageModel;
  /** For reasoning. */
  readonly reasoning: Options;
  /** For every request. */
  readonly always?: Options;
}

const openaiOf = ({ origin, key }: Connection) => createOpenAI({ baseURL: `${origin}/v1`, apiKey: key });
const OPENAI_REASONING = { reasoningEffort: 'medium', reasoningSummary: 'auto', forceReasoning: true };

const SETUPS: readonly Setup[] = [
  {
    name: 'openai, chat completions',
    package: '@ai-sdk/openai',
    own: 'OpenAI',
    model: (connection, name) => openaiOf(connection).chat(name),
    reasoning: { openai: { reasoningEffort: 'medium', forceReasoning: true } },
  },
  {
    name: 'openai, Responses',
    package: '@ai-sdk/openai',
    own: 'OpenAI',
    model: (connection, name) => openaiOf(connection)(name),
    reasoning: { openai: OPENAI_REASONING },
  },
  {
    name: 'openai, Responses with `store: false`',
    package: '@ai-sdk/openai',
    own: 'OpenAI',
    model: (connection, name) => openaiOf(connection)(name),
    reasoning: { openai: { ...OPENAI_REASONING, store: false } },
    always: { openai: { store: false } },
  },
  {
    name: 'anthropic',
    package: '@ai-sdk/anthropic',
    own: 'Anthropic',
    model: ({ origin, key }, name) => createAnthropic({ baseURL: `${origin}/v1`, apiKey: key })(name),
    reasoning: { anthropic: { thinking: { type: 'enabled', budgetTokens: THINKING_TOKENS } } },
  },
  {
    name: 'google',
    package: '@ai-sdk/google',
    own: 'Google',
    model: ({ origin, key }, name) => createGoogleGenerativeAI({ baseURL: `${origin}/v1beta`, apiKey: key })(name),
    reasoning: { google: { thinkingConfig: { thinkingBudget: THINKING_TOKENS, includeThoughts: true } } },
  },
  {
    name: 'openai-compatible',
    package: '@ai-sdk/openai-compatible',
    own: 'OpenAI',
    model: ({ origin, key }, name) =>
      createOpenAICompatible({
        name: 'svc',
        baseURL: `${origin}/v1`,
        apiKey: key,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(name),
    reasoning: { svc: { reasoningEffort: 'medium' } },
  },
];

async function ask(setup: Setup, connection: Connection, { model, streams, has }: Ask): Promise<Outcome> {
  const image = { type: 'image' as const, image: IMAGE, mediaType: 'image/png' };
  const messages: ModelMessage[] = [
    { role: 'user', content: [{ type: 'text', text: promptOf(has) }, ...(has === 'image' ? [image] : [])] },
  ];
  const tools = toolsOf(has)?.map(({ name, description, shape, run }) => [
    name,
    tool({ description, inputSchema: shape, execute: async (args) => run(args) }),
  ]);
  const providerOptions = has === 'reasoning' ? setup.reasoning : setup.always;
  const asked = {
    model: setup.model(connection, model),
    system: 'Be brief.',
    messages,
    maxOutputTokens: MAX_TOKENS,
    maxRetries: 0,
    stopWhen: stepCountIs(4),
    ...(providerOptions && { providerOptions }),
    ...(tools && { tools: Object.fromEntries(tools) as ToolSet }),
  };
  const output = has === 'schema' ? { output: Output.object({ schema: CITY }) } : {};
  if (!streams) {
    const result = await generateText({ ...asked, ...output });
    return outcomeOf(result.text, result.steps, result.usage, has === 'schema' ? result.output : undefined);
  }
  let failure: unknown;
  const onError = ({ error }: { error: unknown }) => {
    failure ??= error;
  };
  const result = streamText({ ...asked, ...output, onError });
  let text = '';
  for await (const piece of result.textStream) text += piece;
  if (failure !== undefined) throw failure;
  const steps = await result.steps;
  const last = steps.at(-1)?.text ?? text;
  return outcomeOf(last, steps, await result.usage, has === 'schema' ? await result.output : undefined);
}

function outcomeOf(
  text: string,
  steps: readonly { toolCalls: readonly { toolName: string; input: unknown }[] }[],
  { inputTokens: input, outputTokens: output }: { inputTokens: number | undefined; outputTokens: number | undefined },
  value: unknown,
): Outcome {
  const calls = steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName: name, input: args }) => ({ name, args })));
  return { text, calls, value, usage: { input, output } };
}

/** Vercel's AI SDK with its providers. */
export const VERCEL: readonly Client[] = SETUPS.map((setup) => ({
  name: `Vercel AI SDK, ${setup.name}`,
  package: setup.package,
  own: setup.own,
  isRateLimit: (error) => APICallError.isInstance(error) && error.statusCode === 429,
  ask: (connection, asked) => ask(setup, connection, asked),
}));
