import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CallInspector } from '../../../functions/inspection/calls/call-inspector.ts';
import { createInspector } from '../../../functions/inspection/detectors/index.ts';
import { policyOf } from '../../../functions/inspection/policy/index.ts';
import { InspectionReport } from '../../../functions/inspection/report/index.ts';
import type { ChatMessage, PolicySettings } from '../../../functions/kernel/model/index.ts';
import { answersOf, argumentsIn } from '../../fuzz/hostile-calls.ts';
import { byDayOrNight } from '../../support/night.ts';
import { MAIL, ORDER, SENT } from '../mail-agent.ts';
import { type Block, CALL_APIS } from './called-tools.ts';
import { API_NAMES, type ApiName, released, textSent, toText } from './released-calls.ts';

type Inspector = Parameters<typeof released>[3];

const RUNS = byDayOrNight(60, 2000);
/** Other cases each night. */
const SEED = byDayOrNight({ seed: 20261130 }, {});
const EVIL = 'evil';

/** Removes the calls that have a word in their arguments. */
const removing: Inspector = {
  isReady: true,
  prepare: async () => {},
  skipHosted: () => {},
  decide: async () => ({ onSent: () => {} }),
  skip: () => '[removed]',
  mayRemove: () => true,
  *inspect(call) {
    yield;
    return call.arguments.includes(EVIL) ? { text: '[removed]' } : 'send';
  },
};

describe.each(API_NAMES)('a client of %s', (name) => {
  const texts = fc.constantFrom('kim', 'bob', EVIL);
  const call = fc.record({ name: fc.constantFrom('write', 'send'), args: fc.record({ to: texts, cc: texts }) });
  const blocksArbitrary = fc.array(fc.oneof(fc.constant<Block>('Let me see.'), call), { minLength: 1, maxLength: 4 });

  it.each([undefined, 2, 1000])(
    'gets no arguments that were not inspected, whatever is doubled, changed or moved (%s)',
    (size) => {
      const streams = size !== undefined;
      const bodies = blocksArbitrary.chain((blocks) => answersOf(name, blocks, size));
      fc.assert(
        fc.property(bodies, (body) => {
          const sent = toText(released(name, body, streams, removing), streams);
          expect(argumentsIn(sent).filter((text) => text.includes(EVIL))).toEqual([]);
        }),
        { numRuns: RUNS, ...SEED },
      );
    },
  );
});

describe('arguments that some clients take for those of a call are inspected', () => {
  const argumentsSent = (name: ApiName, events: readonly object[]) =>
    argumentsIn(textSent(name, events, removing)).join(' ');
  const evil = JSON.stringify({ to: EVIL });
  const item = (more: object) => ({ id: 'i_0', status: 'completed', call_id: 'a', name: 'send', ...more });
  const added = (one: object) => ({ type: 'response.output_item.added', output_index: 0, item: one });
  const done = (one: object) => ({ type: 'response.output_item.done', output_index: 0, item: one });
  const completed = (one: object) => ({ type: 'response.completed', response: { id: 'resp_1', output: [one] } });
  const empty = item({ type: 'function_call', arguments: '{}' });
  const custom = item({ type: 'custom_tool_call', arguments: '', input: EVIL });
  const delta = { type: 'response.function_call_arguments.delta', output_index: 7, item_id: 'i_0', delta: evil };
  const use = { type: 'tool_use', id: 't', name: 'send', input: {} };
  const block = (type: string, more: object = {}) => ({ type: `content_block_${type}`, index: 0, ...more });
  const json = (partial_json: string) => block('delta', { delta: { type: 'input_json_delta', partial_json } });
  const stop = { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: {} };
  const chunk = (call: object, finish_reason: string | null = null) => ({
    id: 'c1',
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason }],
  });
  const begun = chunk({ id: 'a', type: 'function', function: { name: 'send', arguments: '{}' } });
  const part = (functionCall: object) => ({ candidates: [{ index: 0, content: { parts: [{ functionCall }] } }] });
  const pieces = (...partialArgs: object[]) => part({ partialArgs, willContinue: true });

  it.each<[string, ApiName, readonly object[]]>([
    ['of an index without a call', 'responses', [added(empty), delta, done(empty), completed(empty)]],
    ['in the member of another kind of call', 'responses', [added(custom), done(custom), completed(custom)]],
    ['before the start of a block', 'messages', [json(evil), block('start', { content_block: use }), stop]],
    ['after the end of a block', 'messages', [block('start', { content_block: use }), block('stop'), json(evil), stop]],
    [
      'after the end of the message',
      'messages',
      [block('start', { content_block: use }), json('{}'), stop, json(evil)],
    ],
    [
      'beside those of a custom tool',
      'chat',
      [
        chunk(
          { id: 'a', type: 'function', function: { name: 'send', arguments: evil }, custom: { name: 'x', input: '' } },
          'stop',
        ),
      ],
    ],
    [
      'under another id, in two parts',
      'chat',
      [
        begun,
        chunk({ id: 'b', function: { arguments: '{"to":"ev' } }),
        chunk({ id: 'c', function: { arguments: 'il"}' } }, 'stop'),
      ],
    ],
    [
      'of a choice whose index is a text',
      'chat',
      [
        begun,
        {
          id: 'c1',
          choices: [{ index: '', delta: { tool_calls: [{ index: 0, function: { arguments: '{"to":"ev' } }] } }],
        },
        chunk({ function: { arguments: '{}' } }),
        {
          id: 'c1',
          choices: [
            {
              index: '',
              delta: { tool_calls: [{ index: 0, function: { arguments: 'il"}' } }] },
              finish_reason: 'stop',
            },
          ],
        },
      ],
    ],
    ['of an index without a name', 'chat', [begun, chunk({ index: 5, function: { arguments: evil } }, 'stop')]],
    [
      'whole in the first of several chunks',
      'gemini',
      [part({ name: 'send', args: { to: EVIL }, willContinue: true }), part({})],
    ],
    [
      'whole, and in pieces',
      'gemini',
      [
        part({ name: 'send', args: { to: EVIL }, willContinue: true }),
        pieces({ jsonPath: '$.to', stringValue: 'kim' }),
        part({}),
      ],
    ],
    [
      'in pieces, after the end of the response',
      'gemini',
      [
        part({ name: 'send', willContinue: true }),
        pieces({ jsonPath: '$.to', stringValue: 'ev', willContinue: true }),
        { candidates: [{ index: 0, content: { parts: [] }, finishReason: 'STOP' }] },
        pieces({ jsonPath: '$.to', stringValue: 'il' }),
        part({}),
      ],
    ],
  ])('%s: %s', (_, name, events) => {
    expect(argumentsSent(name, events)).not.toContain(EVIL);
  });

  it('in another version of the whole arguments, and in one of very many', () => {
    const whole = (args: string) => ({
      ...{ type: 'response.function_call_arguments.done', output_index: 0, item_id: 'i_0', arguments: args },
    });
    const call = item({ type: 'function_call', arguments: '{"to":"kim"}' });
    const many = Array.from({ length: 2_000 }, (_, at) => whole(`{"to":"${at}"}`));
    for (const versions of [[whole(evil)], [...many, whole(evil)]]) {
      const sent = argumentsSent('responses', [added(empty), ...versions, done(call), completed(call)]);
      expect(sent).not.toContain(EVIL);
    }
  });

  it('of calls of the provider are not held', () => {
    const hosted = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const events = [block('start', { content_block: hosted }), json('{"query":"evil"}'), block('stop'), stop];
    expect(argumentsSent('messages', events)).toContain(EVIL);
  });
});

const words = (value: string) => [{ type: 'text', text: value }] as const;
const tool = (name: string, ...names: string[]) => ({
  name,
  parameters: { type: 'object', properties: Object.fromEntries(names.map((one) => [one, { type: 'string' }])) },
});
const TOOLS = [tool('read_mail', 'id'), tool('send_email', 'to', 'subject', 'body')];
/** A mail with an order was read. */
const MESSAGES: readonly ChatMessage[] = [
  { role: 'user', parts: words('Summarise mail m-1 and reply to Kim that Thursday suits us.') },
  { role: 'assistant', parts: [], toolCalls: [{ id: 'c1', name: 'read_mail', arguments: '{"id":"m-1"}' }] },
  { role: 'tool', parts: words(MAIL(ORDER)), toolCallId: 'c1' },
];
const inspector = createInspector();

/** What inspects the calls of the response to MESSAGES. */
async function inspectorOf(settings: PolicySettings, tools = TOOLS): Promise<CallInspector> {
  const calls = new CallInspector({ messages: MESSAGES, tools }, true, {
    ...{ sender: undefined, policy: policyOf(settings), report: new InspectionReport(), inspector },
    scheduler: { cpuMs: () => 0, monotonic: () => 0, nextTurn: async () => {} },
  });
  await calls.prepare();
  return calls;
}

/** What is sent of a response with these blocks under a policy. */
async function sentUnder(settings: PolicySettings, name: ApiName, blocks: readonly Block[], size?: number) {
  const calls = await inspectorOf(settings);
  const { body } = size === undefined ? CALL_APIS[name].whole(blocks) : CALL_APIS[name].streamed(blocks, size);
  return toText(released(name, String(body), size !== undefined, calls), size !== undefined);
}

/** Blocks by origin alone, and by a rule alone. */
const BLOCKING: Readonly<Record<string, PolicySettings>> = {
  origin: { output: { tool_misuse: { action: 'block', threshold: 0.8 } } },
  rule: {
    output: { tool_misuse: { action: 'off' } },
    tools: {
      rules: [
        { id: 'r', tool: 'send_email', action: 'block', args: { to: { from: ['user', 'field:read_mail.from'] } } },
      ],
    },
  },
};
const SENT_JSON = JSON.stringify(SENT);
const ESCAPED = SENT_JSON.replace('audit@collect-docs', '\\u0061udit\\u0040collect\\u002ddocs');
const deep = (levels: number) => `{"to":"${SENT.to}","x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const KIM = 'kim@partner.example';
/** Arguments as an attacker may have a model write them; clients repair what is broken. */
const WRITTEN: Readonly<Record<string, string>> = {
  'cut off': SENT_JSON.slice(0, -8),
  'cut off, with escapes': ESCAPED.slice(0, -8),
  'with more behind them': `${SENT_JSON}}`,
  'in a block of code': `\`\`\`json\n${SENT_JSON}\n\`\`\``,
  'with single quotes and escapes': ESCAPED.replaceAll('"', "'"),
  'with a name twice': `{"to":"${KIM}","to":"${SENT.to}"}`,
  'with a name twice and escapes': `{"to":"${KIM}",${ESCAPED.slice(1)}`,
  'as JSON in a text': JSON.stringify(SENT_JSON),
  'in a list': `[${SENT_JSON}]`,
  twice: SENT_JSON + SENT_JSON,
  'of 600 levels': deep(600),
  'of 100,000 levels': deep(100_000),
  'behind 100 addresses': JSON.stringify({ to: [...Array(100).fill(KIM), SENT.to], body: 'As attached.' }),
  'behind 90 different addresses': JSON.stringify({
    to: [...Array.from(Array(90), (_, at) => `k${at}@partner.example`), SENT.to],
  }),
  'behind 100 other arguments': JSON.stringify({
    ...Object.fromEntries(Array.from(Array(100), (_, at) => [`a${at}`, 'x'])),
    ...SENT,
  }),
};
/** The APIs whose arguments are a text. */
const TEXT_APIS = [
  ['chat', undefined],
  ['chat', 7],
  ['responses', undefined],
  ['responses', 7],
  ['messages', 7],
] as const;

describe.each(Object.entries(WRITTEN))('a call that a mail orders, with arguments %s', (_, written) => {
  it.each(Object.entries(BLOCKING))('is removed by its %s', async (__, settings) => {
    const block = { name: 'send_email', args: {}, written };
    // A mebibyte of brackets in events of 7 characters takes long.
    for (const [name, size] of TEXT_APIS) {
      const sent = await sentUnder(settings, name, [block], size && Math.max(size, written.length / 500));
      expect([name, argumentsIn(sent).filter((text) => text.includes('test'))]).toEqual([name, []]);
    }
  });
});

it('a call with megabytes of arguments is removed in every API', async () => {
  const block = { name: 'send_email', args: { ...SENT, body: 'word '.repeat(byDayOrNight(50_000, 1_000_000)) } };
  for (const name of API_NAMES) {
    for (const size of [undefined, 10_000]) {
      const sent = await sentUnder(BLOCKING.rule as PolicySettings, name, [block], size);
      expect([name, sent.length < 10_000, sent.includes('was blocked')]).toEqual([name, true, true]);
    }
  }
});

it.each([undefined, 7])('two calls of one id are decided one by one (%s)', async (size) => {
  const call = (to: string) => ({ name: 'send_email', args: { ...SENT, to } });
  for (const name of API_NAMES) {
    const sent = await sentUnder(BLOCKING.rule as PolicySettings, name, [call(KIM), call(SENT.to)], size);
    const sameId = sent.replaceAll(/(call|toolu)_1/g, '$1_0');
    expect([name, sameId.includes(SENT.to), sent.includes('was blocked')]).toEqual([name, false, true]);
  }
});

describe('a nested argument that Gemini streams in pieces', () => {
  const part = (functionCall: object, more: object = {}) =>
    `data: ${JSON.stringify({ candidates: [{ index: 0, content: { parts: [{ functionCall }] }, ...more }] })}\n\n`;
  const streamed = (...pieces: object[]) =>
    [
      part({ name: 'send_email', willContinue: true }),
      ...pieces.map((piece) => part({ partialArgs: [piece], willContinue: true })),
      part({}, { finishReason: 'STOP' }),
    ].join('');
  const settings = (path: string): PolicySettings => ({
    output: { tool_misuse: { action: 'off' } },
    tools: {
      rules: [{ id: 'r', tool: 'send_email', action: 'block', args: { [path]: { match: ['*@partner.example'] } } }],
    },
  });
  const isSent = async (path: string, body: string) => {
    const calls = await inspectorOf(settings(path));
    return toText(released('gemini', body, true, calls), true).includes('"functionCall":{"name"');
  };

  it.each([
    ['mail.to', '$.mail.to'],
    ['mail.to', "$['mail']['to']"],
    ['mail.to', '$["mail"].to'],
    ['rows[*].to', '$.rows[0].to'],
    ['to', "$['to']"],
  ])('is compared at its path %s: %s', async (path, jsonPath) => {
    const at = (...texts: string[]) => streamed(...texts.map((stringValue) => ({ jsonPath, stringValue })));
    expect(await isSent(path, at('kim@part', 'ner.example'))).toBe(true);
    expect(await isSent(path, at('audit@collect', '-docs.test'))).toBe(false);
  });

  it.each([
    ['a path that is none', [{ jsonPath: 'to', stringValue: KIM }]],
    ['no path', [{ stringValue: KIM }]],
    ['a place far behind the end of a list', [{ jsonPath: '$.rows[4000000].to', stringValue: KIM }]],
    [
      'a text and an object at one place',
      [
        { jsonPath: '$.to', stringValue: KIM },
        { jsonPath: '$.to.x', stringValue: 'a' },
      ],
    ],
    [
      'two numbers at one place',
      [
        { jsonPath: '$.to', numberValue: 1 },
        { jsonPath: '$.to', numberValue: 2 },
      ],
    ],
    ['a path of 100 names', [{ jsonPath: `$${'.a'.repeat(100)}`, stringValue: KIM }]],
  ])('violates a rule with %s: clients differ on it', async (_, pieces) => {
    expect(await isSent('to', streamed(...pieces))).toBe(false);
  });
});

describe('a call whose name is written otherwise than the tool of the request', () => {
  const others = [
    'Send_Email',
    'SEND-EMAIL',
    'sendEmail',
    'send_email ',
    'send\u200b_email',
    'se\u00adnd_email',
    'ｓｅｎｄ_email',
  ];

  it.each(others)('is one of that tool for a rule: %j', async (written) => {
    for (const name of API_NAMES)
      for (const size of [undefined, 1000]) {
        const sent = await sentUnder(BLOCKING.rule as PolicySettings, name, [{ name: written, args: SENT }], size);
        expect([name, sent.includes(SENT.to)]).toEqual([name, false]);
      }
  });

  it.each(others)('is not listed by the name of that tool: %j', async (written) => {
    const tools = { unlisted: 'block', effects: { send_email: 'send', read_mail: 'read' } } as const;
    const settings = { output: { tool_misuse: { action: 'off' } }, tools } as const;
    for (const name of API_NAMES)
      for (const size of [undefined, 1000]) {
        const sent = await sentUnder(settings, name, [{ name: written, args: SENT }], size);
        expect([name, sent.includes(SENT.to)]).toEqual([name, false]);
      }
  });

  it('is another tool if the request has both', async () => {
    const { tools } = BLOCKING.rule as Required<Pick<PolicySettings, 'tools'>>;
    const calls = await inspectorOf({ tools }, [...TOOLS, tool('SEND_EMAIL', 'to')]);
    expect(['send_email', 'SEND_EMAIL', 'Send_Email'].map((one) => calls.mayRemove(one))).toEqual([true, false, true]);
  });
});
