import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Outcome } from '../../../pipeline/request-outcome.ts';
import {
  BLOCK,
  FIELDS,
  FLAG,
  HEAD,
  type Json,
  message,
  passed,
  REDACT,
  SVC,
  streamOf,
  USAGE,
  whole,
} from './responses-response.fixture.ts';

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
          const { events, faults, response, findings } = await passed(streamOf([{ kind, pieces }]));
          const tells = JSON.stringify(events);
          expect(faults).toEqual([]);
          expect(tells).not.toContain('SVC-TEST');
          const [item] = response.output;
          const left = item.content?.[0]?.text ?? item.content?.[0]?.refusal ?? item[FIELDS[kind]];
          expect(left.replace(/\[REDACTED_[A-Z_]+\]/, '[REDACTED_TEST_TEXT]')).toBe(clean);
          expect(findings).toHaveLength(1);
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
    const { events: out, findings } = await passed(lies);
    expect(JSON.stringify(out)).not.toContain('SVC-TEST');
    expect(findings).toHaveLength(4);
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
    const { events: out, findings, response } = await passed(events);
    const shown = JSON.stringify(out.map((event) => ({ ...event, partial_image_b64: undefined })));
    expect(shown).not.toMatch(/SVC-TEST/);
    expect(findings.map((one) => one.split(' ')[0])).toEqual([
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
    expect((await passed(events, { asked: { ...asked, ...said } })).findings).toEqual([]);
    const { findings } = await passed(events, { asked });
    expect(findings.map((one) => one.split(' ')[0])).toEqual([
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
