import { expect } from '@jest/globals';
import {
  createInspector,
  type OutputSettings,
  Policy,
  Redaction,
  type RequestedModeration,
} from '../../../inspection/index.ts';
import { OutputGuard } from '../../../inspection/output/output-guard.ts';
import type { ChatDelta } from '../../../kernel/model/index.ts';
import { Conversation } from '../../../pipeline/conversation.ts';
import { runningRequest, writerOf } from '../../../pipeline/running-request.fixture.ts';
import { readResponseEvents } from './responses-events.fixture.ts';
import { ResponsesResponseFormat } from './responses-response-format.ts';

type OutputFinding = Parameters<NonNullable<OutputSettings['transcript']>['takeFinding']>[0];

// biome-ignore lint/suspicious/noExplicitAny: events and responses as JSON, whose shape is what is tested
export type Json = any;

const INSPECTOR = createInspector();
const POLICY = new Policy({ output: { secret: { action: 'redact' }, pii: { action: 'redact' } } });
export const BLOCK = 'SVC-TEST-BLOCK-7f3a';
export const REDACT = 'SVC-TEST-REDACT-7f3a';
export const FLAG = 'SVC-TEST-FLAG-7f3a';
export const SVC = expect.objectContaining({ request_id: 'req_0a1b' });

interface Options {
  readonly stream?: boolean;
  readonly asked?: object;
  readonly sent?: object;
  readonly moderation?: RequestedModeration;
}

const keyOf = ({ rule, start, end, decodedFrom }: OutputFinding['finding']) =>
  `${rule.id} ${start} ${end} ${decodedFrom.join(' ')}`;

export function world({ stream = true, asked = { model: 'gpt-x', input: 'Hi' }, sent = asked, moderation }: Options) {
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
  const findings: string[] = [];
  const guard = new OutputGuard(
    INSPECTOR,
    moderation?.policy ?? POLICY,
    new Redaction('test'),
    ({ channel, finding, action }) => {
      findings.push(`${channel} ${keyOf(finding)} ${action}`);
      moderation?.takeOutput(finding, action);
      const { start, end } = finding;
      outcome.inspection.findings.add(finding, action, { part: 'output', message: null, field: channel, start, end });
    },
    { streams: stream },
  );
  return { context, outcome, writer, guard, findings, format };
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
export async function passed(events: readonly object[], options: Options = {}) {
  const { outcome, writer, guard, findings, format } = world(options);
  const chunks = inBatches(events.map((event) => JSON.stringify(event)));
  const out = await readAll(writer.stream({ kind: 'native-stream', chunks }, { guard }));
  return { events: out, outcome, findings: findings.sort(), format, ...readResponseEvents(out) };
}

export async function translated(deltas: readonly ChatDelta[], options: Options = {}) {
  const { outcome, writer, guard } = world(options);
  const out = await readAll(writer.stream({ kind: 'translated-stream', deltas: inBatches(deltas) }, { guard }));
  return { events: out, outcome, ...readResponseEvents(out) };
}

export async function whole(response: object, options: Options = {}) {
  const { outcome, writer, guard, findings, format } = world({ ...options, stream: false });
  const json = await writer.whole({ kind: 'native', body: JSON.stringify(response) }, { guard });
  return { json, response: JSON.parse(json) as Json, outcome, findings: findings.sort(), format };
}

export const HEAD = { id: 'resp_1', object: 'response', model: 'gpt-x', instructions: null, metadata: {} };
export const USAGE = {
  input_tokens: 7,
  input_tokens_details: { cached_tokens: 2 },
  output_tokens: 5,
  total_tokens: 12,
};

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
export const FIELDS = {
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

export function message(id: string, content: object[]): Json {
  return { id, type: 'message', role: 'assistant', status: 'completed', content };
}

/** A stream with all events that OpenAI sends for such items. */
export function streamOf(items: readonly Spoken[], more: object = {}): Json[] {
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
