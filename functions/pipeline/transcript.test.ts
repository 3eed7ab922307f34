import { describe, expect, it } from '@jest/globals';
import type { OutputSettings } from '../inspection/index.ts';
import type { Action, ThreatType } from '../kernel/model/index.ts';
import { Transcript } from './transcript.ts';

type OutputFinding = Parameters<NonNullable<OutputSettings['transcript']>['takeFinding']>[0];

const CONTENT = 'choices[0].content';
const slot = (text: string, channel = CONTENT) => ({ channel, text, path: [] });
const found = (type: ThreatType, action: Action, start: number, end: number, channel = CONTENT) =>
  ({ channel, action, finding: { rule: { type, category: type }, score: 1, start, end } }) as unknown as OutputFinding;

function transcriptOf(mode: 'redacted' | 'full', found_: readonly OutputFinding[] = []): Transcript {
  const transcript = new Transcript(mode);
  transcript.takeRequest('{"as":"sent"}', () => '{"as":"hidden"}');
  for (const text of ['My number ', 'is 4711', ' and my key is abc.']) transcript.takeResponse([slot(text)]);
  transcript.takeResponse([slot('another', 'choices[1].content')]);
  for (const one of found_) transcript.takeFinding(one, `[REDACTED_${one.finding.rule.category.toUpperCase()}]`);
  return transcript;
}

describe('a transcript', () => {
  it('marks read-only texts of a response', () => {
    const transcript = transcriptOf('full');
    transcript.takeResponse([{ ...slot('Hm.', 'choices[0].reasoning'), isReadOnly: true }]);
    const readOnly = transcript.toCapture().answer.filter(({ isReadOnly }) => isReadOnly);
    expect(readOnly).toEqual([{ channel: 'choices[0].reasoning', text: 'Hm.', isReadOnly: true }]);
  });

  it('in full mode contains the texts as sent', () =>
    expect(transcriptOf('full', [found('pii', 'redact', 13, 17)]).toCapture()).toEqual({
      mode: 'full',
      request: '{"as":"sent"}',
      answer: [
        { channel: CONTENT, text: 'My number is 4711 and my key is abc.' },
        { channel: 'choices[1].content', text: 'another' },
      ],
      truncated: false,
    }));

  it('in redacted mode contains no redacted and no private data, for any action', () => {
    const findings = [
      found('pii', 'flag', 13, 17),
      found('jailbreak', 'redact', 0, 9),
      found('secret', 'allow', 32, 35),
    ];
    const { request, answer } = transcriptOf('redacted', findings).toCapture();
    expect(request).toBe('{"as":"hidden"}');
    expect(answer[0]?.text).toBe('[REDACTED_JAILBREAK] is [REDACTED_PII] and my key is [REDACTED_SECRET].');
  });

  it('in redacted mode contains text that is only flagged', () =>
    expect(transcriptOf('redacted', [found('jailbreak', 'flag', 0, 9)]).toCapture().answer[0]?.text).toBe(
      'My number is 4711 and my key is abc.',
    ));

  it('in redacted mode ends at a block, since later text was not released', () =>
    expect(transcriptOf('redacted', [found('pii', 'block', 13, 17)]).toCapture().answer).toEqual([
      { channel: CONTENT, text: 'My number is ' },
    ]));

  it('fits into an item, and marks truncated texts', () => {
    const transcript = new Transcript('full');
    transcript.takeRequest('a'.repeat(60_000), () => '');
    for (let at = 0; at < 100; at += 1)
      transcript.takeResponse([slot('b'.repeat(1_000)), slot('c'.repeat(1_000), 'd')]);
    const capture = transcript.toCapture();
    expect(capture.truncated).toBe(true);
    const lengths = [capture.request, ...capture.answer.map(({ text }) => text)].map(({ length }) => length);
    expect(lengths).toEqual([50_000, 50_000, 0]);
    // The largest encoding of a character.
    expect(JSON.stringify(capture).length * 3).toBeLessThan(400_000);
  });

  it('is empty before a request was added', () => {
    expect(new Transcript('full').kept).toBe('none');
    expect(transcriptOf('redacted').kept).toBe('redacted');
  });
});
