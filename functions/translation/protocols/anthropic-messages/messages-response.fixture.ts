import { expect } from '@jest/globals';
import {
  createInspector,
  type OutputChecks,
  type OutputSettings,
  Policy,
  Redaction,
} from '../../../inspection/index.ts';
import { OutputGuard } from '../../../inspection/output/output-guard.ts';
import { securityInfo } from '../../../pipeline/request-outcome.ts';
import { type InspectionPace, writeRefusal } from '../../../pipeline/response-writer.ts';
import { runningRequest, writerOf } from '../../../pipeline/running-request.fixture.ts';
import { MessagesResponseFormat } from './messages-response-format.ts';

type OutputFinding = Parameters<NonNullable<OutputSettings['transcript']>['takeFinding']>[0];

export type OutsideOutput = NonNullable<OutputChecks['outside']>;

// biome-ignore lint/suspicious/noExplicitAny: events and messages as JSON, whose shape is what is tested
export type Json = any;

export const INSPECTOR = createInspector();
const POLICY = new Policy({ output: { secret: { action: 'redact' }, pii: { action: 'redact' } } });
export const BLOCK = 'SVC-TEST-BLOCK-7f3a';
export const REDACT = 'SVC-TEST-REDACT-7f3a';
export const HEAD = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-x',
  content: [],
  stop_reason: null,
  stop_sequence: null,
};
export const START = {
  type: 'message_start',
  message: { ...HEAD, usage: { input_tokens: 7, cache_read_input_tokens: 5, output_tokens: 1 } },
};
export const STOP = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 12 } },
  { type: 'message_stop' },
];

export interface Options {
  readonly stream?: boolean;
  readonly policy?: Policy;
  readonly redaction?: Redaction;
  readonly outside?: Partial<OutsideOutput>;
  readonly pace?: InspectionPace;
  readonly endsOverspent?: () => boolean;
}

const keyOf = ({ rule, start, end, decodedFrom }: OutputFinding['finding']) =>
  `${rule.id} ${start} ${end} ${decodedFrom.join(' ')}`;

/** The objects around one response: its context, guard and writer. */
export function world({
  stream = true,
  policy = POLICY,
  redaction = new Redaction('test'),
  pace,
  endsOverspent,
}: Options) {
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
      decisions.push(`${channel} ${keyOf(finding)} ${action}`);
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

export async function readAll(source: AsyncGenerator<string[]>): Promise<Json[]> {
  const events: Json[] = [];
  for await (const batch of source) events.push(...batch.map((json) => JSON.parse(json)));
  return events;
}

export async function* inBatches<T>(items: readonly T[]): AsyncGenerator<T[]> {
  for (const item of items) yield [item];
}

/** An Anthropic stream passed through the gateway. */
export async function passed(events: readonly object[], options: Options = {}) {
  const { outcome, writer, guard, decisions } = world(options);
  const chunks = inBatches(events.map((event) => JSON.stringify(event)));
  const out = await readAll(
    writer.stream({ kind: 'native-stream', chunks }, { guard, outside: options.outside as OutsideOutput }),
  );
  return { events: out, outcome, decisions: decisions.sort() };
}

export async function whole(message: object, options: Options = {}) {
  const { outcome, writer, guard, decisions } = world({ ...options, stream: false });
  const json = await writer.whole(
    { kind: 'native', body: JSON.stringify(message) },
    { guard, outside: options.outside as OutsideOutput },
  );
  return { message: JSON.parse(json) as Json, outcome, decisions: decisions.sort() };
}

export const textDelta = (text: string, index = 0) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text },
});
export const inputDelta = (partial_json: string, index = 0) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json },
});
export const begin = (content_block: object, index = 0) => ({ type: 'content_block_start', index, content_block });
export const end = (index = 0) => ({ type: 'content_block_stop', index });
export const TEXT = { type: 'text', text: '' };
export const TOOL = { type: 'tool_use', id: 'toolu_1', name: 'push', input: {} };
export const textStream = (...texts: string[]) => [
  START,
  begin(TEXT),
  ...texts.map((text) => textDelta(text)),
  end(),
  ...STOP,
];
export const toolStream = (...pieces: string[]) => [
  START,
  begin(TOOL),
  ...pieces.map((piece) => inputDelta(piece)),
  end(),
  ...STOP,
];
export const textOf = (events: Json[], index = 0): string =>
  events
    .filter((event) => event.type === 'content_block_delta' && event.index === index)
    .map(({ delta }) => delta.text ?? delta.partial_json ?? '')
    .join('');
export const SVC = expect.objectContaining({ action: expect.any(String), request_id: 'req_0a1b' });
const typesOf = (events: Json[]) => events.map(({ type }) => type);

/** Joins adjacent pieces of one text: held-back text may leave in more pieces than it came in. */
export function merged(events: Json[]): Json[] {
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
export function expectInOrder(events: Json[]): void {
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
