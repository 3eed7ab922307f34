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
  PROMPT,
  RESULT,
  SCHEMA,
  THINKING_TOKENS,
  TOOL,
} from './client.ts';

const DATA_URL = `data:image/png;base64,${IMAGE}`;

const openai = ({ origin, key }: Connection) => new OpenAI({ apiKey: key, baseURL: `${origin}/v1`, maxRetries: 0 });
const isOpenAiLimit = (error: unknown) => error instanceof OpenAI.RateLimitError;

async function askChat(connection: Connection, { model, streams, has }: Ask): Promise<Outcome> {
  const { completions } = openai(connection).chat;
  const content: OpenAI.ChatCompletionContentPart[] = [
    { type: 'text', text: PROMPT },
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
      ...(has === 'tool' && {
        tools: [{ type: 'function' as const, function: { ...TOOL, parameters: SCHEMA, strict: true } }],
      }),
      ...(has === 'schema' && { response_format: zodResponseFormat(CITY, 'city') }),
    };
    if (!streams) return completions.parse(asked);
    return completions.stream({ ...asked, stream_options: { include_usage: true } }).finalChatCompletion();
  };
  const first = await create();
  const said = first.choices[0]?.message;
  const calls = (said?.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []));
  let last = first;
  if (said && calls.length > 0) {
    messages.push(said, ...calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: RESULT })));
    last = await create();
  }
  return {
    text: last.choices[0]?.message.content ?? '',
    calls: calls.map((call) => ({ name: call.function.name, args: JSON.parse(call.function.arguments) })),
    value: last.choices[0]?.message.parsed,
    usage: { input: last.usage?.prompt_tokens, output: last.usage?.completion_tokens },
  };
}

async function askResponses(connection: Connection, { model, streams, has }: Ask): Promise<Outcome> {
  const { responses } = openai(connection);
  const content: OpenAI.Responses.ResponseInputContent[] = [
    { type: 'input_text', text: PROMPT },
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
      ...(has === 'tool' && {
        tools: [{ type: 'function' as const, ...TOOL, parameters: SCHEMA, strict: true }],
      }),
      ...(has === 'schema' && { text: { format: zodTextFormat(CITY, 'city') } }),
    };
    return streams ? responses.stream(asked).finalResponse() : responses.parse(asked);
  };
  const first = await create();
  const calls = first.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
  let last = first;
  if (calls.length > 0) {
    input.push(...(first.output as OpenAI.Responses.ResponseInputItem[]));
    for (const { call_id } of calls) input.push({ type: 'function_call_output', call_id, output: RESULT });
    last = await create();
  }
  return {
    text: last.output_text,
    calls: calls.map(({ name, arguments: args }) => ({ name, args: JSON.parse(args) })),
    value: last.output_parsed,
    usage: { input: last.usage?.input_tokens, output: last.usage?.output_tokens },
  };
}

async function askMessages({ origin, key }: Connection, { model, streams, has }: Ask): Promise<Outcome> {
  const client = new Anthropic({ apiKey: key, authToken: null, baseURL: origin, maxRetries: 0 });
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: IMAGE };
  const content: Anthropic.ContentBlockParam[] = [
    ...(has === 'image' ? [{ type: 'image' as const, source }] : []),
    { type: 'text', text: PROMPT, cache_control: { type: 'ephemeral' } },
  ];
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content }];
  const create = () => {
    const asked = {
      model,
      system: 'Be brief.',
      messages,
      max_tokens: MAX_TOKENS,
      ...(has === 'reasoning' && { thinking: { type: 'enabled' as const, budget_tokens: THINKING_TOKENS } }),
      ...(has === 'tool' && { tools: [{ ...TOOL, input_schema: SCHEMA }] }),
      ...(has === 'schema' && { output_config: { format: { type: 'json_schema' as const, schema: SCHEMA } } }),
    };
    return streams ? client.messages.stream(asked).finalMessage() : client.messages.create(asked);
  };
  const first = await create();
  const calls = first.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
  let last = first;
  if (calls.length > 0) {
    messages.push(
      { role: 'assistant', content: first.content },
      {
        role: 'user',
        content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: RESULT })),
      },
    );
    last = await create();
  }
  const text = last.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return {
    text,
    calls: calls.map(({ name, input: args }) => ({ name, args })),
    value: has === 'schema' ? JSON.parse(text) : undefined,
    usage: { input: last.usage.input_tokens, output: last.usage.output_tokens },
  };
}

async function askGemini({ origin, key }: Connection, { model, streams, has }: Ask): Promise<Outcome> {
  const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: origin } });
  const inlineData = { mimeType: 'image/png', data: IMAGE };
  const contents: Content[] = [
    { role: 'user', parts: [{ text: PROMPT }, ...(has === 'image' ? [{ inlineData }] : [])] },
  ];
  const create = async () => {
    const config = {
      systemInstruction: 'Be brief.',
      maxOutputTokens: MAX_TOKENS,
      ...(has === 'reasoning' && { thinkingConfig: { thinkingBudget: THINKING_TOKENS, includeThoughts: true } }),
      ...(has === 'tool' && { tools: [{ functionDeclarations: [{ ...TOOL, parametersJsonSchema: SCHEMA }] }] }),
      ...(has === 'schema' && { responseMimeType: 'application/json', responseJsonSchema: SCHEMA }),
    };
    if (!streams) return [await models.generateContent({ model, contents, config })];
    const chunks: GenerateContentResponse[] = [];
    for await (const chunk of await models.generateContentStream({ model, contents, config })) chunks.push(chunk);
    return chunks;
  };
  const first = await create();
  const calls = first.flatMap((chunk) => chunk.functionCalls ?? []);
  let last = first;
  if (calls.length > 0) {
    const parts = first.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
    const results = calls.map(({ id, name }) => ({
      functionResponse: { ...(id && { id }), name: name ?? '', response: { output: RESULT } },
    }));
    contents.push({ role: 'model', parts }, { role: 'user', parts: results });
    last = await create();
  }
  const text = last.map((chunk) => chunk.text ?? '').join('');
  const usage = last.at(-1)?.usageMetadata;
  return {
    text,
    calls: calls.map(({ name, args }) => ({ name: name ?? '', args })),
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
