import Anthropic from '@anthropic-ai/sdk';
import { ApiError, type Content, type GenerateContentResponse, GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
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
  SCHEMA,
  THINKING_TOKENS,
  toolsOf,
} from './client.ts';

type Called = NonNullable<Outcome['calls']>[number];

const DATA_URL = `data:image/png;base64,${IMAGE}`;

const openai = ({ origin, key }: Connection) => new OpenAI({ apiKey: key, baseURL: `${origin}/v1`, maxRetries: 0 });
const isOpenAiLimit = (error: unknown) => error instanceof OpenAI.RateLimitError;

async function askChat(connection: Connection, { model, streams, has }: Ask): Promise<Outcome> {
  const { completions } = openai(connection).chat;
  const tools = toolsOf(has);
  const content: OpenAI.ChatCompletionContentPart[] = [
    { type: 'text', text: promptOf(has) },
    ...(has === 'image' ? [{ type: 'image_url' as const, image_url: { url: DATA_URL } }] : []),
  ];
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content },
  ];
  const create = () => {
    const asked = {
      model,
      messages,
      max_completion_tokens: MAX_TOKENS,
      ...(has === 'reasoning' && { reasoning_effort: 'medium' as const }),
      ...(tools && {
        tools: tools.map(({ name, description, schema: parameters }) => ({
          type: 'function' as const,
          function: { name, description, parameters, strict: true },
        })),
      }),
      ...(has === 'schema' && { response_format: zodResponseFormat(CITY, 'city') }),
    };
    if (!streams) return completions.parse(asked);
    return completions.stream({ ...asked, stream_options: { include_usage: true } }).finalChatCompletion();
  };
  const made: Called[] = [];
  let last = await create();
  for (;;) {
    const said = last.choices[0]?.message;
    const calls = (said?.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []));
    if (said === undefined || calls.length === 0) break;
    messages.push(said);
    for (const { id, function: called } of calls) {
      const call = { name: called.name, args: JSON.parse(called.arguments) };
      made.push(call);
      messages.push({ role: 'tool', tool_call_id: id, content: resultOf(has, call.name, call.args) });
    }
    last = await create();
  }
  return {
    text: last.choices[0]?.message.content ?? '',
    calls: made,
    value: last.choices[0]?.message.parsed,
    usage: { input: last.usage?.prompt_tokens, output: last.usage?.completion_tokens },
  };
}

async function askResponses(connection: Connection, { model, streams, has }: Ask): Promise<Outcome> {
  const { responses } = openai(connection);
  const tools = toolsOf(has);
  const content: OpenAI.Responses.ResponseInputContent[] = [
    { type: 'input_text', text: promptOf(has) },
    ...(has === 'image' ? [{ type: 'input_image' as const, image_url: DATA_URL, detail: 'auto' as const }] : []),
  ];
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content }];
  const create = () => {
    const asked = {
      model,
      instructions: 'Be brief.',
      input,
      max_output_tokens: MAX_TOKENS,
      ...(has === 'reasoning' && { reasoning: { effort: 'medium' as const, summary: 'auto' as const } }),
      ...(tools && {
        tools: tools.map(({ name, description, schema: parameters }) => ({
          type: 'function' as const,
          name,
          description,
          parameters,
          strict: true,
        })),
      }),
      ...(has === 'schema' && { text: { format: zodTextFormat(CITY, 'city') } }),
    };
    return streams ? responses.stream(asked).finalResponse() : responses.parse(asked);
  };
  const made: Called[] = [];
  let last = await create();
  for (;;) {
    const calls = last.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
    if (calls.length === 0) break;
    input.push(...(last.output as OpenAI.Responses.ResponseInputItem[]));
    for (const { call_id, name, arguments: args } of calls) {
      made.push({ name, args: JSON.parse(args) });
      input.push({ type: 'function_call_output', call_id, output: resultOf(has, name, args) });
    }
    last = await create();
  }
  return {
    text: last.output_text,
    calls: made,
    value: last.output_parsed,
    usage: { input: last.usage?.input_tokens, output: last.usage?.output_tokens },
  };
}

async function askMessages({ origin, key }: Connection, { model, streams, has }: Ask): Promise<Outcome> {
  const client = new Anthropic({ apiKey: key, authToken: null, baseURL: origin, maxRetries: 0 });
  const tools = toolsOf(has);
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: IMAGE };
  const content: Anthropic.ContentBlockParam[] = [
    ...(has === 'image' ? [{ type: 'image' as const, source }] : []),
    { type: 'text', text: promptOf(has), cache_control: { type: 'ephemeral' } },
  ];
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content }];
  const create = () => {
    const asked = {
      model,
      system: 'Be brief.',
      messages,
      max_tokens: MAX_TOKENS,
      ...(has === 'reasoning' && { thinking: { type: 'enabled' as const, budget_tokens: THINKING_TOKENS } }),
      ...(tools && {
        tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
      }),
      ...(has === 'schema' && { output_config: { format: { type: 'json_schema' as const, schema: SCHEMA } } }),
    };
    return streams ? client.messages.stream(asked).finalMessage() : client.messages.create(asked);
  };
  const made: Called[] = [];
  let last = await create();
  for (;;) {
    const calls = last.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
    if (calls.length === 0) break;
    made.push(...calls.map(({ name, input: args }) => ({ name, args })));
    messages.push(
      { role: 'assistant', content: last.content },
      {
        role: 'user',
        content: calls.map(({ id, name, input: args }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: resultOf(has, name, args),
        })),
      },
    );
    last = await create();
  }
  const text = last.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return {
    text,
    calls: made,
    value: has === 'schema' ? JSON.parse(text) : undefined,
    usage: { input: last.usage.input_tokens, output: last.usage.output_tokens },
  };
}

async function askGemini({ origin, key }: Connection, { model, streams, has }: Ask): Promise<Outcome> {
  const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: origin } });
  const tools = toolsOf(has);
  const inlineData = { mimeType: 'image/png', data: IMAGE };
  const contents: Content[] = [
    { role: 'user', parts: [{ text: promptOf(has) }, ...(has === 'image' ? [{ inlineData }] : [])] },
  ];
  const create = async () => {
    const config = {
      systemInstruction: 'Be brief.',
      maxOutputTokens: MAX_TOKENS,
      ...(has === 'reasoning' && { thinkingConfig: { thinkingBudget: THINKING_TOKENS, includeThoughts: true } }),
      ...(tools && {
        tools: [
          {
            functionDeclarations: tools.map(({ name, description, schema }) => ({
              name,
              description,
              parametersJsonSchema: schema,
            })),
          },
        ],
      }),
      ...(has === 'schema' && { responseMimeType: 'application/json', responseJsonSchema: SCHEMA }),
    };
    if (!streams) return [await models.generateContent({ model, contents, config })];
    const chunks: GenerateContentResponse[] = [];
    for await (const chunk of await models.generateContentStream({ model, contents, config })) chunks.push(chunk);
    return chunks;
  };
  const made: Called[] = [];
  let last = await create();
  for (;;) {
    const calls = last.flatMap((chunk) => chunk.functionCalls ?? []);
    if (calls.length === 0) break;
    made.push(...calls.map(({ name, args }) => ({ name: name ?? '', args })));
    const parts = last.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
    const results = calls.map(({ id, name, args }) => ({
      functionResponse: { ...(id && { id }), name: name ?? '', response: { output: resultOf(has, name, args) } },
    }));
    contents.push({ role: 'model', parts }, { role: 'user', parts: results });
    last = await create();
  }
  const text = last.map((chunk) => chunk.text ?? '').join('');
  const usage = last.at(-1)?.usageMetadata;
  return {
    text,
    calls: made,
    value: has === 'schema' ? JSON.parse(text) : undefined,
    usage: { input: usage?.promptTokenCount, output: usage?.candidatesTokenCount },
  };
}

/** The SDKs of providers. */
export const SDKS: readonly Client[] = [
  {
    name: 'OpenAI SDK, chat completions',
    package: 'openai',
    own: 'OpenAI',
    isRateLimit: isOpenAiLimit,
    ask: askChat,
  },
  { name: 'OpenAI SDK, Responses', package: 'openai', own: 'OpenAI', isRateLimit: isOpenAiLimit, ask: askResponses },
  {
    name: 'Anthropic SDK',
    package: '@anthropic-ai/sdk',
    own: 'Anthropic',
    isRateLimit: (error) => error instanceof Anthropic.RateLimitError,
    ask: askMessages,
  },
  {
    name: 'Google SDK',
    package: '@google/genai',
    own: 'Google',
    isRateLimit: (error) => error instanceof ApiError && error.status === 429,
    ask: askGemini,
  },
];
