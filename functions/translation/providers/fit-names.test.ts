import { describe, expect, it } from '@jest/globals';
import type { ChatDelta, ChatRequest } from '../../kernel/model/index.ts';
import type { ChatCall, ProviderResponse } from '../routing/index.ts';
import {
  ANTHROPIC_NAMES,
  CHAT_NAMES,
  CONVERSE_NAMES,
  fitNames,
  GEMINI_NAMES,
  MISTRAL_NAMES,
  withFittedNames,
} from './fit-names.ts';

const LONG = `mcp__${'a'.repeat(80)}__search`;
const DOTTED = 'files.read';

function requestOf(tools: readonly string[], more: Partial<ChatRequest> = {}): ChatRequest {
  return {
    model: 'm',
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', parts: [], toolCalls: tools.map((name, at) => ({ id: `id.${at}`, name, arguments: '{}' })) },
      ...tools.map((_, at) => ({ role: 'tool' as const, parts: [], toolCallId: `id.${at}` })),
    ],
    stream: false,
    includeUsage: false,
    tools: tools.map((name) => ({ name })),
    choiceCount: 1,
    others: [],
    ...more,
  };
}
const namesIn = ({ tools = [] }: ChatRequest) => tools.map(({ name }) => name);
const callsIn = ({ messages }: ChatRequest) => messages.flatMap(({ toolCalls = [] }) => toolCalls);

describe('names for an API', () => {
  it.each([
    ['chat completions', CHAT_NAMES, /^[\w-]{1,64}$/, /^.{1,40}$/],
    ['Mistral', MISTRAL_NAMES, /^[\w-]{1,64}$/, /^[a-zA-Z0-9]{9}$/],
    ['Anthropic', ANTHROPIC_NAMES, /^[\w-]{1,64}$/, /^[\w-]+$/],
    ['Converse', CONVERSE_NAMES, /^[\w-]{1,64}$/, /^[\w-]{1,64}$/],
    ['Google', GEMINI_NAMES, /^[A-Za-z_][\w.:-]{0,63}$/, /^/],
  ])('are valid, different, and the same in tools, choice and history: %s', (_, grammar, tool, id) => {
    const tools = [LONG, `${LONG}2`, DOTTED, 'files_read', 'files/read', '7zip', 'ok', 'ä', ''];
    const { request } = fitNames(requestOf(tools, { toolChoice: { name: LONG } }), grammar);
    const names = namesIn(request);
    for (const name of names) expect(name).toMatch(tool);
    expect(new Set(names).size).toBe(tools.length);
    expect(callsIn(request).map(({ name }) => name)).toEqual(names);
    expect(request.toolChoice).toEqual({ name: names[0] });
    const ids = callsIn(request).map((call) => call.id);
    for (const one of ids) expect(one).toMatch(id);
    expect(new Set(ids).size).toBe(tools.length);
    expect(request.messages.flatMap(({ toolCallId }) => toolCallId ?? [])).toEqual(ids);
  });

  it('are the same in the next request, and never those of another tool', () => {
    const [first] = namesIn(fitNames(requestOf([LONG]), ANTHROPIC_NAMES).request);
    expect(namesIn(fitNames(requestOf(['other', LONG]), ANTHROPIC_NAMES).request)[1]).toBe(first);
    const both = namesIn(fitNames(requestOf([LONG, first as string]), ANTHROPIC_NAMES).request);
    expect(both[1]).toBe(first);
    expect(both[0]).not.toBe(first);
  });

  it('are unchanged where they are valid', () => {
    const request = requestOf([], {
      tools: [{ name: 'a_b-C1' }],
      others: [{ path: 'u', meaning: 'end_user', value: 'x' }],
    });
    expect(fitNames(request, CHAT_NAMES).request).toBe(request);
  });

  it('are short for end users and schemas too', () => {
    const others = [
      { path: 'metadata.user_id', meaning: 'end_user', value: `user_${'f'.repeat(100)}` },
      { path: 'text.format', meaning: 'response_format', value: { name: 'my schema', schema: {} } },
    ] as const;
    const { request } = fitNames(requestOf([], { others }), CHAT_NAMES);
    expect(request.others[0]?.value).toMatch(/^user_f{50}_[0-9a-f]{8}$/);
    expect(request.others[1]?.value).toEqual({ name: expect.stringMatching(/^my_schema_[0-9a-f]{8}$/), schema: {} });
  });
});

describe('a response', () => {
  const ask = async (response: (sent: string) => ProviderResponse) => {
    const call = { request: requestOf([LONG]) } as ChatCall;
    return withFittedNames(call, ANTHROPIC_NAMES, async ({ request }) => response(namesIn(request)[0] as string));
  };

  it("has the caller's names, whole", async () => {
    const response = await ask((name) => ({
      kind: 'translated',
      completion: {
        id: 'c',
        model: 'm',
        choices: [
          { index: 0, text: null, toolCalls: [{ id: 'i', name, arguments: '{}' }], finishReason: 'tool_calls' },
        ],
        usage: {},
      },
    }));
    expect(response).toMatchObject({ completion: { choices: [{ toolCalls: [{ id: 'i', name: LONG }] }] } });
  });

  it("has the caller's names, streamed", async () => {
    const response = await ask((name) => ({
      kind: 'translated-stream',
      deltas: (async function* () {
        yield [{ type: 'tool_call', choice: 0, index: 0, id: 'i', name } as ChatDelta];
        yield [{ type: 'tool_call', choice: 0, index: 1, id: 'j', name: 'invented' } as ChatDelta];
      })(),
    }));
    const names: string[] = [];
    if (response.kind !== 'translated-stream') throw new Error(response.kind);
    for await (const batch of response.deltas)
      for (const delta of batch) if (delta.type === 'tool_call') names.push(delta.name);
    expect(names).toEqual([LONG, 'invented']);
  });
});
