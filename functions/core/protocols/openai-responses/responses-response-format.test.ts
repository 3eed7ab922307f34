import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALL_RULES } from '../../../detectors/index.ts';
import { findingKey } from '../../inspect/finding.ts';
import { Inspector } from '../../inspect/inspector.ts';
import { OutputGuard } from '../../inspect/output/output-guard.ts';
import { Policy } from '../../inspect/policy.ts';
import { Redaction } from '../../inspect/redaction.ts';
import type { ChatCompletion, ChatDelta } from '../../model/chat.ts';
import { RequestedModeration } from '../../moderation/requested-moderation.ts';
import { Conversation } from '../../pipeline/conversation.ts';
import { type Outcome, securityInfo } from '../../pipeline/request-outcome.ts';
import { runningRequest, writerOf } from '../../pipeline/running-request.fixture.ts';
import { readResponseEvents } from './responses-events.fixture.ts';
import { RESPONSES_FRAMING, ResponsesResponseFormat } from './responses-response-format.ts';

// biome-ignore lint/suspicious/noExplicitAny: events and responses as JSON, whose shape is what is tested
type Json = any;

const INSPECTOR = new Inspector(ALL_RULES);
const POLICY = new Policy({ output: { secret: { action: 'redact' }, pii: { action: 'redact' } } });
const BLOCK = 'SVC-TEST-BLOCK-7f3a';
const REDACT = 'SVC-TEST-REDACT-7f3a';
const FLAG = 'SVC-TEST-FLAG-7f3a';
const SVC = expect.objectContaining({ request_id: 'req_0a1b' });

interface Options {
  readonly stream?: boolean;
  readonly asked?: object;
  readonly sent?: object;
  readonly moderation?: RequestedModeration;
}

function world({ stream = true, asked = { model: 'gpt-x', input: 'Hi' }, sent = asked, moderation }: Options) {
  const clock = { now: () => 1_700_000_000_000, monotonic: () => 0 };
  const running = runningRequest({ requestId: 'req_0a1b', route: '/v1/responses', clock });
  const { context, outcome } = running;
  outcome.conversation = new Conversation();
  const request = { model: 'gpt-x', messages: [], stream, includeUsage: true, choiceCount: 1, others: [] };
  const report = moderation && (() => moderation.report());
  const head = { requestId: context.requestId, created: 1_700_000_000, model: 'gpt-x', moderation: report };
  const format = new ResponsesResponseFormat(request, head, { asked: asked as never, sent: sent as never });
  const unseen = { inputTokens: 99, outputTokens: 3 };
  outcome.usage.sends(request, { unseen, isBilled: true });
  const writer = writerOf(running, format);
  const told: string[] = [];
  const guard = new OutputGuard(
    INSPECTOR,
    moderation?.policy ?? POLICY,
    new Redaction('test'),
    ({ channel, finding, action }) => {
      told.push(`${channel} ${findingKey(finding)} ${action}`);
      moderation?.takeOutput(finding, action);
      const { start, end } = finding;
      outcome.inspection.findings.add(finding, action, { part: 'output', message: null, field: channel, start, end });
    },
    { streams: stream },
  );
  return { context, outcome, writer, guard, told, format };
}

async function readAll(source: AsyncGenerator<string[]>): Promise<Json[]> {
  const events: Json[] = [];
  for await (const batch of source) events.push(...batch.map((json) => JSON.parse(json)));
  return events;
}

async function* inBatches<T>(items: readonly T[]): AsyncGenerator<T[]> {
  for (const item of items) yield [item];
}

/** An OpenAI stream passed through the gateway. */
async function passed(events: readonly object[], options: Options = {}) {
  const { outcome, writer, guard, told, format } = world(options);
  const chunks = inBatches(events.map((event) => JSON.stringify(event)));
  const out = await readAll(writer.stream({ kind: 'native-stream', chunks }, { guard }));
  return { events: out, outcome, told: told.sort(), format, ...readResponseEvents(out) };
}

async function translated(deltas: readonly ChatDelta[], options: Options = {}) {
  const { outcome, writer, guard } = world(options);
  const out = await readAll(writer.stream({ kind: 'translated-stream', deltas: inBatches(deltas) }, { guard }));
  return { events: out, outcome, ...readResponseEvents(out) };
}

async function whole(response: object, options: Options = {}) {
  const { outcome, writer, guard, told, format } = world({ ...options, stream: false });
  const json = await writer.whole({ kind: 'native', body: JSON.stringify(response) }, { guard });
  return { json, response: JSON.parse(json) as Json, outcome, told: told.sort(), format };
}

const HEAD = { id: 'resp_1', object: 'response', model: 'gpt-x', instructions: null, metadata: {} };
const USAGE = { input_tokens: 7, input_tokens_details: { cached_tokens: 2 }, output_tokens: 5, total_tokens: 12 };

/** A streamed item, with its texts in pieces. */
interface Spoken {
  readonly kind: 'text' | 'refusal' | 'call' | 'custom' | 'reasoning' | 'code';
  readonly pieces: readonly string[];
}

const BASES = {
  text: 'response.output_text',
  refusal: 'response.refusal',
  call: 'response.function_call_arguments',
  custom: 'response.custom_tool_call_input',
  reasoning: 'response.reasoning_summary_text',
  code: 'response.code_interpreter_call_code',
} as const;
const FIELDS = {
  text: 'text',
  refusal: 'refusal',
  call: 'arguments',
  custom: 'input',
  reasoning: 'text',
  code: 'code',
};

function itemOf({ kind, pieces }: Spoken, at: number, isDone: boolean): Json {
  const text = isDone ? pieces.join('') : '';
  const id = `item_${at}`;
  if (kind === 'text') return message(id, isDone ? [{ type: 'output_text', annotations: [], text }] : []);
  if (kind === 'refusal') return message(id, isDone ? [{ type: 'refusal', refusal: text }] : []);
  if (kind === 'call') return { id, type: 'function_call', call_id: 'call_1', name: 'f', arguments: text };
  if (kind === 'custom') return { id, type: 'custom_tool_call', call_id: 'call_1', name: 'f', input: text };
  if (kind === 'code') return { id, type: 'code_interpreter_call', container_id: 'c', code: text };
  return { id, type: 'reasoning', summary: isDone ? [{ type: 'summary_text', text }] : [] };
}

function message(id: string, content: object[]): Json {
  return { id, type: 'message', role: 'assistant', status: 'completed', content };
}

/** A stream with all events that OpenAI sends for such items. */
function streamOf(items: readonly Spoken[], more: object = {}): Json[] {
  const output = items.map((item, at) => itemOf(item, at, true));
  const events: Json[] = [
    { type: 'response.created', response: { ...HEAD, status: 'in_progress', output: [] } },
    { type: 'response.in_progress', response: { ...HEAD, status: 'in_progress', output: [] } },
  ];
  items.forEach((spoken, at) => {
    const { kind, pieces } = spoken;
    const [base, field] = [BASES[kind], FIELDS[kind]];
    const text = pieces.join('');
    const indexes =
      kind === 'text' || kind === 'refusal' ? { content_index: 0 } : kind === 'reasoning' ? { summary_index: 0 } : {};
    const place = { item_id: `item_${at}`, output_index: at, ...indexes };
    events.push({ type: 'response.output_item.added', output_index: at, item: itemOf(spoken, at, false) });
    const part = output[at].content?.[0] ?? output[at].summary?.[0];
    const parts = kind === 'reasoning' ? 'response.reasoning_summary_part' : 'response.content_part';
    if (part !== undefined) events.push({ type: `${parts}.added`, ...place, part: { ...part, [field]: '' } });
    for (const delta of pieces) events.push({ type: `${base}.delta`, ...place, delta });
    events.push({ type: `${base}.done`, ...place, [field]: text });
    if (part !== undefined) events.push({ type: `${parts}.done`, ...place, part });
    events.push({ type: 'response.output_item.done', output_index: at, item: output[at] });
  });
  events.push({
    type: 'response.completed',
    response: { ...HEAD, status: 'completed', output, usage: USAGE, ...more },
  });
  return events.map(({ type, ...fields }, sequence_number) => ({ type, sequence_number, ...fields }));
}

const withoutSvc = ({ response: { svc: _, ...response }, ...event }: Json) => ({ ...event, response });

/** A text in random pieces. */
const inPieces = (text: string) =>
  fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 6 }).map((cuts) => {
    const at = [0, ...cuts.sort((a, b) => a - b), text.length];
    return at.slice(1).map((end, index) => text.slice(at[index], end));
  });

describe('a stream', () => {
  it('passes byte by byte if nothing is found', async () => {
    const events = streamOf([
      { kind: 'reasoning', pieces: ['Let me ', 'think.'] },
      { kind: 'text', pieces: ['Good ', 'morning.'] },
      { kind: 'call', pieces: ['{"a":', '1}'] },
    ]);
    const { events: out, faults, outcome } = await passed(events);
    const last = out.at(-1);
    expect(faults).toEqual([]);
    expect([...out.slice(0, -1), withoutSvc(last)]).toEqual(events);
    expect(outcome.usage.reported).toEqual({ inputTokens: 7, cachedInputTokens: 2, outputTokens: 5 });
    expect(last.response.svc.coverage.output).toEqual(['output[0]', 'output[1]', 'output[2]']);
  });

  it.each(['text', 'refusal', 'code'] as const)(
    'has the same redactions in every repetition, however it is split: %s',
    async (kind) => {
      const text = `All of it: ${REDACT} and on.`;
      const clean = text.replace(REDACT, '[REDACTED_TEST_TEXT]');
      await fc.assert(
        fc.asyncProperty(inPieces(text), async (pieces) => {
          const { events, faults, response, told } = await passed(streamOf([{ kind, pieces }]));
          const tells = JSON.stringify(events);
          expect(faults).toEqual([]);
          expect(tells).not.toContain('SVC-TEST');
          const [item] = response.output;
          const left = item.content?.[0]?.text ?? item.content?.[0]?.refusal ?? item[FIELDS[kind]];
          expect(left.replace(/\[REDACTED_[A-Z_]+\]/, '[REDACTED_TEST_TEXT]')).toBe(clean);
          expect(told).toHaveLength(1);
          expect(response.svc).toMatchObject({ action: 'redact' });
        }),
        { numRuns: 40 },
      );
    },
  );

  it.each(['text', 'refusal', 'call', 'custom', 'code'] as const)(
    'ends consistently where it is blocked, however it is split: %s',
    async (kind) => {
      const text = kind === 'call' ? `{"a":"so ${BLOCK} no","b":2}` : `All of it: ${BLOCK} and no more.`;
      await fc.assert(
        fc.asyncProperty(inPieces(text), async (pieces) => {
          const before = { kind: 'text', pieces: ['Before.'] } as const;
          const { events, faults, response, deltas } = await passed(streamOf([before, { kind, pieces }]));
          expect(faults).toEqual([]);
          expect(JSON.stringify(events)).not.toMatch(/SVC-TEST|no more|"b":2/);
          expect(events.at(-1)).toMatchObject({
            type: 'response.incomplete',
            response: { status: 'incomplete', incomplete_details: { reason: 'content_filter' }, svc: SVC },
          });
          const isMessage = kind === 'text' || kind === 'refusal';
          expect(response.output).toHaveLength(isMessage ? 2 : 1);
          expect(response.output[0].content[0].text).toBe('Before.');
          const left = text.slice(0, text.indexOf(BLOCK));
          if (kind !== 'code') expect(deltas[`output[1].${isMessage ? 'content[0].' : ''}${FIELDS[kind]}`]).toBe(left);
          if (isMessage)
            expect(response.output[1]).toMatchObject({ status: 'incomplete', content: [{ [FIELDS[kind]]: left }] });
        }),
        { numRuns: 40 },
      );
    },
  );

  it('has its own beginning when blocked before any other event', async () => {
    const created = {
      type: 'response.created',
      sequence_number: 0,
      response: { ...HEAD, output: [message('m', [{ type: 'output_text', text: BLOCK }])] },
    };
    const { events, faults } = await passed([created, ...streamOf([{ kind: 'text', pieces: ['Hi'] }]).slice(1)]);
    expect([events.map(({ type }) => type), faults]).toEqual([
      ['response.created', 'response.in_progress', 'response.incomplete'],
      [],
    ]);
  });

  it('is renumbered when one event leaves as several', async () => {
    // A possible beginning of a test text waits; the text before it does not.
    const { events, faults } = await passed(
      streamOf([
        { kind: 'text', pieces: [`${'Well, then. '.repeat(30)}SVC-TEST-`, 'NOT at all, SVC-', 'TEST-neither.'] },
      ]),
    );
    expect(faults).toEqual([]);
    expect(events).toHaveLength(streamOf([{ kind: 'text', pieces: ['a', 'b', 'c'] }]).length + 1);
  });

  it('has nothing at the end that its deltas did not have, even if its provider contradicts itself', async () => {
    const events = streamOf([{ kind: 'text', pieces: ['Fine.'] }]);
    const lies = JSON.parse(JSON.stringify(events)) as Json[];
    for (const event of lies) {
      if (event.type === 'response.output_text.done') event.text = `Fine. ${REDACT} in a text.`;
      if (event.type === 'response.content_part.done') event.part.text = `Fine. ${REDACT} in a part.`;
      if (event.type === 'response.output_item.done') event.item.content[0].text = `Fine. ${REDACT} in an item.`;
      if (event.type === 'response.completed') event.response.output[0].content[0].text = `Fine. ${REDACT} at last.`;
    }
    const { events: out, told } = await passed(lies);
    expect(JSON.stringify(out)).not.toContain('SVC-TEST');
    expect(told).toHaveLength(4);
  });

  it('is inspected in whole texts, annotations and unknown events', async () => {
    const search = { id: 'ws_1', type: 'web_search_call', action: { type: 'search', query: `q ${REDACT}` } };
    const note = {
      type: 'url_citation',
      url: `https://example.com/${REDACT}`,
      title: `t ${REDACT}`,
      start_index: 0,
      end_index: 1,
    };
    const place = { item_id: 'item_0', output_index: 0 };
    const events = [
      ...streamOf([{ kind: 'text', pieces: ['Fine.'] }]).slice(0, 5),
      {
        type: 'response.output_text.annotation.added',
        ...place,
        content_index: 0,
        annotation_index: 0,
        annotation: note,
      },
      { type: 'response.aside.delta', ...place, delta: REDACT.slice(0, 9) },
      { type: 'response.aside.delta', ...place, delta: `${REDACT.slice(9)} aside` },
      { type: 'response.remark', remark: { text: `r ${REDACT}` }, partial_image_b64: REDACT },
      { type: 'response.audio.transcript.delta', delta: `a ${REDACT}` },
      { type: 'response.output_item.added', output_index: 1, item: { ...search, action: {} } },
      { type: 'response.output_item.done', output_index: 1, item: search },
      {
        type: 'response.completed',
        response: {
          ...HEAD,
          status: 'completed',
          output: [message('item_0', [{ type: 'output_text', text: 'Fine.', annotations: [note] }]), search],
        },
      },
    ];
    const { events: out, told, response } = await passed(events);
    const shown = JSON.stringify(out.map((event) => ({ ...event, partial_image_b64: undefined })));
    expect(shown).not.toMatch(/SVC-TEST/);
    expect(told.map((one) => one.split(' ')[0])).toEqual([
      'audio.transcript',
      expect.stringMatching(/^events\[\d+\]\.remark\.text$/),
      'output[0].content[0].annotations[0].title',
      'output[0].content[0].annotations[0].url',
      'output[0].response.aside.delta',
      'output[1].action.query',
    ]);
    expect(response.output[1].action.query).toMatch(/^q \[REDACTED/);
  });

  it('does not inspect what a response repeats of its request, and inspects any other text there', async () => {
    const said = {
      instructions: `Mind ${FLAG}.`,
      metadata: { a: FLAG },
      tools: [{ type: 'function', name: 'f', description: FLAG }],
    };
    const events = streamOf([{ kind: 'text', pieces: ['Fine.'] }], said);
    const asked = { model: 'gpt-x', input: 'Hi' };
    expect((await passed(events, { asked: { ...asked, ...said } })).told).toEqual([]);
    const { told } = await passed(events, { asked });
    expect(told.map((one) => one.split(' ')[0])).toEqual([
      'response.instructions',
      'response.metadata.a',
      'response.tools[0].description',
    ]);
  });

  it('repeats the request as the caller wrote it', async () => {
    const asked = { model: 'gpt-x', input: 'Hi', instructions: 'Mine.', metadata: { mail: 'a@b.example' } };
    const sent = { ...asked, instructions: 'Mine.\n\n[ref x]', metadata: { mail: '[EMAIL_1]' } };
    const { instructions, metadata } = sent;
    const events = streamOf([{ kind: 'text', pieces: ['Fine.'] }], { instructions, metadata });
    const { response } = await passed(events, { asked, sent });
    expect(response).toMatchObject({ instructions: 'Mine.', metadata: asked.metadata });
  });

  it('loses log probabilities together with the text that they repeat', async () => {
    const logprobs = [{ token: REDACT, logprob: -1, top_logprobs: [] }];
    const events = streamOf([{ kind: 'text', pieces: [REDACT] }]).map((event) =>
      event.type.startsWith('response.output_text.') ? { ...event, logprobs } : event,
    );
    const { events: out } = await passed(events);
    expect(JSON.stringify(out)).not.toContain('SVC-TEST');
    expect(out.find(({ type }) => type === 'response.output_text.done').logprobs).toEqual([]);
  });

  it('is inspected beside a delta, and loses its log probabilities once', async () => {
    const logprobs = [{ token: 'Fine', logprob: -1, top_logprobs: [] }];
    const events = streamOf([{ kind: 'text', pieces: ['Fine.'] }]).map((event) =>
      event.type === 'response.output_text.delta' ? { ...event, note: `My ${REDACT} word`, logprobs } : event,
    );
    const { events: out } = await passed(events);
    expect(JSON.stringify(out)).not.toContain('SVC-TEST');
    expect(out.find(({ type }) => type === 'response.output_text.delta')).toMatchObject({
      delta: 'Fine.',
      logprobs: null,
    });
  });

  it("gives the ids of stored resources, and the response's id once all of it was sent", async () => {
    const idsOf = ({ outcome }: { outcome: Outcome }) => [outcome.conversation?.given, outcome.conversation?.withheld];
    const events = streamOf([{ kind: 'text', pieces: ['Fine.'] }]);
    expect(idsOf(await passed(events))).toEqual([['item_0', 'resp_1'], []]);
    expect(idsOf(await passed(events, { asked: { store: false } }))).toEqual([[], []]);
    const image = { id: 'ig_1', type: 'image_generation_call', status: 'completed', result: 'AAAA' };
    const thought = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'x' };
    const made = await whole({ ...HEAD, output: [thought, image, message('m', [])] }, { asked: { store: false } });
    expect(idsOf(made)).toEqual([['rs_1', 'ig_1'], []]);
    const code = { id: 'ci_1', type: 'code_interpreter_call', container_id: 'cntr_1', code: 'a', status: 'completed' };
    const shell = {
      id: 'sh_1',
      type: 'shell_call',
      environment: { type: 'container_reference', container_id: 'cntr_1' },
    };
    const ran = await whole({ ...HEAD, output: [code, shell] }, { asked: { store: false } });
    expect(idsOf(ran)).toEqual([['ci_1', 'cntr_1', 'sh_1'], []]);
    expect(idsOf(await passed(streamOf([{ kind: 'text', pieces: [BLOCK] }])))).toEqual([[], ['resp_1']]);
    expect(idsOf(await whole({ ...HEAD, output: [message('m', [])] }))).toEqual([['resp_1', 'm'], []]);
    const blocked = await whole({ ...HEAD, output: [message('m', [{ type: 'output_text', text: BLOCK }])] });
    expect(idsOf(blocked)).toEqual([[], ['resp_1', 'm']]);
    const kept = await whole({ ...HEAD, output: [] }, { asked: { store: false, conversation: 'conv_1' } });
    expect(idsOf(kept)).toEqual([['resp_1'], []]);
  });

  it.each([
    ['an error event', { type: 'error', code: 'server_error', message: 'no', param: null }],
    ['an event without its response', { type: 'response.completed' }],
  ])('fails on %s', async (_, event) => {
    const events = [...streamOf([{ kind: 'text', pieces: ['Fine.'] }]).slice(0, 5), event];
    await expect(passed(events)).rejects.toMatchObject({ code: 'provider_error' });
  });

  it('that failed keeps its error and its usage', async () => {
    const error = { code: 'server_error', message: `It broke: ${REDACT}` };
    const failed = {
      type: 'response.failed',
      sequence_number: 2,
      response: { ...HEAD, status: 'failed', error, output: [], usage: USAGE },
    };
    const { response, outcome, faults } = await passed([...streamOf([]).slice(0, 2), failed]);
    expect([response.error.message, faults]).toEqual([expect.stringMatching(/^It broke: \[REDACTED/), []]);
    expect(outcome.usage.reported).toMatchObject({ outputTokens: 5 });
  });
});

describe('a whole response', () => {
  const RESPONSE = {
    ...HEAD,
    status: 'completed',
    output: [
      { id: 'rs', type: 'reasoning', summary: [{ type: 'summary_text', text: `think ${REDACT}` }] },
      message('m', [{ type: 'output_text', text: `Say ${REDACT}.`, annotations: [] }]),
      { id: 'fc', type: 'function_call', call_id: 'c', name: 'f', arguments: `{"a":"${FLAG}"}` },
    ],
    usage: USAGE,
  };

  it('is redacted except its reasoning, whose finding is reported', async () => {
    const { response, told, outcome } = await whole(RESPONSE);
    expect(response.output[0]).toEqual(RESPONSE.output[0]);
    expect(response.output[1].content[0].text).toMatch(/^Say \[REDACTED_\w+\]\.$/);
    expect(response.output[2]).toEqual(RESPONSE.output[2]);
    expect(told.map((one) => [one.split(' ')[0], one.split(' ').at(-1)])).toEqual([
      ['output[0].summary[0].text', 'flag'],
      ['output[1].content[0].text', 'redact'],
      ['output[2].arguments', 'flag'],
    ]);
    expect([response.svc, outcome.usage.reported]).toEqual([
      SVC,
      { inputTokens: 7, cachedInputTokens: 2, outputTokens: 5 },
    ]);
  });

  it('keeps the text before a block, and nothing else', async () => {
    const output = [message('m', [{ type: 'output_text', text: `Fine. ${BLOCK} not` }]), RESPONSE.output[2]];
    const { response, json } = await whole({ ...RESPONSE, output, output_text: `Fine. ${BLOCK} not` });
    expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'content_filter' } });
    expect(response.output).toEqual([
      { ...message('m', [{ type: 'output_text', text: 'Fine. ' }]), status: 'incomplete' },
    ]);
    expect(json).not.toContain('SVC-TEST');
  });

  it.each([[{}], [[]], [null], [{ error: { message: 'no' } }]])('is invalid: %j', async (body) => {
    await expect(whole(body as object)).rejects.toMatchObject({ code: 'provider_error' });
  });
});

describe('a translated response', () => {
  const finish = (reason: 'stop' | 'length' | 'tool_calls' | 'content_filter'): ChatDelta[] => [
    { type: 'finish', choice: 0, reason },
    { type: 'usage', usage: { inputTokens: 4, outputTokens: 6, reasoningTokens: 1 } },
  ];
  const start: ChatDelta = { type: 'start', id: 'x', model: 'claude-x' };

  it('has every event of a response', async () => {
    const { faults, response, events } = await translated([
      start,
      { type: 'text', choice: 0, text: 'Let ' },
      { type: 'text', choice: 0, text: 'me see.' },
      { type: 'refusal', choice: 0, text: 'No.' },
      { type: 'tool_call', choice: 0, index: 0, id: 'call_1', name: 'f' },
      { type: 'tool_call', choice: 0, index: 1, id: 'call_2', name: 'g' },
      // Some providers interleave the arguments of several calls.
      { type: 'tool_arguments', choice: 0, index: 0, text: '{"a"' },
      { type: 'tool_arguments', choice: 0, index: 1, text: '{}' },
      { type: 'tool_arguments', choice: 0, index: 0, text: ':1}' },
      ...finish('tool_calls'),
    ]);
    expect(faults).toEqual([]);
    expect(response).toMatchObject({
      id: 'resp_0a1b',
      model: 'claude-x',
      status: 'completed',
      store: false,
      output: [
        {
          id: 'msg_0a1b0',
          content: [
            { type: 'output_text', text: 'Let me see.' },
            { type: 'refusal', refusal: 'No.' },
          ],
        },
        { id: 'fc_0a1b1', call_id: 'call_1', name: 'f', arguments: '{"a":1}', status: 'completed' },
        { id: 'fc_0a1b2', call_id: 'call_2', name: 'g', arguments: '{}' },
      ],
      usage: { input_tokens: 4, output_tokens: 6, total_tokens: 10, output_tokens_details: { reasoning_tokens: 1 } },
      svc: SVC,
    });
    expect(events.filter(({ type }) => type === 'response.content_part.added')).toHaveLength(2);
  });

  it.each([
    ['stop', 'completed', null],
    ['length', 'incomplete', { reason: 'max_output_tokens' }],
    ['content_filter', 'incomplete', { reason: 'content_filter' }],
  ] as const)('that ended with %s is %s, streamed and whole', async (reason, status, incomplete_details) => {
    const { response, faults } = await translated([start, { type: 'text', choice: 0, text: 'Hi' }, ...finish(reason)]);
    expect([faults, response.status, response.incomplete_details]).toEqual([[], status, incomplete_details]);
    const { writer, guard } = world({ stream: false });
    const completion: ChatCompletion = {
      id: 'x',
      model: 'claude-x',
      choices: [{ index: 0, text: 'Hi', finishReason: reason }],
      usage: {},
    };
    const json = JSON.parse(await writer.whole({ kind: 'translated', completion }, { guard }));
    expect(json).toMatchObject({
      status,
      incomplete_details,
      model: 'claude-x',
      output: [{ content: [{ text: 'Hi' }] }],
    });
    expect('usage' in json).toBe(false);
  });

  it('gives no ids, since it is not stored', async () => {
    const { outcome } = await translated([start, { type: 'text', choice: 0, text: 'Hi' }, ...finish('stop')]);
    expect([outcome.conversation?.given, outcome.conversation?.withheld]).toEqual([[], []]);
  });

  it('fails if it stops without an end', async () => {
    await expect(translated([start, { type: 'text', choice: 0, text: 'Hi' }])).rejects.toMatchObject({
      code: 'provider_error',
    });
  });
});

it('an error in a stream has the documented format and the format that clients read', () => {
  const error = { message: 'It failed.', type: 'provider_error', param: null, code: 'provider_error' };
  expect(RESPONSES_FRAMING.error?.({ error }, 7)).toEqual({
    type: 'error',
    sequence_number: 7,
    code: 'provider_error',
    message: 'It failed.',
    param: null,
    error,
  });
});

describe('a requested moderation', () => {
  const TOXIC = 'I will kill you tonight, you filthy animal';
  const KIND = 'What lovely weather we have';
  /** The value of a provider that knows the field when the request did not ask for it. */
  const NONE = { moderation: null };
  const asking = (mode: 'score' | 'block' = 'score') => ({
    moderation: new RequestedModeration({ model: 'm', policy: { output: { mode } } }, {}),
  });
  const side = (flagged: boolean) => ({ type: 'moderation_result', model: 'm', flagged });
  const expected = (flagged: boolean) => ({ moderation: { input: side(false), output: side(flagged) }, svc: SVC });
  const steps = (text: string): ChatDelta[] => [
    { type: 'text', choice: 0, text },
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
  ];

  it.each([
    [TOXIC, true],
    [KIND, false],
  ])('is reported in the last response, once all of it was inspected: %s', async (text, flagged) => {
    const { response } = await whole(
      { ...HEAD, ...NONE, output: [message('m', [{ type: 'output_text', text }])] },
      asking(),
    );
    expect(response).toMatchObject(expected(flagged));
    const streams = [
      await passed(streamOf([{ kind: 'text', pieces: [text] }], NONE), asking()),
      await translated(steps(text), asking()),
    ];
    for (const { events, faults } of streams) {
      expect(faults).toEqual([]);
      expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: expected(flagged) });
      expect(JSON.stringify(events.slice(0, -1))).not.toContain('moderation_result');
    }
  });

  it('is reported for a cut response', async () => {
    const text = `Listen. ${TOXIC}`;
    const { response } = await whole(
      { ...HEAD, output: [message('m', [{ type: 'output_text', text }])] },
      asking('block'),
    );
    const cut = { status: 'incomplete', ...expected(true) };
    expect(response).toMatchObject(cut);
    for (const { events, faults } of [
      await passed(streamOf([{ kind: 'text', pieces: [text] }], NONE), asking('block')),
      await translated(steps(text), asking('block')),
    ]) {
      expect(faults).toEqual([]);
      expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: cut });
      expect(JSON.stringify(events)).not.toContain('kill');
    }
  });

  it('is reported beside a refusal, whole and streamed', () => {
    for (const stream of [false, true]) {
      const { format, context, outcome } = world({ stream, ...asking() });
      const last = JSON.parse(format.refusal(securityInfo(context, outcome))?.at(-1) as string) as Json;
      expect(stream ? last.response : last).toMatchObject(expected(false));
    }
  });

  it("leaves the provider's own moderation unchanged if the request asked for none", async () => {
    const { response } = await whole({ ...HEAD, ...NONE, output: [] });
    expect(response.moderation).toBeNull();
  });
});
