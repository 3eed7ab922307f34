import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CpuBudget } from '../../../kernel/tasks/index.ts';
import {
  begin,
  end,
  expectInOrder,
  HEAD,
  inputDelta,
  type Json,
  merged,
  passed,
  START,
  STOP,
  SVC,
  TEXT,
  TOOL,
  textDelta,
  textOf,
  textStream,
  toolStream,
  whole,
} from './messages-response.fixture.ts';

/** The events of a recorded response. */
function recorded(name: string): Json[] {
  const file = new URL(`../../providers/anthropic/__fixtures__/${name}.sse`, import.meta.url);
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('data:')).map((line) => JSON.parse(line.slice('data:'.length)));
}

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
});
