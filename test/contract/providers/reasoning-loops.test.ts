import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProviderServer } from '../../support/provider-server.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { startSigningUpstream, TURNS } from '../../support/signing-upstream.ts';
import { Contract } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of four APIs
type Json = any;

let upstream: ProviderServer;
const contract = new Contract(
  (providers) =>
    startLocalProcess(
      { ...providers, OPENAI_BASE_URL: `${upstream.url}/v1`, ANTHROPIC_BASE_URL: upstream.url },
      {
        ...WITHOUT_EVENTS,
        GEMINI_API_KEY: 'k',
        GEMINI_BASE_URL: upstream.url,
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'AKID',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_ENDPOINT_URL_BEDROCK_RUNTIME: upstream.url,
      },
    ),
  {},
);
beforeAll(async () => {
  upstream = await startSigningUpstream();
  await contract.start();
});
afterAll(async () => {
  await contract.stop();
  await upstream.close();
});

const SCHEMA = { type: 'object', properties: { step: { type: 'number' } } };

interface Said {
  /** What the client keeps of the response, as items of its history. */
  readonly kept: readonly Json[];
  readonly calls: readonly { readonly id: string; readonly name: string; readonly step: number }[];
  readonly reasoning: string;
  readonly text: string;
}

/** A client of a protocol, which sends back what its protocol requires and nothing else. */
interface Caller {
  path(model: string, stream: boolean): string;
  body(model: string, history: readonly Json[], stream: boolean): object;
  question: Json;
  result(call: Said['calls'][number]): Json;
  /** @param events of a stream, or the one response */
  read(events: readonly Json[], stream: boolean): Said;
}

const chat: Caller = {
  path: () => '/chat/completions',
  body: (model, messages, stream) => ({
    model,
    messages,
    stream,
    max_tokens: 9000,
    reasoning_effort: 'medium',
    tools: [{ type: 'function', function: { name: 'look', parameters: SCHEMA } }],
  }),
  question: { role: 'user', content: 'Go' },
  result: ({ id }) => ({ role: 'tool', tool_call_id: id, content: 'seen' }),
  read: (events, stream) => {
    const messages = events.flatMap(({ choices }) => choices.map((one: Json) => (stream ? one.delta : one.message)));
    const joined = (name: string) => messages.map((one) => one[name] ?? '').join('');
    const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
    const [first] = calls;
    const text = calls.map((call) => call.function.arguments ?? '').join('');
    const call = first && { id: first.id, type: 'function', function: { name: first.function.name, arguments: text } };
    return {
      // Most clients keep no reasoning.
      kept: [{ role: 'assistant', content: null, ...(call && { tool_calls: [call] }) }],
      calls: call ? [{ id: call.id, name: call.function.name, step: JSON.parse(text).step }] : [],
      reasoning: joined('reasoning_content'),
      text: joined('content'),
    };
  },
};

const responses: Caller = {
  path: () => '/responses',
  body: (model, input, stream) => ({
    model,
    input,
    stream,
    store: false,
    max_output_tokens: 9000,
    reasoning: { effort: 'medium' },
    tools: [{ type: 'function', name: 'look', parameters: SCHEMA, strict: false }],
  }),
  question: { role: 'user', content: 'Go' },
  result: ({ id }) => ({ type: 'function_call_output', call_id: id, output: 'seen' }),
  read: (events) => {
    const { output } = events.map((event) => (event.type === 'response.completed' ? event.response : event)).at(-1);
    const textOf = (type: string) =>
      output
        .filter((item: Json) => item.type === type)
        .flatMap(({ content }: Json) => content)
        .map(({ text }: Json) => text)
        .join('');
    return {
      kept: output,
      calls: output
        .filter((item: Json) => item.type === 'function_call')
        .map((item: Json) => ({ id: item.call_id, name: item.name, step: JSON.parse(item.arguments).step })),
      reasoning: textOf('reasoning'),
      text: textOf('message'),
    };
  },
};

const messages: Caller = {
  path: () => '/messages',
  body: (model, history, stream) => ({
    model,
    messages: history,
    stream,
    max_tokens: 9000,
    thinking: { type: 'enabled', budget_tokens: 2000 },
    tools: [{ name: 'look', input_schema: SCHEMA }],
  }),
  question: { role: 'user', content: 'Go' },
  result: ({ id }) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'seen' }] }),
  read: (events, stream) => {
    const content: Json[] = stream ? [] : events[0].content;
    for (const { type, index, content_block, delta } of stream ? events : []) {
      if (type === 'content_block_start') content[index] = { ...content_block };
      const block = content[index];
      if (type !== 'content_block_delta') continue;
      if (delta.type === 'thinking_delta') block.thinking += delta.thinking;
      if (delta.type === 'text_delta') block.text += delta.text;
      if (delta.type === 'signature_delta') block.signature += delta.signature;
      if (delta.type === 'input_json_delta' && delta.partial_json) block.input = JSON.parse(delta.partial_json);
    }
    return {
      kept: [{ role: 'assistant', content }],
      calls: content
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name, input }) => ({ id, name, step: input.step })),
      reasoning: content.map(({ thinking = '' }) => thinking).join(''),
      text: content.map(({ text = '' }) => text).join(''),
    };
  },
};

const gemini: Caller = {
  path: (model, stream) =>
    `/../v1beta/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: (_, contents) => ({
    contents,
    generationConfig: { maxOutputTokens: 9000, thinkingConfig: { thinkingBudget: 2000 } },
    tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: SCHEMA }] }],
  }),
  question: { role: 'user', parts: [{ text: 'Go' }] },
  result: ({ id, name }) => ({
    role: 'user',
    parts: [{ functionResponse: { id, name, response: { result: 'seen' } } }],
  }),
  read: (events) => {
    const parts = events
      .flatMap(({ candidates }) => candidates ?? [])
      .flatMap(({ content }: Json) => content?.parts ?? []);
    const texts = (isThought: boolean) =>
      parts.map((part) => ((part.thought ?? false) === isThought ? (part.text ?? '') : '')).join('');
    return {
      kept: [{ role: 'model', parts }],
      calls: parts
        .filter(({ functionCall }) => functionCall)
        .map(({ functionCall: { id, name, args } }) => ({ id, name, step: args.step })),
      reasoning: texts(true),
      text: texts(false),
    };
  },
};

const CALLERS = { chat, responses, messages, gemini };
const TARGETS = {
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-3-pro-preview',
  openai: 'gpt-5.6',
  bedrock: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
};
/** Pairs in which nothing is translated. */
const NATIVE = ['chat openai', 'messages anthropic', 'messages bedrock', 'gemini google', 'responses openai'];
const PAIRS = Object.keys(CALLERS).flatMap((caller) =>
  Object.keys(TARGETS)
    .filter((target) => !NATIVE.includes(`${caller} ${target}`))
    .flatMap((target) => [true, false].map((stream) => [caller, target, stream ? 'streamed' : 'whole'] as const)),
) as (readonly [keyof typeof CALLERS, keyof typeof TARGETS, string])[];

async function ask(caller: Caller, model: string, history: readonly Json[], stream: boolean, key = contract.key) {
  const base = contract.service.baseUrl;
  const reply = await fetch(new URL(`${base}${caller.path(model, stream)}`), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(caller.body(model, history, stream)),
  });
  const body = await reply.text();
  if (reply.status !== 200) return { status: reply.status, body };
  const events = stream
    ? body
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => JSON.parse(line.slice('data: '.length)))
    : [JSON.parse(body)];
  return { status: reply.status, body, said: caller.read(events, stream) };
}

describe('a tool loop of five turns with a model that needs its signed reasoning back', () => {
  test.each(PAIRS)('%s to %s, %s', async (from, to, kind) => {
    const caller = CALLERS[from];
    const history: Json[] = [caller.question];
    const reasoning: string[] = [];
    for (let turn = 0; turn <= TURNS; turn += 1) {
      const { status, body, said } = await ask(caller, TARGETS[to], history, kind === 'streamed');
      expect([turn, status, body]).toEqual([turn, 200, body]);
      if (said === undefined) return;
      reasoning.push(said.reasoning);
      if (turn === TURNS) expect(said.text).toBe('Done.');
      else expect(said.calls).toMatchObject([{ name: 'look', step: turn }]);
      history.push(...said.kept, ...said.calls.map((call) => caller.result(call)));
    }
    const thoughts = Array.from({ length: TURNS }, (_, turn) => `Thought ${turn}`);
    const shown = { openai: thoughts.map(() => ''), bedrock: thoughts.map((one, at) => (at % 2 === 0 ? one : '')) };
    expect(reasoning.slice(0, TURNS)).toEqual({ ...shown, anthropic: thoughts, google: thoughts }[to]);
  });
});

test('the reasoning of another key is not found', async () => {
  const first = await ask(chat, TARGETS.google, [chat.question], false);
  const { kept = [], calls = [] } = first.said ?? {};
  const history = [chat.question, ...kept, ...calls.map((call) => chat.result(call))];
  const { key } = await contract.createKey();
  expect((await ask(chat, TARGETS.google, history, false)).status).toBe(200);
  expect(await ask(chat, TARGETS.google, history, false, key)).toMatchObject({ status: 400 });
});
