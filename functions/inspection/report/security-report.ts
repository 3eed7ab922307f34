import {
  type Action,
  ATTACK_TYPES,
  type CallOrigin,
  type DetectedThreat,
  type Reason,
  type ShownThreat,
  strongerAction,
  THREAT_TYPES,
  type ThreatLocation,
  type ThreatType,
} from '../../kernel/model/index.ts';
import type { Finding } from '../matching/index.ts';

/** Number of listed findings; all count for the score and the action. */
export const MAX_LISTED = 50;

const ATTACKS: ReadonlySet<ThreatType> = new Set(ATTACK_TYPES);

/** What a finding says besides its rule: why its score differs, where a tool call comes from, and which rule of the policy it violates. */
export interface Why {
  readonly reasons?: readonly Reason[] | undefined;
  readonly origin?: CallOrigin | undefined;
  readonly policyRule?: string | undefined;
}

/** Collects the findings of one request. */
export class SecurityReport {
  private readonly listed: ShownThreat[] = [];
  private readonly highest = new Map<ThreatType, number>();
  private highestAttack = 0;
  private strongest: Action = 'allow';
  private readonly changed = new Set<ThreatLocation['part']>();
  private readonly counted = new Map<ThreatType, number>();

  add(finding: Finding, action: Action, location: ThreatLocation, why: Why = {}): void {
    this.raise(finding);
    if (action === 'allow') return;
    if (action !== 'flag') this.changed.add(location.part);
    this.strongest = strongerAction(this.strongest, action);
    this.list(finding, action, location, why);
  }

  /** Lists a finding that is only recorded. */
  note(finding: Finding, location: ThreatLocation): void {
    this.raise(finding);
    this.list(finding, 'allow', location, {});
  }

  /** Blocks without a finding: an inspection that must not be skipped failed. */
  block(): void {
    this.strongest = 'block';
  }

  /** Flags without a finding: the inspection is incomplete. */
  flag(): void {
    this.strongest = strongerAction(this.strongest, 'flag');
  }

  /** 0..1, the highest of the attack types. */
  get threatScore(): number {
    return round(this.highestAttack);
  }

  /** 0..1 for every type, including scores below the thresholds. */
  get scores(): Readonly<Record<ThreatType, number>> {
    const scores = THREAT_TYPES.map((type) => [type, round(this.highest.get(type) ?? 0)]);
    return Object.fromEntries(scores) as Record<ThreatType, number>;
  }

  get action(): Action {
    return this.strongest;
  }

  /** Whether the policy did more than flag a finding there. */
  hasChanged(part: ThreatLocation['part']): boolean {
    return this.changed.has(part);
  }

  /** For events and records: contains no text, not even masked. */
  get threats(): readonly DetectedThreat[] {
    return this.listed.map(({ evidence: _, ...threat }) => threat);
  }

  /** For the caller. */
  get shownThreats(): readonly ShownThreat[] {
    return this.listed;
  }

  /** Listed findings, by type. */
  get counts(): Readonly<Partial<Record<ThreatType, number>>> {
    return Object.fromEntries(this.counted);
  }

  private raise({ rule, score, likelihood = score }: Finding): void {
    this.highest.set(rule.type, Math.max(likelihood, this.highest.get(rule.type) ?? 0));
    if (likelihood > this.highestAttack && ATTACKS.has(rule.type)) this.highestAttack = likelihood;
  }

  private list(finding: Finding, action: Action, location: ThreatLocation, why: Why): void {
    const { rule, score, evidence } = finding;
    const { reasons = [], origin, policyRule } = why;
    const { id, type, category, severity, message, owasp, atlas } = rule;
    this.counted.set(type, (this.counted.get(type) ?? 0) + 1);
    if (this.listed.length >= MAX_LISTED) return;
    this.listed.push({
      type,
      category,
      score: round(score),
      severity,
      action,
      rule: id,
      message,
      location,
      owasp,
      atlas,
      ...(reasons.length > 0 && { reasons }),
      ...(origin !== undefined && { origin }),
      ...(policyRule !== undefined && { policyRule }),
      ...(evidence !== undefined && { evidence }),
    });
  }
}

function round(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
