import type { Surface } from '../../model/threat.ts';
import type { AnswerDetector } from '../answer/answer-detector.ts';
import { compareFindings } from '../compare-findings.ts';
import type { Finding } from '../finding.ts';
import type { Policy } from '../policy.ts';
import type { Rule, Signal } from '../rule.ts';
import type { FindingStream, TextInspector } from '../text-inspector.ts';
import { TextWindow } from '../text-window.ts';
import { evidenceOf } from './evidence.ts';
import { RuleLayer } from './rule-layer.ts';
import type { ShadowTally } from './shadow-tally.ts';

/** Text kept for masked excerpts; of a finding that is told later than this there is none. */
const EVIDENCE_UNITS = 16_384;

/**
 * The inspector as a policy sees it: with the policy's own rules and topics, without what it allows. A shadow policy is
 * told what it would see, and changes nothing. The same inspector where the policy asks for none of this.
 */
export function underPolicy(inspector: TextInspector, policy: Policy, shadow: ShadowTally | undefined): TextInspector {
  const plain = policy.rules.isEmpty && !policy.evidence && shadow === undefined;
  return plain ? inspector : new PolicyInspector(inspector, policy, shadow);
}

class PolicyInspector implements TextInspector {
  private readonly inspector: TextInspector;
  private readonly policy: Policy;
  private readonly shadow: ShadowTally | undefined;

  constructor(inspector: TextInspector, policy: Policy, shadow: ShadowTally | undefined) {
    this.inspector = inspector;
    this.policy = policy;
    this.shadow = shadow;
  }

  inspect(text: string, surface: Surface, detectors: readonly AnswerDetector[] = []): Finding[] {
    const found = this.inspector.inspect(text, surface, detectors);
    return new PolicyText(this.policy, this.shadow, surface).read(text, found, true);
  }

  noticing(signal: Signal, surface: Surface): readonly Rule[] {
    return this.inspector.noticing(signal, surface);
  }

  open(surface: Surface, acts: (rule: Rule) => boolean, detectors: readonly AnswerDetector[] = []): FindingStream {
    const stream = this.inspector.open(surface, acts, detectors);
    return new PolicyStream(stream, new PolicyText(this.policy, this.shadow, surface));
  }
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

/** One text under a policy and its shadow. */
class PolicyText {
  private readonly surface: Surface;
  private readonly layer: RuleLayer | undefined;
  private readonly shadow: ShadowTally | undefined;
  private readonly shadowLayer: RuleLayer | undefined;
  private readonly window: TextWindow | undefined;
  private length = 0;
  /** Offset from which on the window surely holds the text. */
  private keptFrom = 0;

  constructor(policy: Policy, shadow: ShadowTally | undefined, surface: Surface) {
    this.surface = surface;
    this.layer = layerOf(policy, surface);
    this.shadow = shadow;
    this.shadowLayer = policy.shadow && layerOf(policy.shadow, surface);
    this.window = policy.evidence ? new TextWindow() : undefined;
  }

  read(piece: string, found: Finding[], last: boolean): Finding[] {
    this.shadow?.add(this.shadowLayer?.read(piece, found, last) ?? found, this.surface);
    const told = this.layer?.read(piece, found, last).sort(compareFindings) ?? found;
    return this.window === undefined ? told : this.withEvidence(this.window, piece, told);
  }

  catchUp(found: Finding[]): Finding[] {
    this.shadow?.add(this.shadowLayer?.catchUp(found) ?? found, this.surface);
    const told = this.layer?.catchUp(found).sort(compareFindings) ?? found;
    return this.window === undefined ? told : this.withEvidence(this.window, '', told);
  }

  get settled(): number {
    return this.layer?.settled ?? Number.POSITIVE_INFINITY;
  }

  private withEvidence(window: TextWindow, piece: string, told: readonly Finding[]): Finding[] {
    window.push(piece);
    this.length += piece.length;
    const shown = told.map((finding) => {
      const { start, end } = finding;
      return start < this.keptFrom ? finding : { ...finding, evidence: evidenceOf(window.slice(start, end)) };
    });
    this.keptFrom = Math.max(0, this.length - EVIDENCE_UNITS);
    window.forget(this.keptFrom);
    return shown;
  }
}

function layerOf({ rules }: Policy, surface: Surface): RuleLayer | undefined {
  return rules.isEmpty ? undefined : new RuleLayer(rules, surface);
}
