import type { Surface } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import { RuleLayer } from '../custom-rules/index.ts';
import {
  type ConcatenatedReading,
  compareFindings,
  type Finding,
  type FindingStream,
  type Reading,
  type ResponseDetector,
  type Rule,
  type Signal,
  TextInspector,
} from '../matching/index.ts';
import { TextWindow } from '../views/index.ts';
import type { Policy } from './policy.ts';
import type { ShadowTally } from './shadow-tally.ts';

/** Text kept for masked excerpts; findings reported later than this have none. */
const EVIDENCE_UNITS = 16_384;
/** A policy's rules read long texts in slices of this size. */
const SLICE_UNITS = 4096;

/**
 * Returns the inspector with the policy applied, instead of a policy that it has: its rules and topics, without what it allows. A shadow policy receives the same text
 * and changes nothing. Returns the same inspector if the policy needs none of this.
 */
export function underPolicy(inspector: TextInspector, policy: Policy, shadow: ShadowTally | undefined): TextInspector {
  const shared = inspector instanceof PolicyInspector ? inspector.inspector : inspector;
  const plain = policy.rules.isEmpty && !policy.evidence && shadow === undefined;
  return plain ? shared : new PolicyInspector(shared, policy, shadow);
}

class PolicyInspector extends TextInspector {
  readonly inspector: TextInspector;
  private readonly policy: Policy;
  private readonly shadow: ShadowTally | undefined;

  constructor(inspector: TextInspector, policy: Policy, shadow: ShadowTally | undefined) {
    super();
    this.inspector = inspector;
    this.policy = policy;
    this.shadow = shadow;
  }

  *inspectSteps(
    text: string,
    surface: Surface,
    detectors: readonly ResponseDetector[] = [],
    joined?: ConcatenatedReading,
  ): Steps<Finding[]> {
    const found = yield* this.inspector.inspectSteps(text, surface, detectors, joined);
    const own = new PolicyText(this.policy, this.shadow, surface, joined?.isNew);
    if (text.length <= SLICE_UNITS) return own.read(text, found, true);
    const all: Finding[] = [];
    const next = byEnd(found);
    for (let end = SLICE_UNITS; ; end += SLICE_UNITS) {
      const last = end >= text.length || (yield);
      const slice = text.slice(end - SLICE_UNITS, end);
      for (const finding of own.read(slice, next(last ? Number.POSITIVE_INFINITY : end), last)) all.push(finding);
      if (last) return all.sort(compareFindings);
    }
  }

  /** Without those that the policy allows. */
  findExamples(text: string, surface: Surface): Finding[] {
    const found = this.inspector.findExamples(text, surface);
    const layer = found.length > 0 ? layerOf(this.policy, surface) : undefined;
    const kept = layer && new Set(layer.read(text, found, true));
    return kept === undefined ? found : found.filter((finding) => kept.has(finding));
  }

  rulesForSignal(signal: Signal, surface: Surface): readonly Rule[] {
    return this.inspector.rulesForSignal(signal, surface);
  }

  open(
    surface: Surface,
    acts: (rule: Rule) => boolean,
    detectors: readonly ResponseDetector[] = [],
    isNew?: (finding: Finding) => boolean,
    reading?: Reading,
  ): FindingStream {
    const stream = this.inspector.open(surface, acts, detectors, isNew, reading);
    return new PolicyStream(stream, new PolicyText(this.policy, this.shadow, surface, isNew));
  }
}

/** Returns a function that returns the findings up to an offset; call it with ascending offsets. */
function byEnd(found: readonly Finding[]): (upTo: number) => Finding[] {
  const ahead = [...found].sort((a, b) => a.end - b.end);
  let given = 0;
  return (upTo) => {
    const from = given;
    while (given < ahead.length && (ahead[given] as Finding).end <= upTo) given += 1;
    return ahead.slice(from, given);
  };
}

class PolicyStream implements FindingStream {
  private readonly stream: FindingStream;
  private readonly text: PolicyText;

  constructor(stream: FindingStream, text: PolicyText) {
    this.stream = stream;
    this.text = text;
  }

  push(piece: string): Finding[] {
    return this.text.read(piece, this.stream.push(piece), false);
  }

  end(piece = ''): Finding[] {
    return this.text.read(piece, this.stream.end(piece), true);
  }

  catchUp(): Finding[] {
    return this.text.catchUp(this.stream.catchUp());
  }

  get settled(): number {
    return Math.min(this.stream.settled, this.text.settled);
  }
}

const always = () => true;

/** One text under a policy and its shadow policy. */
class PolicyText {
  private readonly surface: Surface;
  private readonly layer: RuleLayer | undefined;
  private readonly shadow: ShadowTally | undefined;
  private readonly shadowLayer: RuleLayer | undefined;
  private readonly window: TextWindow | undefined;
  private length = 0;
  /** The window holds the text from this offset on. */
  private keptFrom = 0;

  private readonly isNew: (finding: Finding) => boolean;

  constructor(
    policy: Policy,
    shadow: ShadowTally | undefined,
    surface: Surface,
    isNew: (finding: Finding) => boolean = always,
  ) {
    this.isNew = isNew;
    this.surface = surface;
    this.layer = layerOf(policy, surface);
    this.shadow = shadow;
    this.shadowLayer = policy.shadow && layerOf(policy.shadow, surface);
    this.window = policy.evidence ? new TextWindow() : undefined;
  }

  read(piece: string, found: Finding[], last: boolean): Finding[] {
    this.tallyShadow(this.shadowLayer?.read(piece, found, last) ?? found);
    const reported = this.layer?.read(piece, found, last).sort(compareFindings) ?? found;
    return this.window === undefined ? reported : this.withEvidence(this.window, piece, reported);
  }

  catchUp(found: Finding[]): Finding[] {
    this.tallyShadow(this.shadowLayer?.catchUp(found) ?? found);
    const reported = this.layer?.catchUp(found).sort(compareFindings) ?? found;
    return this.window === undefined ? reported : this.withEvidence(this.window, '', reported);
  }

  get settled(): number {
    return this.layer?.settled ?? Number.POSITIVE_INFINITY;
  }

  private tallyShadow(found: readonly Finding[]): void {
    this.shadow?.add(found.filter(this.isNew), this.surface);
  }

  private withEvidence(window: TextWindow, piece: string, reported: readonly Finding[]): Finding[] {
    window.push(piece);
    this.length += piece.length;
    const shown = reported.map((finding) => {
      const { start, end } = finding;
      return start < this.keptFrom ? finding : { ...finding, evidence: maskedExcerpt(window.slice(start, end)) };
    });
    this.keptFrom = Math.max(0, this.length - EVIDENCE_UNITS);
    window.forget(this.keptFrom);
    return shown;
  }
}

function layerOf({ rules }: Policy, surface: Surface): RuleLayer | undefined {
  return rules.isEmpty ? undefined : new RuleLayer(rules, surface);
}

/** Shortest texts, in characters, whose first and last character, or first and last two, are shown. */
const SHOW_ONE_FROM = 8;
const SHOW_TWO_FROM = 16;
const CLASSES = [8, 16, 32, 64, 256] as const;
const UNPRINTABLE = /[\p{C}\p{Z}]/u;

/**
 * A masked excerpt: at most the first and last two characters, and the approximate length. Short texts are hidden completely, so that
 * most of a text is always hidden.
 */
export function maskedExcerpt(text: string): string {
  const characters = [...text];
  const shown = characters.length >= SHOW_TWO_FROM ? 2 : characters.length >= SHOW_ONE_FROM ? 1 : 0;
  const first = characters.slice(0, shown).map(printable).join('');
  const last = characters
    .slice(characters.length - shown)
    .map(printable)
    .join('');
  return `${first}***${last} (${lengthClass(characters.length)} characters)`;
}

function printable(character: string): string {
  return UNPRINTABLE.test(character) ? ' ' : character;
}

function lengthClass(length: number): string {
  const above = CLASSES.findIndex((limit) => length < limit);
  if (above === -1) return `${CLASSES.at(-1)} or more`;
  return above === 0 ? `fewer than ${CLASSES[0]}` : `${CLASSES[above - 1]} to ${(CLASSES[above] as number) - 1}`;
}
