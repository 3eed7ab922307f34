import type { AnswerDetector, AnswerReader } from './answer/answer-detector.ts';
import { compareFindings, findingKey } from './compare-findings.ts';
import { Decoder, MAX_DECODE_DEPTH } from './decode/payload-finder.ts';
import { disguisesOf } from './disguise.ts';
import type { Finding } from './finding.ts';
import { type Payload, PayloadReader } from './payload-reader.ts';
import type { Rule, Signal } from './rule.ts';
import { isHideable, type StreamPlan } from './stream-plan.ts';
import { TextWindow } from './text-window.ts';
import { type RuleHit, ViewReader } from './view-reader.ts';

/**
 * Inspects a text that arrives in pieces. Any split of the text gives the same findings, and a finding of a rule that
 * acts never starts before an earlier `settled`. Two kinds may come late, for text that `settled` has passed: findings of
 * rules that do not act, and those in decoded payloads (`decodedFrom` is not empty, or the rule's signal is `encoded`),
 * for which no text is ever held back.
 */
export class TextStream {
  private readonly plan: StreamPlan;
  /** The same surface with nothing that acts, for decoded text. */
  private readonly watchPlan: StreamPlan;
  private readonly readers: readonly ViewReader[];
  private readonly detectors: readonly AnswerDetector[];
  private readonly answerReaders: readonly AnswerReader[];
  private readonly payloads: PayloadReader | undefined;
  private readonly decoder: Decoder;
  private readonly depth: number;
  private readonly raw = new TextWindow();
  private readonly signalled = new Set<string>();
  private length = 0;

  constructor(
    plan: StreamPlan,
    watchPlan: StreamPlan,
    detectors: readonly AnswerDetector[] = [],
    decoder: Decoder = new Decoder(),
    depth = 0,
  ) {
    this.plan = plan;
    this.watchPlan = watchPlan;
    this.detectors = detectors;
    this.answerReaders = detectors.map((detector) => detector.open());
    this.decoder = decoder;
    this.depth = depth;
    this.readers = plan.views.map((view) => new ViewReader(view));
    const isRead = plan.views.length > 0 || detectors.length > 0;
    this.payloads = depth < MAX_DECODE_DEPTH && isRead ? new PayloadReader(decoder) : undefined;
  }

  /** The findings that have become final, in order of position. */
  push(piece: string): Finding[] {
    return this.read(piece, false);
  }

  /** The remaining findings; with `piece`, as if it had been pushed before. Closes the stream. */
  end(piece = ''): Finding[] {
    return this.read(piece, true);
  }

  /** Raw offset that text may be released up to: no finding of an acting rule will start or reach before it. */
  get settled(): number {
    return Math.min(
      this.length,
      ...this.readers.map((reader) => reader.settled),
      ...this.answerReaders.map((reader) => reader.settled),
    );
  }

  private read(piece: string, last: boolean): Finding[] {
    this.raw.push(piece);
    this.length += piece.length;
    const findings: Finding[] = [];
    for (const reader of this.readers) {
      for (const hit of reader.read(piece, last)) findings.push(...this.toFindings(hit));
    }
    for (const reader of this.answerReaders) {
      for (const hit of reader.read(piece, last)) findings.push({ ...hit, decodedFrom: [] });
    }
    for (const payload of this.payloads?.read(piece, last) ?? []) findings.push(...this.inspectPayload(payload));
    this.raw.forget(Math.min(this.length, ...this.readers.map((reader) => reader.seen)));
    return findings.sort(compareFindings);
  }

  private toFindings({ rule, score, start, end }: RuleHit): Finding[] {
    const findings: Finding[] = [{ rule, score, start, end, decodedFrom: [] }];
    if (!isHideable(rule.type)) return findings;
    for (const signal of disguisesOf(this.raw.slice(start, end))) findings.push(...this.speak(signal, start, end, []));
    return findings;
  }

  private inspectPayload({ encoding, run, text, start, end }: Payload): Finding[] {
    const inner = this.watch(text, this.depth + 1, this.decoder).filter(({ rule }) => rule.signal !== 'encoded');
    if (inner.length === 0) return [];
    // What the run says as it stands is found without decoding it.
    const plain = new Set(this.watch(run, MAX_DECODE_DEPTH, new Decoder()).map(({ rule }) => rule));
    const strongest = new Map<Rule, Finding>();
    for (const { rule, score, decodedFrom } of inner) {
      if (plain.has(rule) || (strongest.get(rule)?.score ?? 0) >= score) continue;
      strongest.set(rule, { rule, score, start, end, decodedFrom: [encoding, ...decodedFrom] });
    }
    const findings = [...strongest.values()];
    const attack = findings.find(({ rule }) => isHideable(rule.type));
    if (attack !== undefined) findings.push(...this.speak('encoded', start, end, attack.decodedFrom));
    return findings;
  }

  private watch(text: string, depth: number, decoder: Decoder): Finding[] {
    return new TextStream(this.watchPlan, this.watchPlan, this.detectors, decoder, depth).end(text);
  }

  /** The findings of the rules for a signal, each range once. */
  private speak(signal: Signal, start: number, end: number, decodedFrom: readonly string[]): Finding[] {
    const findings = (this.plan.signals.get(signal) ?? []).map((rule) => ({
      rule,
      score: rule.score,
      start,
      end,
      decodedFrom,
    }));
    return findings.filter((finding) => {
      const key = findingKey(finding);
      if (this.signalled.has(key)) return false;
      this.signalled.add(key);
      return true;
    });
  }
}
