import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AWS_KEY_ID, GITHUB_TOKEN } from '../../../test/contract/inspection/planted-secret.ts';
import { cutAt } from '../../kernel/json/cut-at.fixture.ts';
import { renderEdits, spliceJson } from '../../kernel/json/index.ts';
import type { Piece, PolicySettings, TextSlot } from '../../kernel/model/index.ts';
import { finish } from '../../kernel/tasks/index.ts';
import { conversationTexts } from '../../translation/index.ts';
import { ALL_RULES } from '../detectors/index.ts';
import { inspectInputNow } from '../input/index.ts';
import { Inspector } from '../inspector/index.ts';
import { OutputGuard } from '../output/output-guard.ts';
import type { OutputFinding } from '../output/response-channel.ts';
import { Policy, Redaction, underPolicy } from '../policy/index.ts';
import { InspectionReport } from '../report/index.ts';

const BUILT_IN = new Inspector(ALL_RULES);
const EMAIL = ['anna.smith', 'acme-widgets.com'].join('@');
const PLANTED = ['Project Zeus', 'ACME-12345', GITHUB_TOKEN, AWS_KEY_ID, EMAIL];
const WORDS = ['hello', 'the report', ' is ', '. ', 'so far', '\n', ' and ', 'a\u200bb', 'é', '😀 '];
/** Random texts with something planted in most of them, between spaces, and offsets to split them at. */
const cases = fc.record({
  parts: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...WORDS) }, fc.constantFrom(...PLANTED)), {
    maxLength: 12,
  }),
  cuts: fc.array(fc.nat(200), { maxLength: 8 }),
  chunks: fc.array(fc.array(fc.nat(60), { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
});
const textOf = (parts: readonly string[]) =>
  parts.map((part) => (PLANTED.includes(part) ? ` ${part} ` : part)).join('');
const cut = (text: string, cuts: readonly number[]) => cutAt(text, cuts).filter((part) => part !== '');

const own = (action: 'flag' | 'redact' | 'block'): PolicySettings => ({
  rules: [
    { id: 'zeus', literals: ['project zeus'], ignoreCase: true, action },
    { id: 'code', pattern: 'ACME-\\d{5}', action },
  ],
  input: { secret: { action, threshold: 0.5 }, pii: { action, threshold: 0.5 } },
  output: { secret: { action, threshold: 0.5 }, pii: { action, threshold: 0.5 } },
});
const ACTIONS = ['flag', 'redact', 'block'] as const;

function inspectInput(content: readonly string[], settings: PolicySettings) {
  const policy = new Policy(settings);
  const report = new InspectionReport();
  const redaction = new Redaction('test');
  const messages = [{ role: 'user' as const, content: content.map((text) => ({ type: 'text' as const, text })) }];
  const input = { own: finish(conversationTexts({ messages })), policy, redaction };
  const verdict = inspectInputNow(input, underPolicy(BUILT_IN, policy, undefined), report);
  const sent = JSON.parse(spliceJson(JSON.stringify({ messages }), verdict.edits)) as { messages: typeof messages };
  const out = sent.messages[0]?.content.map(({ text }) => text) ?? [];
  const rules = new Set(report.findings.threats.map(({ rule }) => rule));
  const joined = out.join('').replaceAll('[...]', '');
  const restored = renderEdits(joined, 0, redaction.restorations(joined, 0));
  return { action: report.findings.action, rules, sent: out, redaction, restored };
}

describe('any split of a text of a request into parts', () => {
  it.each(ACTIONS)('has the action of the whole text: %s', (action) => {
    fc.assert(
      fc.property(cases, ({ parts, cuts }) => {
        const text = textOf(parts);
        const whole = inspectInput([text], own(action));
        const split = inspectInput(cut(text, cuts), own(action));
        expect([split.action, split.rules]).toEqual([whole.action, whole.rules]);
        if (action !== 'redact') return;
        expect(split.restored).toBe(whole.restored);
        for (const value of PLANTED) expect(split.sent.join('')).not.toContain(value);
      }),
      { numRuns: 150 },
    );
  });

  it('leaves no part empty and restores the whole value', () => {
    const { sent, redaction } = inspectInput([...`Mail ${EMAIL} now`], own('redact'));
    expect(sent.every((part) => part !== '')).toBe(true);
    const placeholder = sent.find((part) => part.startsWith('[EMAIL_')) as string;
    expect(redaction.restorations(placeholder, 0)).toEqual([{ start: 0, end: placeholder.length, text: EMAIL }]);
  });

  it('is restored unchanged in each part if neighbouring values match as one', () => {
    const parts = ['u1@exa.com', 'u2@exb.com'];
    const { sent, redaction } = inspectInput(parts, own('redact'));
    const back = sent.map((text) => renderEdits(text, 0, redaction.restorations(text, 0)));
    expect([new Set(sent).size, back]).toEqual([2, parts]);
  });

  it('is redacted far beyond the joined ends of long parts', () => {
    const [head, tail] = [
      `${'word '.repeat(2000)}Use ${GITHUB_TOKEN.slice(0, 9)}`,
      `${GITHUB_TOKEN.slice(9)} ${'word '.repeat(2000)}`,
    ];
    const { sent } = inspectInput([head, tail], own('redact'));
    expect(sent[0]).toMatch(/Use \[REDACTED_GITHUB_TOKEN\]$/);
    expect(sent[1]).toMatch(/^ word/);
  });
});

const RUN = 'content[].text';

function toPieces(blocks: readonly string[], chunks: readonly (readonly number[])[]): Piece[] {
  return blocks.flatMap((block, at) =>
    cut(block, chunks[at % chunks.length] ?? []).map((text): Piece => {
      const slot: TextSlot = { channel: `content[${at}].text`, run: RUN, text, path: ['text'] };
      return { json: JSON.stringify({ text }), slots: [slot], echoes: [], divisible: true };
    }),
  );
}

function inspectOutput(pieces: readonly Piece[], settings: PolicySettings, streams: boolean) {
  const policy = new Policy(settings);
  const reported: OutputFinding[] = [];
  const inspector = underPolicy(BUILT_IN, policy, undefined);
  const guard = new OutputGuard(inspector, policy, new Redaction('test'), (found) => reported.push(found), { streams });
  const left = [...pieces.flatMap((piece) => guard.push(piece)), ...guard.end()];
  const text = left.map(({ json }) => (JSON.parse(json) as { text: string }).text).join('');
  return {
    text,
    rules: reported.map(({ finding }) => finding.rule.id).sort(),
    blocked: guard.blocked !== undefined,
    reported,
  };
}

describe('any split of a text of a response into blocks and chunks', () => {
  describe.each([true, false])('streamed: %s', (streams) => {
    it.each(ACTIONS)('releases the same as the whole text: %s', (action) => {
      fc.assert(
        fc.property(cases, ({ parts, cuts, chunks }) => {
          const text = textOf(parts);
          const blocks = cut(text, cuts);
          const whole = inspectOutput(toPieces([text], [[]]), own(action), streams);
          const split = inspectOutput(toPieces(blocks, streams ? chunks : [[]]), own(action), streams);
          expect([split.text, split.blocked, split.rules]).toEqual([whole.text, whole.blocked, whole.rules]);
          const starts = blocks.map((_, at) => blocks.slice(0, at).join('').length);
          const places = split.reported.map(({ channel, finding }) => {
            const block = Number(/\d+/.exec(channel)?.[0]);
            expect(finding.start).toBeLessThan(blocks[block]?.length ?? 0);
            return (starts[block] as number) + finding.start;
          });
          expect(places).toEqual(whole.reported.map(({ finding }) => finding.start));
        }),
        { numRuns: 100 },
      );
    });
  });

  it('is held back only while it may still match', () => {
    const policy = new Policy(own('redact'));
    const guard = new OutputGuard(underPolicy(BUILT_IN, policy, undefined), policy, new Redaction('test'), () => {});
    const [first, , third] = toPieces(['All is well.\n', 'a', 'And so it goes on.\n'], [[]]) as [Piece, Piece, Piece];
    const stop: Piece = { json: '{"stop":0}', slots: [], echoes: [], divisible: false, closes: ['content[0].'] };
    const jsons = [first, stop, third].map((piece) => guard.push(piece).map(({ json }) => json));
    expect(jsons).toEqual([[first.json], [stop.json], [third.json]]);
  });

  it('accepts no more text of a block once the next one has started', () => {
    const policy = new Policy({});
    const guard = new OutputGuard(BUILT_IN, policy, new Redaction('test'), () => {});
    const [first, second] = toPieces(['one', 'two'], [[]]) as [Piece, Piece];
    guard.push(first);
    guard.push(second);
    expect(() => guard.push(first)).toThrow('The provider sent text after the end of its response.');
  });

  it('is redacted if a word ends with its block, and if a phrase is split between words', () => {
    const blocks = ['The key is', AWS_KEY_ID, 'for Project', 'Zeus'];
    const { text, rules } = inspectOutput(toPieces(blocks, [[3]]), own('redact'), true);
    expect(text).toBe('The key is[REDACTED_AWS_ACCESS_KEY]for [REDACTED_CUSTOM]');
    expect(rules).toEqual(['custom/zeus', 'secrets/aws-access-key']);
  });
});
