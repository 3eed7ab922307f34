import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type OutputSettings, Redaction } from '../../../inspection/index.ts';
import {
  BLOCK,
  begin,
  end,
  expectInOrder,
  HEAD,
  INSPECTOR,
  inBatches,
  type OutsideOutput,
  passed,
  REDACT,
  START,
  STOP,
  TEXT,
  TOOL,
  textDelta,
  textOf,
  textStream,
  toolStream,
  whole,
  world,
} from './messages-response.fixture.ts';

type OutputFinding = Parameters<NonNullable<OutputSettings['transcript']>['takeFinding']>[0];

const FLAG = 'SVC-TEST-FLAG-7f3a';

/** Texts split at arbitrary positions. */
const cuts = (text: string) =>
  fc.array(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 12 }).map((places) => {
    const at = [0, ...new Set(places), text.length].sort((a, b) => a - b);
    return at.slice(1).map((to, index) => text.slice(at[index], to));
  });

describe('an Anthropic stream', () => {
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
    const placeholder = redaction.hideInput(card as OutputFinding['finding'], original);
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
