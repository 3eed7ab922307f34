import type { Steps } from '../../kernel/tasks/index.ts';
import {
  blanked,
  Decoder,
  MAX_DECODE_DEPTH,
  type Payload,
  type Range,
  type ReadingKind,
  type ReadPassage,
  signsWithin,
} from '../decoding/index.ts';
import { TextViews, type View } from '../views/index.ts';
import type { Finding } from './finding.ts';
import { isLateSignal, type Rule, type Signal } from './rule.ts';
import { type HiddenTextInspector, isHideable, type StreamPlan } from './stream-plan.ts';
import type { ResponseDetector } from './text-inspector.ts';

/** From this score on, a finding in hidden text counts as an attack. */
const ATTACK_FROM = 0.5;
/** Minimum classifier score in respelled text, which may be respelled incorrectly, and in short decoded text. */
const CLASSIFIED_FROM = 0.6;
const FEW_UNITS = 80;

/** How a text was found: sent, or hidden in another text. */
export interface Nesting {
  /** The texts around it. */
  readonly depth: number;
  /** Shared by all texts hidden in one, with its limits. */
  readonly decoder: Decoder;
  /** The limit for other readings is separate, so that the results do not depend on the order in which both kinds are found. */
  readonly readingsDecoder: Decoder;
  /** The kinds of readings that have led to it. */
  readonly readings: readonly ReadingKind[];
  /** Whether this is the second reading of the text, by rules alone. */
  readonly isSecond?: true;
}

/** Of a text that was sent. */
export function notNested(): Nesting {
  return { depth: 0, decoder: new Decoder(), readingsDecoder: new Decoder(), readings: [] };
}

/** Of a text in which no hidden text is searched. */
export function withoutDecoding(): Nesting {
  return { ...notNested(), depth: MAX_DECODE_DEPTH };
}

/** Opens the inspection of a text that was hidden in another. */
export type OpenNested = (plan: StreamPlan, detectors: readonly ResponseDetector[], nesting: Nesting) => NestedText;

interface NestedText {
  /** By rules and classifier. */
  inspectWhole(text: string): Steps<Finding[]>;
  /** By rules. */
  readWhole(text: string): Steps<Finding[]>;
}

/** Inspects the texts that are hidden in one text. */
export class HiddenTextReader {
  /** Decoded or respelled ranges; only collected if the whole text is classified. */
  replaced: Range[] | undefined;
  private readonly inspector: HiddenTextInspector;
  private readonly detectors: readonly ResponseDetector[];
  private readonly nesting: Nesting;
  private readonly open: OpenNested;

  constructor(
    inspector: HiddenTextInspector,
    detectors: readonly ResponseDetector[],
    nesting: Nesting,
    open: OpenNested,
  ) {
    this.inspector = inspector;
    this.detectors = detectors;
    this.nesting = nesting;
    this.open = open;
  }

  *inPayload(payload: Payload): Steps<HiddenFindings> {
    const { decoder, readings } = this.nesting;
    const found = yield* payloadFindings(payload, this.inspection(decoder, readings));
    this.replaced?.push(payload);
    return found;
  }

  /** Nothing once the limit for other readings is reached. */
  *inPassage(passage: ReadPassage): Steps<HiddenFindings> {
    const { readingsDecoder, readings } = this.nesting;
    const { kind, text } = passage.reading;
    if (!readingsDecoder.mayRead(text.length)) return NONE;
    const found = yield* readingFindings(passage, this.inspection(readingsDecoder, [...readings, kind]));
    this.replaced?.push(...passage.replaced());
    return found;
  }

  private inspection(decoder: Decoder, readings: readonly ReadingKind[]): Inspection {
    const { classify } = this.inspector;
    const plan = readings.length === 0 ? this.inspector.plan : this.inspector.attacks;
    // Detectors read reversed and shifted letters themselves.
    const detectors = readings.length === 0 ? this.detectors : [];
    const open = (depth: number, read: StreamPlan) =>
      this.open(read, detectors, { depth, decoder, readingsDecoder: decoder, readings });
    return {
      all: (text) => open(this.nesting.depth + 1, plan).inspectWhole(text),
      plain: (text, rules) => open(MAX_DECODE_DEPTH, viewsOf(plan, rules)).readWhole(text),
      classify: (text) => classify(TextViews.of(text)),
    };
  }
}

/** The plan with only the views of these rules. A signal's rule needs all of them. */
function viewsOf(plan: StreamPlan, rules: readonly Rule[]): StreamPlan {
  if (rules.some(({ signal }) => signal !== undefined)) return plan;
  return { ...plan, views: plan.views.filter(({ view }) => rules.some((rule) => isRead(rule, view))) };
}

function isRead(rule: Rule, view: View): boolean {
  return rule.view === view && rule.patterns.length > 0;
}

/** Inspects a text by itself. */
interface Inspection {
  /** By rules and classifier, including text hidden in it. */
  readonly all: (text: string) => Steps<Finding[]>;
  /** By rules alone, without decoding; at least by all rules that share a view with one of these. */
  readonly plain: (text: string, rules: readonly Rule[]) => Steps<Finding[]>;
  /** By the classifier alone, without decoding. */
  readonly classify: (text: string) => readonly Finding[];
}

/** Findings in hidden text, and signals about how it was hidden. */
export interface HiddenFindings {
  readonly findings: readonly Finding[];
  readonly signals: readonly HiddenSignal[];
}

/** An attack that was found only after decoding. */
interface HiddenSignal {
  readonly signal: Signal;
  readonly start: number;
  readonly end: number;
  readonly decodedFrom: readonly string[];
  /** Upper limit for the score of the signal's rule. */
  readonly atMost: number;
}

const NONE: HiddenFindings = { findings: [], signals: [] };

/** The findings in a payload, the strongest of each rule, with the range of the encoded run. */
function* payloadFindings({ encoding, run, text, start, end }: Payload, inspection: Inspection): Steps<HiddenFindings> {
  const minScore = text.length < FEW_UNITS ? CLASSIFIED_FROM : ATTACK_FROM;
  const isAddress = encoding === 'percent' && run.includes('://');
  const inner = (yield* inspection.all(text)).filter((finding) => {
    // A decoded address runs together: everything before an @ would be a mailbox name.
    if (isAddress && finding.rule.type === 'pii' && finding.rule.forcedAction === undefined) return false;
    return isOwn(finding) && (!isClassified(finding) || finding.score >= minScore);
  });
  if (inner.length === 0) return NONE;
  // Matches of the encoded run itself are found without decoding.
  const plain = new Set((yield* inspection.plain(run, rulesOf(inner))).map(({ rule }) => rule));
  const strongest = new Map<Rule, Finding>();
  for (const { rule, score, decodedFrom } of inner) {
    if (plain.has(rule) || (strongest.get(rule)?.score ?? 0) >= score) continue;
    strongest.set(rule, { rule, score, start, end, decodedFrom: [encoding, ...decodedFrom] });
  }
  const findings = [...strongest.values()];
  const attack = findings.filter(isAttack).sort((a, b) => b.score - a.score)[0];
  return { findings, signals: attack === undefined ? [] : [signalOf(attack, 'encoded')] };
}

/** The attacks in another reading of a passage that its plain reading does not contain. */
function* readingFindings({ passage, reading, rawRange }: ReadPassage, inspection: Inspection): Steps<HiddenFindings> {
  const inner = (yield* inspection.all(reading.text)).filter((finding) => {
    if (isClassified(finding) && finding.score < CLASSIFIED_FROM) return false;
    return isOwn(finding) && isAttack(finding) && signsWithin(reading, finding.start, finding.end) > 0;
  });
  if (inner.length === 0) return NONE;
  const plain = yield* inspection.plain(passage, rulesOf(inner));
  const rest = inner.some(isClassified) ? inspection.classify(blanked(passage, reading.replaced)) : [];
  const findings: Finding[] = [];
  for (const finding of inner) {
    const { rule, score, start, end, decodedFrom } = finding;
    const isPlain = isClassified(finding)
      ? rest.some(isAttack)
      : plain.some((other) => other.rule === rule && isInPlainReading(other, reading, start, end));
    if (!isPlain)
      findings.push({ rule, score, ...rawRange(start, end), decodedFrom: [...reading.writing, ...decodedFrom] });
  }
  return { findings, signals: findings.map((finding) => signalOf(finding, reading.signal)) };
}

/** Whether a finding in the original passage overlaps the source of this one. */
function isInPlainReading(plain: Finding, { starts }: ReadPassage['reading'], start: number, end: number): boolean {
  const [first, last] = [starts[start] as number, starts[end - 1] as number];
  return plain.start <= Math.max(first, last) && plain.end > Math.min(first, last);
}

function signalOf(finding: Finding, signal: Signal): HiddenSignal {
  const { start, end, decodedFrom } = finding;
  // Marks and spaces may separate words by chance: the signal is at most as certain as the attack.
  const isSure = signal === 'encoded' && !isClassified(finding);
  return { signal, start, end, decodedFrom, atMost: isSure ? 1 : finding.score };
}

function rulesOf(findings: readonly Finding[]): Rule[] {
  return findings.map(({ rule }) => rule);
}

/** Whether a finding is reported: not a signal about text hidden deeper, which the outer signal covers. */
function isOwn({ rule }: Finding): boolean {
  return !isLateSignal(rule.signal);
}

function isAttack({ rule, score }: Finding): boolean {
  return isHideable(rule) && score >= ATTACK_FROM;
}

/** Whether the classifier made the finding. */
function isClassified({ rule }: Finding): boolean {
  return rule.patterns.length === 0 && rule.cues === undefined && rule.signal === undefined;
}
