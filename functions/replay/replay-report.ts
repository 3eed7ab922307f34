import type { PolicyReplay } from '../contract/index.ts';
import { type Action, type RequestRecord, usualPath } from '../kernel/model/index.ts';
import type { ReplayedFinding, ReplayedRequest } from './replay.ts';

export const MAX_EXAMPLES = 50;

/** The counts of a replay. */
export type ReplayReport = Omit<PolicyReplay, 'object' | 'from' | 'to' | 'nextCursor' | 'unknown'>;

/** Counts equal objects. */
class Counts<T extends object> {
  private readonly counted = new Map<string, { readonly what: T; count: number }>();

  add(what: T): void {
    const name = JSON.stringify(what);
    const known = this.counted.get(name);
    if (known === undefined) this.counted.set(name, { what, count: 1 });
    else known.count += 1;
  }

  /** The most frequent first. */
  as<N extends string>(name: N): (T & Record<N, number>)[] {
    return [...this.counted.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ what, count }) => ({ ...what, [name]: count }) as T & Record<N, number>);
  }
}

interface Change {
  readonly live: Action;
  readonly replayed: Action;
}

type CallFinding = Omit<NonNullable<PolicyReplay['callRules']>[number], 'findings'>;
type ExampleOf = Pick<PolicyReplay['examples'][number], 'requestId' | 'time' | 'keyId'>;

/** Rules about tool calls, and not about the definitions of tools. */
const CALL_RULE = /^tool-misuse\/(?!tool-changed|tool-shadowed)/;

/** Counts what a policy would have changed. */
export class ReplayTally {
  private requests = 0;
  private fromText = 0;
  private incomplete = 0;
  private readonly live = noActions();
  private readonly replayed = noActions();
  private readonly changes = new Counts<Change>();
  private readonly keys = new Counts<Change & { keyId: string }>();
  private readonly rules = new Counts<Change & Pick<ReplayedFinding, 'rule' | 'policyRule' | 'type'>>();
  private readonly callRules = new Counts<CallFinding>();
  private readonly callExamples: NonNullable<PolicyReplay['callExamples']> = [];
  private readonly types = new Counts<Change & Pick<ReplayedFinding, 'type'>>();
  private readonly examples: PolicyReplay['examples'] = [];
  private changed = 0;

  add(record: RequestRecord, { action: replayed, findings }: ReplayedRequest, fromText: boolean): void {
    const { id: requestId, time, keyId, action: live } = record;
    this.requests += 1;
    if (fromText) this.fromText += 1;
    this.live[live] += 1;
    this.replayed[replayed] += 1;
    const reported = Object.values(record.threats).reduce((sum, count) => sum + count, 0);
    const isIncomplete = reported > record.findings.length;
    if (isIncomplete) this.incomplete += 1;
    // A finding in the text may be one that the record left out: that is no change.
    if (!(fromText && isIncomplete)) for (const finding of findings) this.addFinding(finding);
    for (const finding of findings) this.addCall(finding, { requestId, time, keyId });
    if (live === replayed) return;
    this.changed += 1;
    this.changes.add({ live, replayed });
    this.keys.add({ keyId, live, replayed });
    if (this.examples.length < MAX_EXAMPLES) this.examples.push({ requestId, time, keyId, live, replayed });
  }

  toReport(): ReplayReport {
    const { requests, fromText, incomplete, live, replayed, changed, examples, callExamples } = this;
    return {
      requests,
      fromText,
      incomplete,
      live,
      replayed,
      changed,
      changes: this.changes.as('requests'),
      keys: this.keys.as('requests'),
      types: this.types.as('findings'),
      rules: this.rules.as('findings'),
      examples,
      callRules: this.callRules.as('findings'),
      callExamples,
    };
  }

  private addCall({ rule, policyRule, replayed, field }: ReplayedFinding, of: ExampleOf): void {
    if (replayed === 'allow' || !CALL_RULE.test(rule)) return;
    const finding = { rule, ...(policyRule !== undefined && { policyRule }), action: replayed };
    this.callRules.add(finding);
    if (this.callExamples.length >= MAX_EXAMPLES) return;
    this.callExamples.push({ ...of, ...finding, field: usualPath(field) });
  }

  private addFinding({ rule, policyRule, type, live, replayed }: ReplayedFinding): void {
    if (live === replayed) return;
    this.rules.add({ rule, ...(policyRule !== undefined && { policyRule }), type, live, replayed });
    this.types.add({ type, live, replayed });
  }
}

function noActions(): Record<Action, number> {
  return { allow: 0, flag: 0, redact: 0, ask: 0, block: 0 };
}
