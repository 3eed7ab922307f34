import {
  type Action,
  type DetectedThreat,
  type Surface,
  strongerAction,
  type ThreatType,
  usualPath,
} from '../../kernel/model/index.ts';
import type { Finding } from '../matching/index.ts';

/** What a shadow policy would have done; stored only in the request's record. */
export interface ShadowRecord {
  readonly action: Action;
  readonly threats: Readonly<Partial<Record<ThreatType, number>>>;
  /** Findings in tool calls, the first ones: places, never a value. */
  readonly calls?: ShadowCall[];
}

type ShadowCall = Pick<DetectedThreat, 'rule' | 'policyRule' | 'action'> & { readonly field: string };

/** What the shadow policy has reported about tool calls. */
interface CallReport {
  readonly action: Action;
  readonly threats: readonly DetectedThreat[];
  readonly counts: ShadowRecord['threats'];
}

const MAX_CALLS = 16;

/** Sums up what a policy would decide about the findings of one request. */
export class ShadowTally {
  private action: Action = 'allow';
  private readonly counted = new Map<ThreatType, number>();
  private readonly calls: ShadowCall[] = [];
  private readonly decide: (finding: Finding, surface: Surface) => Action;

  constructor(decide: (finding: Finding, surface: Surface) => Action) {
    this.decide = decide;
  }

  add(findings: readonly Finding[], surface: Surface): void {
    for (const finding of findings) {
      // Which text is a definition is not known here.
      if (finding.rule.inDefinitions === 'only') continue;
      const action = this.decide(finding, surface);
      if (action === 'allow') continue;
      this.action = strongerAction(this.action, action);
      this.count(finding.rule.type, 1);
    }
  }

  addCalls({ action, threats, counts }: CallReport): void {
    this.action = strongerAction(this.action, action);
    for (const [type, count] of Object.entries(counts)) this.count(type as ThreatType, count);
    for (const { rule, policyRule, action, location } of threats.slice(0, MAX_CALLS - this.calls.length))
      this.calls.push({
        rule,
        ...(policyRule !== undefined && { policyRule }),
        action,
        field: usualPath(location.field),
      });
  }

  /** Adds reported findings that are not made in texts and calls, by the shadow policy's decisions. */
  addReported(threats: readonly DetectedThreat[], decide: (threat: DetectedThreat) => Action): void {
    for (const threat of threats) {
      const action = threat.action === 'allow' ? 'allow' : decide(threat);
      if (action === 'allow') continue;
      this.action = strongerAction(this.action, action);
      this.count(threat.type, 1);
    }
  }

  toRecord(): ShadowRecord {
    const { action, counted, calls } = this;
    return { action, threats: Object.fromEntries(counted), ...(calls.length > 0 && { calls }) };
  }

  private count(type: ThreatType, count: number): void {
    this.counted.set(type, (this.counted.get(type) ?? 0) + count);
  }
}
