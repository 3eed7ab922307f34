import { describe, expect, it } from '@jest/globals';
import { RequestedModeration } from '../../../inspection/index.ts';
import type { ChatDelta } from '../../../kernel/model/index.ts';
import { securityInfo } from '../../../pipeline/request-outcome.ts';
import {
  HEAD,
  type Json,
  message,
  passed,
  SVC,
  streamOf,
  translated,
  whole,
  world,
} from './responses-response.fixture.ts';

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
