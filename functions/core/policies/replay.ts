import type { Finding } from '../inspect/finding.ts';
import { Policy, type PolicySettings } from '../inspect/policy.ts';
import type { Rule } from '../inspect/rule.ts';
import { type Action, type Surface, strongerAction } from '../model/threat.ts';
import type { PastFinding, PastRequest } from '../ports/past-findings.ts';

/** What no record tells, and a replay therefore cannot take into account. */
export const UNKNOWN_TO_REPLAYS = [
  'Text is not kept: new rules, topics, and allowances by literal or pattern find nothing in past requests.',
  'Findings that the policy of their time did not tell, being below its thresholds or off, are in no record.',
  "Who wrote an input is not recorded: what stood in the operator's own text counts as a user's, unless it stood in definitions.",
  'Whether a finding in an answer stood in encoded text is not recorded: it counts as plain text, which a policy may act on.',
  'A request that was blocked had no answer, and one that is blocked in a replay would have had none.',
];

/** What a rule does besides its type and score; undefined where there is no such rule any more. */
export type RuleOf = (id: string) => Rule | undefined;

/** Decides about past requests as a policy would. */
export class Replay {
  private readonly policy: Policy;
  private readonly settings: PolicySettings;
  private readonly ruleOf: RuleOf;

  constructor(settings: PolicySettings, ruleOf: RuleOf) {
    this.policy = new Policy(settings);
    this.settings = settings;
    this.ruleOf = ruleOf;
  }

  /** What the policy would have done about the request. */
  decide({ findings }: PastRequest): Action {
    return findings.reduce<Action>(
      (strongest, finding) => strongerAction(strongest, this.decideFinding(finding)),
      'allow',
    );
  }

  private decideFinding(past: PastFinding): Action {
    const rule = this.rule(past);
    if (rule === undefined) return 'allow';
    const finding: Finding = { rule, score: past.score, start: 0, end: 0, decodedFrom: [] };
    const surface = surfaceOf(past);
    // What an allowance matches is not known.
    if (this.policy.rules.isAllowed(finding, surface, () => false)) return 'allow';
    return this.policy.decide(finding, surface);
  }

  /** The rule as it stands in this policy; undefined for one of another policy's own. */
  private rule({ rule: id, type }: PastFinding): Rule | undefined {
    const [family, name = ''] = id.split('/');
    if (family === 'custom' || family === 'topic') {
      const own = family === 'custom' ? this.settings.rules : this.settings.bannedTopics;
      const action = own?.find((one) => ('id' in one ? one.id : one.name) === name)?.action;
      return action && { ...nameless(id, type), forcedAction: action };
    }
    return this.ruleOf(id) ?? nameless(id, type);
  }
}

function surfaceOf({ part, field }: PastFinding): Surface {
  if (part === 'output') return 'output';
  return /^(?:tools|functions|response_format)\b/.test(field) ? 'system' : 'user';
}

/** A rule of which nothing is known but its name and type. */
function nameless(id: string, type: Rule['type']): Rule {
  return {
    id,
    type,
    category: '',
    severity: 'medium',
    score: 0,
    view: 'raw',
    patterns: [],
    surfaces: [],
    message: '',
    owasp: '',
    atlas: null,
  };
}

/** A request that would have gone another way. */
export interface ChangedRequest {
  readonly requestId: string;
  readonly time: string;
  readonly keyId: string;
  readonly live: Action;
  readonly replayed: Action;
}

/** What a policy would have changed. */
export interface ReplayReport {
  readonly requests: number;
  /** Requests with more findings than their record has. */
  readonly incomplete: number;
  readonly live: Readonly<Record<Action, number>>;
  readonly replayed: Readonly<Record<Action, number>>;
  readonly changed: number;
  /** Newest first, so many at most. */
  readonly examples: readonly ChangedRequest[];
  /** Set where there were more requests than a replay reads: the time of the oldest one read. */
  readonly readBackTo: string | null;
}

const MAX_REQUESTS = 5_000;
const MAX_EXAMPLES = 50;

/** Decides anew about past requests, newest first; `replayFor` gives what decides about a key's. */
export async function replayAll(
  requests: AsyncIterable<PastRequest>,
  replayFor: (keyId: string) => Promise<Replay>,
): Promise<ReplayReport> {
  const live = noActions();
  const replayed = noActions();
  const examples: ChangedRequest[] = [];
  let [read, incomplete, changed] = [0, 0, 0];
  let oldest: string | null = null;
  for await (const request of requests) {
    if (read === MAX_REQUESTS)
      return { requests: read, incomplete, live, replayed, changed, examples, readBackTo: oldest };
    const { id: requestId, time, keyId, action } = request;
    const decided = (await replayFor(keyId)).decide(request);
    read += 1;
    oldest = time;
    live[action] += 1;
    replayed[decided] += 1;
    if (request.findingCount > request.findings.length) incomplete += 1;
    if (decided === action) continue;
    changed += 1;
    if (examples.length < MAX_EXAMPLES) examples.push({ requestId, time, keyId, live: action, replayed: decided });
  }
  return { requests: read, incomplete, live, replayed, changed, examples, readBackTo: null };
}

function noActions(): Record<Action, number> {
  return { allow: 0, flag: 0, redact: 0, block: 0 };
}
