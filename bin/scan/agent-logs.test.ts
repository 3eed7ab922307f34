import { describe, expect, it } from '@jest/globals';
import { CONVERSATIONS, MAIL, ORDER, SENT } from '../../test/threats/mail-agent.ts';
import { conversationsIn } from './read-conversation.ts';
import { type Scanned, Scanner } from './scanner.ts';
import { createWriter } from './write-results.ts';

const USER = 'Summarise mail m-1.';
const scanner = new Scanner({ output: { tool_misuse: { action: 'block' } } }, 'user');
const log = (api: keyof typeof CONVERSATIONS, mail = ORDER) => CONVERSATIONS[api](USER, MAIL(mail), true);
const listIn = (api: keyof typeof CONVERSATIONS, member: string, mail: string) =>
  (log(api, mail) as Record<string, object>)[member] as object;

function scanAll(record: object): Promise<Scanned[]> {
  const position = { file: 'log.jsonl', line: 3, isVerbatim: false };
  const items = (conversationsIn(record) ?? []).map((conversation) => ({
    position,
    id: 'log.jsonl:3',
    subject: { kind: 'conversation', conversation } as const,
  }));
  return Promise.all(items.map((item) => scanner.scan(item)));
}

/** The calls that are reported: action and field. */
async function misuseIn(record: object) {
  const all = await scanAll(record);
  return all.flatMap(({ threats }) =>
    threats
      .filter(({ type }) => type === 'tool_misuse')
      .map(({ category, action, location }) => [category, action, location.field]),
  );
}

/** The conversation as a span of a model call: with its calls as messages so far, and the last as its output. */
function span(mail: string) {
  const call = (id: string, name: string, args: object) => ({ type: 'tool_call', id, name, arguments: args });
  const say = (role: string, ...parts: object[]) => ({ role, parts });
  const text = (content: string) => ({ type: 'text', content });
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.system_instructions': [text('You are a mail assistant.')],
    'gen_ai.input.messages': [
      say('user', text(USER)),
      say('assistant', text('One moment.'), call('c1', 'read_mail', { id: 'm-1' })),
      say('tool', { type: 'tool_call_response', id: 'c1', response: JSON.parse(MAIL(mail)) }),
    ],
    'gen_ai.output.messages': [say('assistant', text('Done soon.'), call('c2', 'send_email', SENT))],
    'gen_ai.tool.definitions': [
      { type: 'function', name: 'send_email', description: 'Sends a mail.', parameters: { type: 'object' } },
    ],
  };
}

/** A value in OTLP's JSON. */
function typed(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(typed) } };
  return { kvlistValue: { values: pairs(value as object) } };
}

function pairs(value: object): object[] {
  return Object.entries(value).map(([key, one]) => ({ key, value: typed(one) }));
}

const asJson = (value: object) =>
  Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
const line = (...spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
const OUTPUT = 'gen_ai.output.messages[0].parts[1].arguments.to';
const { input, ...rest } = log('responses') as { input: object[] };
const LOGS: readonly (readonly [name: string, log: (mail: string) => object, field: string])[] = [
  ['messages of chat completions', (mail) => log('chat', mail), 'messages[3].tool_calls[0].function.arguments.to'],
  ['items of responses', (mail) => log('responses', mail), 'input[3].arguments.to'],
  [
    'items of a request and its response',
    (mail) => {
      const { input: all } = log('responses', mail) as { input: object[] };
      return { ...rest, input: all.slice(0, 3), output: all.slice(3, 4) };
    },
    'output[0].arguments.to',
  ],
  ['messages of Anthropic', (mail) => log('messages', mail), 'messages[3].content[1].input.to'],
  ['contents of Gemini', (mail) => log('gemini', mail), 'contents[3].parts[0].functionCall.args.to'],
  ['an array of messages', (mail) => listIn('chat', 'messages', mail), '[3].tool_calls[0].function.arguments.to'],
  ["an array of Anthropic's messages", (mail) => listIn('messages', 'messages', mail), '[3].content[1].input.to'],
  ['an array of items', (mail) => listIn('responses', 'input', mail), '[3].arguments.to'],
  ['an array of contents', (mail) => listIn('gemini', 'contents', mail), '[3].parts[0].functionCall.args.to'],
  ['a span', (mail) => ({ name: 'chat', attributes: span(mail) }), OUTPUT],
  ['a span with JSON in its attributes', (mail) => ({ attributes: asJson(span(mail)) }), OUTPUT],
  ["a span's event", (mail) => line({ name: 'chat', events: [{ attributes: pairs(span(mail)) }] }), OUTPUT],
  ['a line of OTLP', (mail) => line({ attributes: pairs(span(mail)) }, { attributes: [] }), OUTPUT],
];

describe.each(LOGS)('a log of %s', (_, logOf, field) => {
  it('has a finding for a call that a mail orders', async () => {
    expect(await misuseIn(logOf(ORDER))).toEqual([['instructed_call', 'block', field]]);
  });

  it('has texts, which are inspected by their roles', async () => {
    const [scanned] = await scanAll(logOf('SVC-TEST-BLOCK-7f3a'));
    const found = scanned?.threats.filter(({ rule }) => rule === 'test-text/block');
    expect(found?.map(({ location }) => location.field)).toEqual([expect.stringMatching(/content|output|response/)]);
  });
});

describe('a finding', () => {
  it('is in the scores and in each output', async () => {
    const [scanned] = await scanAll(log('chat'));
    expect(scanned?.scores.tool_misuse).toBeGreaterThan(0.8);
    const field = 'messages[3].tool_calls[0].function.arguments.to';
    const written = (format: 'jsonl' | 'sarif') => {
      const writer = createWriter(format);
      return writer.start() + writer.result(scanned as Scanned) + writer.end(0, []);
    };
    expect(JSON.parse(written('jsonl'))).toMatchObject({
      line: 3,
      scores: { tool_misuse: expect.any(Number) },
      detected_threats: expect.arrayContaining([
        expect.objectContaining({ rule: 'tool-misuse/instructed-call', location: expect.objectContaining({ field }) }),
      ]),
    });
    expect(JSON.parse(written('sarif')).runs[0].results).toContainEqual(
      expect.objectContaining({
        ruleId: 'tool-misuse/instructed-call',
        level: 'error',
        locations: [{ physicalLocation: expect.objectContaining({ region: { startLine: 3, startColumn: 1 } }) }],
        properties: expect.objectContaining({ field }),
      }),
    );
  });

  it('is of every response in the log, not only the last', async () => {
    const { messages, ...others } = log('chat') as { messages: object[] };
    const later = [
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Thank you.' },
    ];
    expect(await misuseIn({ ...others, messages: [...messages, ...later] })).toHaveLength(1);
  });
});

it('does not compare calls whose earlier turns are elsewhere', async () => {
  for (const record of [
    { output: input.slice(3, 4) },
    { input: input.slice(2), previous_response_id: 'resp_1' },
    { attributes: { 'gen_ai.output.messages': span(ORDER)['gen_ai.output.messages'] } },
  ]) {
    const [scanned] = await scanAll(record);
    expect([scanned?.skipsCalls, await misuseIn(record)]).toEqual([true, []]);
  }
});

it.each([
  ['of which none is a model call', line({ attributes: pairs({ 'http.method': 'GET' }) })],
  ['without content', line({ attributes: pairs({ 'gen_ai.operation.name': 'chat' }) })],
])('spans %s have no conversation', (_, record) => expect(conversationsIn(record)).toEqual([]));

it.each([
  ['a text', { text: 'Hello' }],
  ['an input', { input: 'Hello' }],
  ['messages without a list', { messages: 'Hello' }],
  ['an array of records with a role', [{ role: 'user', text: 'Hello' }]],
  ['an array of items without a message', [{ type: 'function_call', name: 'f', arguments: '{}' }]],
  ['an object with attributes', { attributes: { color: 'red' } }],
])('%s is no conversation', (_, record) => expect(conversationsIn(record)).toBeUndefined());

it('has any parts in its spans', async () => {
  const parts = [
    { type: 'reasoning', content: 'I think.' },
    { type: 'uri', modality: 'image', uri: 'https://a.example/b.png' },
    { type: 'blob', modality: 'image', content: 'aGk=' },
    { type: 'vendor', note: 'SVC-TEST-BLOCK-7f3a' },
  ];
  const [scanned] = await scanAll({ attributes: { 'gen_ai.input.messages': [{ role: 'user', parts }] } });
  expect(scanned).toMatchObject({
    skippedParts: 2,
    threats: [{ rule: 'test-text/block', location: { field: 'gen_ai.input.messages[0].parts[3]' } }],
  });
  const cut = { attributes: { 'gen_ai.input.messages': '[{"role":"user","parts":[{"content":"SVC-TEST-BLOCK-7f3a' } };
  expect(await scanAll(cut)).toMatchObject([{ threats: [{ rule: 'test-text/block' }] }]);
});
