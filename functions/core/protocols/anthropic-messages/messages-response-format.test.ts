import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALL_RULES } from '../../../detectors/index.ts';
import { GatewayError } from '../../base/errors.ts';
import { CpuBudget } from '../../base/steps.ts';
import { type Finding, findingKey } from '../../inspect/finding.ts';
import { Inspector } from '../../inspect/inspector.ts';
import { OutputGuard } from '../../inspect/output/output-guard.ts';
import { Policy } from '../../inspect/policy.ts';
import { Redaction } from '../../inspect/redaction.ts';
import type { ChatCompletion, ChatDelta } from '../../model/chat.ts';
import type { OutsideOutput } from '../../pipeline/inspect-output.ts';
import { securityInfo } from '../../pipeline/request-outcome.ts';
import { type InspectionPace, writeRefusal } from '../../pipeline/response-writer.ts';
import { runningRequest, writerOf } from '../../pipeline/running-request.fixture.ts';
import { COUNT_TOKENS_PROTOCOL } from './messages-protocol.ts';
import { MESSAGES_FRAMING, MessagesResponseFormat } from './messages-response-format.ts';

// biome-ignore lint/suspicious/noExplicitAny: events and messages as JSON, whose shape is what is tested
type Json = any;

const INSPECTOR = new Inspector(ALL_RULES);
const POLICY = new Policy({ output: { secret: { action: 'redact' }, pii: { action: 'redact' } } });
const BLOCK = 'SVC-TEST-BLOCK-7f3a';
const REDACT = 'SVC-TEST-REDACT-7f3a';
const FLAG = 'SVC-TEST-FLAG-7f3a';
const HEAD = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-x',
  content: [],
  stop_reason: null,
  stop_sequence: null,
};
const START = {
  type: 'message_start',
  message: { ...HEAD, usage: { input_tokens: 7, cache_read_input_tokens: 5, output_tokens: 1 } },
};
const STOP = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 12 } },
  { type: 'message_stop' },
];

interface Options {
  readonly stream?: boolean;
  readonly policy?: Policy;
  readonly redaction?: Redaction;
  readonly outside?: Partial<OutsideOutput>;
  readonly pace?: InspectionPace;
  readonly endsOverspent?: () => boolean;
}

/** The objects around one response: its context, guard and writer. */
function world({ stream = true, policy = POLICY, redaction = new Redaction('test'), pace, endsOverspent }: Options) {
  const clock = { now: () => 1_700_000_000_000, monotonic: () => 0 };
  const running = runningRequest({ requestId: 'req_0a1b', route: '/v1/messages', clock });
  const { context, outcome } = running;
  const request = { model: 'gpt-4o', messages: [], stream, includeUsage: true, choiceCount: 1, others: [] };
  const head = { requestId: context.requestId, created: 1_700_000_000, model: 'gpt-4o' };
  const format = new MessagesResponseFormat(request, head);
  const unseen = { inputTokens: 99, outputTokens: 3 };
  outcome.usage.sends(request, { unseen, isBilled: true });
  const writer = writerOf(running, format, pace);
  const decisions: string[] = [];
  const guard = new OutputGuard(
    INSPECTOR,
    policy,
    redaction,
    ({ channel, finding, action }) => {
      decisions.push(`${channel} ${findingKey(finding)} ${action}`);
      outcome.inspection.findings.add(finding, action, {
        part: 'output',
        message: null,
        field: channel,
        start: finding.start,
        end: finding.end,
      });
    },
    { streams: stream, ...(endsOverspent && { endsOverspent }) },
  );
  return {
    outcome,
    writer,
    guard,
    decisions,
    refuse: () => writeRefusal({ format, svc: () => securityInfo(context, outcome) }, outcome),
  };
}

async function readAll(source: AsyncGenerator<string[]>): Promise<Json[]> {
  const events: Json[] = [];
  for await (const batch of source) events.push(...batch.map((json) => JSON.parse(json)));
  return events;
}

async function* inBatches<T>(items: readonly T[]): AsyncGenerator<T[]> {
  for (const item of items) yield [item];
}

/** An Anthropic stream passed through the gateway. */
async function passed(events: readonly object[], options: Options = {}) {
  const { outcome, writer, guard, decisions } = world(options);
  const chunks = inBatches(events.map((event) => JSON.stringify(event)));
  const out = await readAll(
    writer.stream({ kind: 'native-stream', chunks }, { guard, outside: options.outside as OutsideOutput }),
  );
  return { events: out, outcome, decisions: decisions.sort() };
}

async function translated(deltas: readonly ChatDelta[], options: Options = {}) {
  const { outcome, writer, guard } = world(options);
  const answer = { kind: 'translated-stream', deltas: inBatches(deltas) } as const;
  return { events: await readAll(writer.stream(answer, { guard })), outcome };
}

async function whole(message: object, options: Options = {}) {
  const { outcome, writer, guard, decisions } = world({ ...options, stream: false });
  const json = await writer.whole(
    { kind: 'native', body: JSON.stringify(message) },
    { guard, outside: options.outside as OutsideOutput },
  );
  return { message: JSON.parse(json) as Json, outcome, decisions: decisions.sort() };
}

async function wholeTranslated(completion: Omit<ChatCompletion, 'id' | 'model'>): Promise<Json> {
  const { writer, guard } = world({ stream: false });
  return JSON.parse(
    await writer.whole(
      { kind: 'translated', completion: { id: 'chatcmpl-9', model: 'gpt-4o-x', ...completion } },
      { guard },
    ),
  );
}

const textDelta = (text: string, index = 0) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text },
});
const inputDelta = (partial_json: string, index = 0) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json },
});
const begin = (content_block: object, index = 0) => ({ type: 'content_block_start', index, content_block });
const end = (index = 0) => ({ type: 'content_block_stop', index });
const TEXT = { type: 'text', text: '' };
const TOOL = { type: 'tool_use', id: 'toolu_1', name: 'push', input: {} };
const textStream = (...texts: string[]) => [
  START,
  begin(TEXT),
  ...texts.map((text) => textDelta(text)),
  end(),
  ...STOP,
];
const toolStream = (...pieces: string[]) => [
  START,
  begin(TOOL),
  ...pieces.map((piece) => inputDelta(piece)),
  end(),
  ...STOP,
];
const textOf = (events: Json[], index = 0): string =>
  events
    .filter((event) => event.type === 'content_block_delta' && event.index === index)
    .map(({ delta }) => delta.text ?? delta.partial_json ?? '')
    .join('');
const SVC = expect.objectContaining({ action: expect.any(String), request_id: 'req_0a1b' });
const typesOf = (events: Json[]) => events.map(({ type }) => type);

/** Joins adjacent pieces of one text: held-back text may leave in more pieces than it came in. */
function merged(events: Json[]): Json[] {
  const out: Json[] = [];
  for (const event of events) {
    const [last] = out.slice(-1);
    const field = ['text', 'partial_json', 'thinking'].find((name) => event.delta?.[name] !== undefined);
    const continues = field !== undefined && last?.index === event.index && last?.delta?.[field] !== undefined;
    if (continues)
      out[out.length - 1] = { ...last, delta: { ...last.delta, [field]: last.delta[field] + event.delta[field] } };
    else out.push(event);
  }
  return out;
}

/** What every client relies on: message start, one block after another, stop reason, message stop. */
function expectInOrder(events: Json[]): void {
  let open: number | undefined;
  let blocks = 0;
  expect(events[0].type).toBe('message_start');
  for (const { type, index } of events.slice(1, -2)) {
    if (type === 'content_block_start') {
      expect([open, index]).toEqual([undefined, blocks++]);
      open = index;
    } else if (type === 'content_block_stop') {
      expect(index).toBe(open);
      open = undefined;
    } else if (type === 'content_block_delta') expect(index).toBe(open);
    else expect(type).toBe('ping');
  }
  expect(open).toBeUndefined();
  expect(typesOf(events.slice(-2))).toEqual(['message_delta', 'message_stop']);
}

/** The events of a recorded response. */
function recorded(name: string): Json[] {
  const file = new URL(`../../../providers/anthropic/__fixtures__/${name}.sse`, import.meta.url);
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('data:')).map((line) => JSON.parse(line.slice('data:'.length)));
}

/** Texts split at arbitrary positions. */
const cuts = (text: string) =>
  fc.array(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 12 }).map((places) => {
    const at = [0, ...new Set(places), text.length].sort((a, b) => a - b);
    return at.slice(1).map((to, index) => text.slice(at[index], to));
  });

describe('an Anthropic stream', () => {
  it('passes event by event, with svc in the event that has the stop reason', async () => {
    const events = [
      START,
      { type: 'ping' },
      begin({ type: 'thinking', thinking: '', signature: '' }),
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
      end(),
      begin(TEXT, 1),
      textDelta('Good ', 1),
      textDelta('morning.', 1),
      {
        type: 'content_block_delta',
        index: 1,
        delta: {
          type: 'citations_delta',
          citation: { type: 'char_location', cited_text: 'Good', document_title: null },
        },
      },
      end(1),
      begin(TOOL, 2),
      inputDelta('', 2),
      inputDelta('{"a":', 2),
      inputDelta('1}', 2),
      end(2),
      begin({ ...TOOL, id: 'toolu_2' }, 3),
      inputDelta('{}', 3),
      end(3),
      ...STOP,
    ];
    const { events: out, outcome } = await passed(events);
    expect(merged(out).filter(({ type }) => type !== 'message_delta')).toEqual(
      merged(events).filter(({ type }) => type !== 'message_delta'),
    );
    expect(out.at(-2)).toEqual({ ...STOP[0], svc: SVC });
    // Input and cache counts come at the start, output counts at the end.
    expect(outcome.usage.reported).toEqual({ inputTokens: 12, outputTokens: 12, cachedInputTokens: 5 });
    expect(outcome.inspection.coverage.output).toEqual(['content[0]', 'content[1]', 'content[2]', 'content[3]']);
  });

  it.each(['text', 'thinking', 'tool-use', 'parallel-tools', 'cached-text'])(
    'passes the recording unchanged: %s',
    async (name) => {
      const events = recorded(name);
      const { events: out, outcome } = await passed(events);
      expect(merged(out.map(({ svc: _, ...event }) => event))).toEqual(merged(events));
      expect(out.filter(({ svc }) => svc !== undefined).map(({ type }) => type)).toEqual(['message_delta']);
      const { usage } = events.find(({ type }) => type === 'message_delta');
      expect(outcome.usage.reported?.outputTokens).toBe(usage.output_tokens);
    },
  );

  it('yields to other work while many short events arrive', async () => {
    let turns = 0;
    const nextTurn = async () => {
      turns += 1;
    };
    const pace = { scheduler: { cpuMs: () => 0, monotonic: () => 0, nextTurn }, budget: new CpuBudget(1000) };
    await passed([START, ...Array.from({ length: 1024 }, () => ({ type: 'ping' })), ...STOP], { pace });
    expect(turns).toBe(4);
  });

  it('has one end, even if its CPU budget is used up with its last event', async () => {
    const events = textStream('Hello');
    for (const uses of [1, events.length - 1, events.length]) {
      class SpentAfterUses extends CpuBudget {
        private used = 0;
        override use(): void {
          this.used += 1;
        }
        override get isSpent(): boolean {
          return this.used >= uses;
        }
      }
      const scheduler = { cpuMs: () => 0, monotonic: () => 0, nextTurn: async () => {} };
      const pace = { scheduler, budget: new SpentAfterUses(1) };
      const { events: out } = await passed(events, { pace, endsOverspent: () => true });
      expectInOrder(out);
      expect(out.filter(({ type }) => type === 'message_stop')).toHaveLength(1);
      expect(textOf(out)).toBe(uses < events.length - 1 ? '' : 'Hello');
    }
  });

  it('fails if it breaks off as recorded', async () => {
    await expect(passed(recorded('overloaded-mid-stream'))).rejects.toThrow(
      expect.objectContaining({ code: 'provider_error' }),
    );
  });

  it('passes a card number in tool input, also as a JSON number, whole or streamed', async () => {
    const card = Number(['4111', '1111', '1111', '1111'].join(''));
    const input = { card, amount: 12, at: 1_763_712 };
    const { message } = await whole({ ...HEAD, content: [{ ...TOOL, input }], usage: {} });
    expect(message.content[0].input).toMatchObject({ amount: 12, at: 1_763_712 });
    expect(message.content[0].input).toEqual(input);
    const { events, decisions } = await passed(toolStream(JSON.stringify(input)));
    expect([JSON.parse(textOf(events)), decisions]).toEqual([input, [expect.stringMatching(/ flag$/)]]);
  });

  const SPOKEN = `Take ${REDACT} and ${FLAG}, please, and never say ${REDACT}.`;

  it.each([
    ['a text', SPOKEN, textStream],
    ['tool input', JSON.stringify({ say: `${FLAG} and ${FLAG}`, 'a name': 1, deep: [{ x: FLAG }] }), toolStream],
  ])('gives the same findings and redactions of %s, however it is split', async (_, text, streamOf) => {
    const once = await passed(streamOf(text));
    expect(textOf(once.events)).not.toContain(REDACT);
    expect(once.decisions.length).toBeGreaterThan(2);
    await fc.assert(
      fc.asyncProperty(cuts(text), async (pieces) => {
        const { events, decisions } = await passed(streamOf(...pieces));
        expect({ text: textOf(events), decisions }).toEqual({ text: textOf(once.events), decisions: once.decisions });
        expectInOrder(events);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps tool input valid JSON, whatever is restored, however it is split', async () => {
    const redaction = new Redaction('test');
    const original = 'ann "the\nfox" \\ lee@example.com';
    const [card] = INSPECTOR.inspect(['4111', '1111', '1111', '1111'].join(' '), 'user');
    const placeholder = redaction.hideInput(card as Finding, original);
    const json = JSON.stringify({ to: `x ${placeholder} y`, n: 12345678901234567890n.toString() });
    await fc.assert(
      fc.asyncProperty(cuts(json), async (pieces) => {
        const { events } = await passed(toolStream(...pieces), { redaction });
        const input = JSON.parse(textOf(events));
        expect(input.to).toBe(`x ${original} y`);
      }),
      { numRuns: 40 },
    );
    const { message } = await whole(
      { ...HEAD, content: [{ ...TOOL, input: JSON.parse(json) }], stop_reason: 'tool_use' },
      { redaction },
    );
    expect(message.content[0].input.to).toBe(`x ${original} y`);
  });

  it.each([
    ['in its only block', textStream(`All is well. ${BLOCK} No more.`), 'All is well. ', 3],
    ['in single characters', textStream(...`All is well. ${BLOCK} No more.`), 'All is well. ', 3],
    // Another block might continue the text: the end is known with the usage event.
    ['at its end', textStream('All is well. ', BLOCK), 'All is well. ', 12],
  ])('ends well-formed as a refusal when blocked %s', async (_, events, kept, outputTokens) => {
    const { events: out, outcome } = await passed(events);
    expectInOrder(out);
    expect(textOf(out)).toBe(kept);
    expect(out.at(-2)).toEqual({
      type: 'message_delta',
      delta: { stop_reason: 'refusal', stop_sequence: null, stop_details: null },
      // The provider has reported the input; the output count of its first event is provisional.
      usage: {
        input_tokens: 7,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 5,
        output_tokens: outputTokens,
      },
      svc: expect.objectContaining({ action: 'block' }),
    });
    expect(outcome.usage.reported).toMatchObject({ inputTokens: 12, outputTokens });
  });

  it('is still a message when blocked before its first word', async () => {
    const { events } = await passed(textStream(BLOCK));
    expectInOrder(events);
    expect(textOf(events)).toBe('');
    const nothing = await passed([
      { ...START, message: { ...START.message, content: [{ type: 'text', text: BLOCK }] } },
      ...STOP,
    ]);
    expect(nothing.events[0]).toMatchObject({ type: 'message_start', message: { id: 'msg_0a1b', model: 'gpt-4o' } });
    expectInOrder(nothing.events);
  });

  it('has one end when blocked in the text of its end', async () => {
    const stop_details = { type: 'refusal', explanation: `Because of ${BLOCK}` };
    const last = { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_details }, usage: {} };
    const { events } = await passed([START, begin(TEXT), textDelta('Hm.'), end(), last, { type: 'message_stop' }]);
    expectInOrder(events);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'refusal' }, svc: { action: 'block' } });
    expect(JSON.stringify(events.slice(0, -2))).not.toContain('Because');
  });

  it('passes reasoning unchanged, whatever is found in it, and reports the finding', async () => {
    const thinking = [`So ${REDACT}`, ` or ${BLOCK}?`];
    const deltas = thinking.map((text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'thinking_delta', thinking: text },
    }));
    const { events, decisions, outcome } = await passed([
      START,
      begin({ type: 'thinking', thinking: '', signature: '' }),
      ...deltas,
      end(),
      begin(TEXT, 1),
      textDelta('Fine.', 1),
      end(1),
      ...STOP,
    ]);
    expect(events.slice(2, 4)).toEqual(deltas);
    expect(textOf(events, 1)).toBe('Fine.');
    expect(decisions.map((line) => line.split(' ').at(-1))).toEqual(['flag', 'flag']);
    expect(outcome.inspection.findings.action).toBe('flag');
  });

  it.each<[string, object[]]>([
    [
      'a quotation',
      [
        begin(TEXT),
        { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: { cited_text: REDACT } } },
        end(),
      ],
    ],
    [
      'a result of server tools',
      [
        begin({
          type: 'web_search_tool_result',
          tool_use_id: 'a',
          content: [{ title: REDACT, url: 'https://x', encrypted_content: 'e' }],
        }),
        end(),
      ],
    ],
    [
      'a member that is named like media',
      [begin({ ...TOOL, type: 'server_tool_use', input: { data: REDACT, id: REDACT, name: REDACT } }), end()],
    ],
    [
      'an unknown delta',
      [
        begin({ type: 'hologram' }),
        { type: 'content_block_delta', index: 0, delta: { type: 'light_delta', light: REDACT } },
        end(),
      ],
    ],
    ['an unknown event', [{ type: 'aside', whisper: REDACT }]],
    [
      'the reason of a refusal',
      [
        {
          type: 'message_delta',
          delta: { stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: REDACT } },
        },
      ],
    ],
  ])('is inspected in %s too', async (_, middle) => {
    const { events } = await passed([START, ...middle, ...STOP]);
    expect(JSON.stringify(events)).not.toContain('SVC-TEST');
    expect(JSON.stringify(events)).toContain('[REDACTED');
  });

  it('does not join two quotations', async () => {
    const cite = (cited_text: string) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'citations_delta', citation: { cited_text } },
    });
    const { decisions } = await passed([
      START,
      begin(TEXT),
      cite(FLAG.slice(0, 9)),
      cite(FLAG.slice(9)),
      end(),
      ...STOP,
    ]);
    expect(decisions).toEqual([]);
  });

  it.each<[string, object[]]>([
    [
      'an error',
      [
        START,
        begin(TEXT),
        textDelta('One '),
        { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      ],
    ],
    ['an object that is not an event', [START, { x: 1 }]],
    ['no stop reason', [START, begin(TEXT), end(), { type: 'message_delta', delta: {} }, { type: 'message_stop' }]],
  ])('fails with %s', async (_, events) => {
    await expect(passed(events)).rejects.toThrow(expect.objectContaining({ code: 'provider_error' }));
  });

  it('holds its end back until outside detectors have a verdict', async () => {
    const { writer, guard } = world({});
    const left: string[] = [];
    let seenAtJudgement: string[] = [];
    const outside = {
      withheld: false,
      take: () => {},
      inspectSent: async () => {
        seenAtJudgement = [...left];
      },
    } as unknown as OutsideOutput;
    const chunks = inBatches(textStream('All of ', 'it.').map((event) => JSON.stringify(event)));
    for await (const batch of writer.stream({ kind: 'native-stream', chunks }, { guard, outside })) left.push(...batch);
    const types = (list: string[]) => list.map((json) => JSON.parse(json).type);
    expect([...new Set(types(seenAtJudgement))]).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
    ]);
    expect(types(left).slice(seenAtJudgement.length)).toEqual(['message_delta', 'message_stop']);
  });
});

describe('event framing', () => {
  it.each([
    ['{"type":"ping"}', 'event: ping\ndata: {"type":"ping"}\n\n'],
    ['{ "a":1,\n "type":"message_stop"}', 'event: message_stop\ndata: { "a":1,  "type":"message_stop"}\n\n'],
    ['{"type":"a\\nb"}', 'event: message\ndata: {"type":"a\\nb"}\n\n'],
  ])('names each event on one line: %j', (json, event) => expect(MESSAGES_FRAMING.event(json)).toBe(event));
});

describe('a whole Anthropic response', () => {
  const message = (content: object[], more: object = {}) => ({
    ...HEAD,
    content,
    stop_reason: 'end_turn',
    usage: { input_tokens: 7, cache_creation_input_tokens: 2, cache_read_input_tokens: 5, output_tokens: 4 },
    ...more,
  });

  it('passes with svc at the top, and its usage is read', async () => {
    const body = message(
      [
        { type: 'thinking', thinking: `So ${REDACT}`, signature: 'c2ln' },
        { type: 'text', text: 'Hi', citations: null },
      ],
      { x_new: [1] },
    );
    const { message: out, outcome } = await whole(body);
    expect(out).toEqual({ ...body, svc: expect.objectContaining({ action: 'flag' }) });
    expect(outcome.usage.reported).toEqual({
      inputTokens: 14,
      outputTokens: 4,
      cachedInputTokens: 5,
      cacheWriteInputTokens: 2,
    });
    expect(outcome.inspection.coverage.output).toEqual(['content[0]', 'content[1]']);
  });

  it('is redacted wherever it contains text', async () => {
    const body = message([
      { type: 'text', text: `a ${REDACT}`, citations: [{ cited_text: REDACT }] },
      { ...TOOL, type: 'server_tool_use', input: { data: REDACT, deep: { id: [REDACT] } } },
      { type: 'hologram', light: REDACT },
    ]);
    const { message: out } = await whole(body);
    expect(JSON.stringify(out)).not.toContain('SVC-TEST');
    expect(out.content[1].input.deep.id).toHaveLength(1);
  });

  it('keeps the text before a block, and no tool call', async () => {
    const { message: out } = await whole(
      message(
        [
          { type: 'thinking', thinking: 'h', signature: 'g' },
          { ...TOOL, input: { a: 'b' } },
          { type: 'text', text: `Before. ${BLOCK} Behind.`, citations: [{ cited_text: 'Behind' }] },
          { type: 'text', text: 'Later.' },
          { type: 'thinking', thinking: 'later', signature: 'g' },
        ],
        { stop_reason: 'stop_sequence', stop_sequence: 'x' },
      ),
    );
    expect(out).toMatchObject({ stop_reason: 'refusal', stop_sequence: null, svc: { action: 'block' } });
    expect(out.content).toEqual([
      { type: 'thinking', thinking: 'h', signature: 'g' },
      { type: 'text', text: 'Before. ', citations: [] },
    ]);
  });

  it('has no content when blocked at its first word or withheld', async () => {
    const blocked = await whole(message([{ type: 'text', text: BLOCK }]));
    expect(blocked.message).toMatchObject({ content: [], stop_reason: 'refusal', svc: { action: 'block' } });
    const outside = { withheld: true, take: () => {}, inspectWhole: async () => {} } as unknown as OutsideOutput;
    expect((await whole(message([{ type: 'text', text: 'Hi' }]), { outside })).message).toMatchObject({
      content: [],
      stop_reason: 'refusal',
    });
  });

  it.each([[{}], [{ type: 'message' }], [{ type: 'error', error: { type: 'api_error', message: 'm' } }], [[]]])(
    'is invalid: %j',
    async (body) => {
      await expect(whole(body)).rejects.toThrow(expect.objectContaining({ code: 'provider_error' }));
    },
  );
});

describe('a translated stream', () => {
  const start = { type: 'start', id: 'chatcmpl-9', model: 'gpt-4o-x' } as const;
  const call = (index: number) => ({ type: 'tool_call', choice: 0, index, id: `call_${index}`, name: 'f' }) as const;
  const args = (index: number, text: string) => ({ type: 'tool_arguments', choice: 0, index, text }) as const;
  const say = (text: string) => ({ type: 'text', choice: 0, text }) as const;
  const finish = (reason: 'stop' | 'length' | 'tool_calls' | 'content_filter') =>
    ({ type: 'finish', choice: 0, reason }) as const;
  const usage = {
    type: 'usage',
    usage: { inputTokens: 9, outputTokens: 4, cachedInputTokens: 3, reasoningTokens: 2 },
  } as const;

  it('is an Anthropic message: text, then parallel tool calls, then stop reason and usage', async () => {
    const { events } = await translated([
      start,
      say('Let me '),
      say('see.'),
      call(0),
      args(0, '{"a"'),
      args(0, ':1}'),
      call(1),
      args(1, '{}'),
      finish('tool_calls'),
      usage,
    ]);
    expectInOrder(events);
    expect(merged(events)).toEqual([
      {
        type: 'message_start',
        message: {
          ...HEAD,
          id: 'msg_0a1b',
          model: 'gpt-4o-x',
          usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
        },
      },
      begin(TEXT),
      textDelta('Let me see.'),
      end(),
      begin({ type: 'tool_use', id: 'call_0', name: 'f', input: {} }, 1),
      inputDelta('{"a":1}', 1),
      end(1),
      begin({ type: 'tool_use', id: 'call_1', name: 'f', input: {} }, 2),
      inputDelta('{}', 2),
      end(2),
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null, stop_details: null },
        usage: {
          input_tokens: 6,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 3,
          output_tokens: 4,
          output_tokens_details: { thinking_tokens: 2 },
        },
        svc: SVC,
      },
      { type: 'message_stop' },
    ]);
  });

  it('leaves out choices that were not asked for', async () => {
    const asked: ChatDelta[] = [start, say('Let me '), call(0), args(0, '{"a"'), args(0, ':1}'), finish('tool_calls')];
    const other = asked.slice(1).map((delta) => ({ ...delta, choice: 1 }) as ChatDelta);
    const mixed = asked.flatMap((delta, at) => [delta, ...other.slice(at, at + 1)]);
    expect((await translated(mixed)).events).toEqual((await translated(asked)).events);
  });

  it.each([
    ['a forced call', [call(0), args(0, '{}'), finish('stop')], 'tool_use'],
    ['a refusal', [{ type: 'refusal', choice: 0, text: 'No.' }, finish('stop')], 'refusal'],
    ["a provider's filter", [say('a'), finish('content_filter')], 'refusal'],
    ['its limit', [say('a'), finish('length')], 'max_tokens'],
    ['nothing', [finish('stop')], 'end_turn'],
  ] as [string, ChatDelta[], string][])('ends with the stop reason %s', async (_, deltas, reason) => {
    const { events } = await translated([start, ...deltas]);
    expectInOrder(events);
    expect(events.at(-2).delta.stop_reason).toBe(reason);
  });

  it('ends well-formed when blocked in tool input', async () => {
    const { events } = await translated([
      start,
      say('Hm. '),
      call(0),
      args(0, '{"a":"x '),
      args(0, `${BLOCK}"}`),
      finish('tool_calls'),
    ]);
    expectInOrder(events);
    expect([textOf(events, 0), textOf(events, 1)]).toEqual(['Hm. ', '{"a":"x ']);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'refusal' }, svc: { action: 'block' } });
  });

  it('fails without an end, or with two interleaved calls', async () => {
    for (const deltas of [
      [start, say('a')],
      [start, call(0), call(1), args(0, '{'), finish('tool_calls')],
    ]) {
      await expect(translated(deltas)).rejects.toThrow(GatewayError);
    }
  });
});

describe('a translated whole response', () => {
  it('is an Anthropic message', async () => {
    const toolCalls = [
      { id: 'c', name: 'f', arguments: '{"a":1}' },
      { id: 'd', name: 'g', arguments: 'half {' },
      { id: 'e', name: 'h', arguments: '' },
    ];
    expect(
      await wholeTranslated({
        choices: [{ index: 0, text: 'Hi', toolCalls, finishReason: 'stop' }],
        usage: { inputTokens: 3, outputTokens: 4 },
      }),
    ).toEqual({
      ...HEAD,
      id: 'msg_0a1b',
      model: 'gpt-4o-x',
      usage: { input_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 4 },
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } },
        { type: 'tool_use', id: 'd', name: 'g', input: { arguments: 'half {' } },
        { type: 'tool_use', id: 'e', name: 'h', input: {} },
      ],
      stop_reason: 'tool_use',
      svc: SVC,
    });
  });

  it('has a refusal in its text and its stop reason', async () => {
    const choices = [{ index: 0, text: null, refusal: 'No.', finishReason: 'stop' as const }];
    expect(await wholeTranslated({ choices, usage: {} })).toMatchObject({
      content: [{ type: 'text', text: 'No.' }],
      stop_reason: 'refusal',
    });
  });
});

describe('a refusal instead of an error', () => {
  it('is a message, whole or as events', async () => {
    const [json = ''] = world({ stream: false }).refuse() ?? [];
    expect(JSON.parse(json)).toMatchObject({
      id: 'msg_0a1b',
      stop_reason: 'refusal',
      content: [{ type: 'text' }],
      svc: SVC,
    });
    const events = (world({ stream: true }).refuse() ?? []).map((event) => JSON.parse(event));
    expectInOrder(events);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'refusal' }, svc: SVC });
  });
});

describe('a token count response', () => {
  const format = COUNT_TOKENS_PROTOCOL.format({} as never, {} as never, {} as never);
  const readPiece = (json: string) => format.readPiece(json);
  it('is read as a count only, and is not usage', () => {
    expect(readPiece('{"input_tokens":14}')).toMatchObject({
      fault: undefined,
      usage: { inputTokens: 0, outputTokens: 0 },
    });
    for (const json of ['{}', '{"input_tokens":"14"}']) expect(readPiece(json).fault).toBeDefined();
    expect(format.refusal(undefined as never)).toBeUndefined();
  });
});
