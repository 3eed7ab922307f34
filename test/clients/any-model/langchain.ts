import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type UsageMetadata,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { concat } from '@langchain/core/utils/stream';
import { ChatGoogle } from '@langchain/google';
import { ChatOpenAI } from '@langchain/openai';
import {
  type Ask,
  CITY,
  type Client,
  type Connection,
  IMAGE,
  MAX_TOKENS,
  type Outcome,
  promptOf,
  resultOf,
  type Target,
  THINKING_TOKENS,
  toolsOf,
} from './client.ts';

/** How one of its chat models is set up. */
interface Setup {
  readonly name: string;
  readonly package: string;
  readonly own: Target;
  /** What it calls the error for a 429. */
  readonly rateLimit: object;
  model(connection: Connection, name: string, reasons: boolean): BaseChatModel;
}

const openai =
  (useResponsesApi: boolean): Setup['model'] =>
  ({ origin, key }, model, reasons) =>
    new ChatOpenAI({
      model,
      apiKey: key,
      configuration: { baseURL: `${origin}/v1` },
      useResponsesApi,
      maxTokens: MAX_TOKENS,
      maxRetries: 0,
      ...(reasons && { reasoning: { effort: 'medium' as const } }),
    });

const SETUPS: readonly Setup[] = [
  {
    name: 'ChatOpenAI, chat completions',
    package: '@langchain/openai',
    own: 'OpenAI',
    rateLimit: { status: 429, lc_error_code: 'MODEL_RATE_LIMIT' },
    model: openai(false),
  },
  {
    name: 'ChatOpenAI, Responses',
    package: '@langchain/openai',
    own: 'OpenAI',
    rateLimit: { status: 429, lc_error_code: 'MODEL_RATE_LIMIT' },
    model: openai(true),
  },
  {
    name: 'ChatAnthropic',
    package: '@langchain/anthropic',
    own: 'Anthropic',
    rateLimit: { status: 429, lc_error_code: 'MODEL_RATE_LIMIT' },
    model: ({ origin, key }, model, reasons) =>
      new ChatAnthropic({
        model,
        apiKey: key,
        anthropicApiUrl: origin,
        maxTokens: MAX_TOKENS,
        maxRetries: 0,
        ...(reasons && { thinking: { type: 'enabled', budget_tokens: THINKING_TOKENS } }),
      }),
  },
  {
    name: 'ChatGoogle',
    package: '@langchain/google',
    own: 'Google',
    rateLimit: { name: 'RequestError', statusCode: 429 },
    model: ({ origin, key }, model, reasons) =>
      new ChatGoogle({
        model,
        apiKey: key,
        endpoint: origin,
        platformType: 'gai',
        maxOutputTokens: MAX_TOKENS,
        maxRetries: 0,
        ...(reasons && { thinkingBudget: THINKING_TOKENS }),
      }),
  },
];

async function ask(setup: Setup, connection: Connection, { model, streams, has }: Ask): Promise<Outcome> {
  const chat = setup.model(connection, model, has === 'reasoning');
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${IMAGE}` } };
  const messages = [
    new SystemMessage('Be brief.'),
    new HumanMessage({ content: [{ type: 'text', text: promptOf(has) }, ...(has === 'image' ? [image] : [])] }),
  ];
  if (has === 'schema') {
    const structured = chat.withStructuredOutput(CITY, { method: 'jsonSchema', includeRaw: true });
    const { raw, parsed } = await structured.invoke(messages);
    return outcomeOf(raw as AIMessageChunk, [], parsed);
  }
  const tools = toolsOf(has)?.map(({ name, description, shape, run }) =>
    tool(async (args: unknown) => run(args), { name, description, schema: shape }),
  );
  const runner = tools ? chat.bindTools?.(tools) : chat;
  const create = async (asked: Parameters<BaseChatModel['invoke']>[0]): Promise<AIMessageChunk> => {
    if (!runner) throw new Error('it has no tools');
    if (!streams) return runner.invoke(asked);
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await runner.stream(asked)) whole = whole ? concat(whole, chunk) : chunk;
    if (!whole) throw new Error('an empty stream');
    return whole;
  };
  const sent: BaseMessage[] = [...messages];
  const made: NonNullable<AIMessageChunk['tool_calls']> = [];
  for (;;) {
    const said = await create(sent);
    const calls = said.tool_calls ?? [];
    if (calls.length === 0) return outcomeOf(said, made);
    made.push(...calls);
    const results = calls.map(
      ({ id = '', name, args }) => new ToolMessage({ tool_call_id: id, content: resultOf(has, name, args) }),
    );
    sent.push(said, ...results);
  }
}

function outcomeOf(message: AIMessageChunk, calls: Outcome['calls'] & object, value?: unknown): Outcome {
  const used = message.usage_metadata as UsageMetadata | undefined;
  return {
    text: message.text,
    calls: calls.map(({ name, args }) => ({ name, args })),
    value,
    usage: { input: used?.input_tokens, output: used?.output_tokens },
  };
}

/** LangChain's chat models. */
export const LANGCHAIN: readonly Client[] = SETUPS.map((setup) => ({
  name: `LangChain ${setup.name}`,
  package: setup.package,
  own: setup.own,
  isRateLimit: (error) =>
    error instanceof Error &&
    Object.entries(setup.rateLimit).every(([name, value]) => Reflect.get(error, name) === value),
  ask: (connection, asked) => ask(setup, connection, asked),
}));
