import { type Action, type Surface, strongerAction, type ThreatType } from '../../kernel/model/index.ts';
import type { Finding } from '../matching/index.ts';

/** What a shadow policy would have done; stored only in the request's record. */
export interface ShadowRecord {
  readonly action: Action;
  readonly threats: Readonly<Partial<Record<ThreatType, number>>>;
}

/** Sums up what a policy would decide about the findings of one request. */
export class ShadowTally {
  private action: Action = 'allow';
  private readonly counted = new Map<ThreatType, number>();
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
      this.counted.set(finding.rule.type, (this.counted.get(finding.rule.type) ?? 0) + 1);
    }
  }

  toRecord(): ShadowRecord {
    return { action: this.action, threats: Object.fromEntries(this.counted) };
  }
}
