import * as z from 'zod';
import { isRequestId } from '../base/request-id.ts';
import type { RequestRecord } from '../model/analytics.ts';
import { deploymentPolicySchema } from '../model/deployment-policy.ts';
import { type Action, THREAT_TYPES } from '../model/threat.ts';
import type { ReplayedRequest } from './replay.ts';

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

/** Body of `POST /admin/policy/replay`. */
export const replayRequestSchema = z
  .strictObject({
    policy: deploymentPolicySchema,
    /** Which policy it replaces. */
    as: z.enum(['deployment', 'key']).default('deployment').meta({
      description:
        "`deployment`: replaces the deployment's policy, under each key's. `key`: replaces the keys' policies, over the deployment's.",
    }),
    from: time.optional().meta({ description: 'Default: a day before `to`.' }),
    to: time.optional().meta({ description: 'Not included. Default: now.' }),
    keyId: z.string().min(1).max(128).optional().meta({ description: "Only this key's requests." }),
    requestId: z
      .string()
      .refine(isRequestId, { error: 'must be the id of a request' })
      .optional()
      .meta({ description: 'Only this request, whatever `from` and `to` are.' }),
    texts: z
      .boolean()
      .default(false)
      .meta({ description: 'Inspect again the texts that `capture: "full"` stored. The audit log records it.' }),
    cursor: z.string().max(512).optional().meta({
      description: 'The `nextCursor` of the page before. The range of that page applies, whatever is sent here.',
    }),
  })
  .meta({ id: 'ReplayRequest', description: 'A policy that is tried on past requests.' });
export type ReplayRequest = z.infer<typeof replayRequestSchema>;

const action = z.enum(['allow', 'flag', 'redact', 'block']);
const perAction = z.object({ allow: z.int(), flag: z.int(), redact: z.int(), block: z.int() });
const type = z.enum(THREAT_TYPES);
const keyId = z.string();
const change = { live: action, replayed: action };
const changed = { ...change, requests: z.int() };
const changedFindings = { ...change, findings: z.int() };

export const policyReplaySchema = z
  .object({
    object: z.literal('policy.replay'),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    requests: z.int().meta({ description: 'Requests that were decided again.' }),
    fromText: z
      .int()
      .meta({ description: 'Of these, those decided by their text; the others by their recorded findings.' }),
    incomplete: z.int().meta({ description: 'Of these, those with more findings than their record contains.' }),
    live: perAction.meta({ description: 'Requests by their action at that time.' }),
    replayed: perAction.meta({ description: 'Requests by their action under the policy.' }),
    changed: z.int().meta({ description: 'Requests whose action differs.' }),
    changes: z.array(z.object(changed)).meta({ description: 'The differences, the most frequent first.' }),
    keys: z.array(z.object({ keyId, ...changed })).meta({ description: 'The same by key.' }),
    types: z.array(z.object({ type, ...changedFindings })).meta({ description: 'Findings whose action differs.' }),
    rules: z.array(z.object({ rule: z.string(), type, ...changedFindings })).meta({ description: 'The same by rule.' }),
    examples: z
      .array(z.object({ requestId: z.string(), time: z.iso.datetime(), keyId, ...change }))
      .meta({ description: 'Requests whose action differs, newest first, at most 50.' }),
    nextCursor: z.string().nullable().meta({
      description: 'Set where there are more: one replay reads 5,000 records, or for 10 seconds.',
    }),
    unknown: z.array(z.string()).meta({ description: 'The limits of a replay, in sentences.' }),
  })
  .meta({ id: 'PolicyReplay', description: 'What a policy would have changed.' });
export type PolicyReplay = z.infer<typeof policyReplaySchema>;

export const MAX_EXAMPLES = 50;

/** What records do not contain, and a replay therefore cannot consider. */
export const UNKNOWN_TO_REPLAYS = [
  'Without stored texts, new rules, topics, and allowances by literal or pattern match nothing in past requests.',
  'Without stored texts, findings below the thresholds of the policy at that time, or of types that were off, are unknown.',
  "Without stored texts, findings in the operator's text count as a user's, except those in definitions.",
  'Without stored texts, a finding in encoded text of a response counts as one in plain text, which a policy may act on.',
  "A session's past, outside detectors and a canary's marker are not stored: a text is inspected again without them.",
  'A blocked request had no response, and one that a replay blocks would have had none.',
];

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

/** Counts what a policy would have changed. */
export class ReplayTally {
  private requests = 0;
  private fromText = 0;
  private incomplete = 0;
  private readonly live = noActions();
  private readonly replayed = noActions();
  private readonly changes = new Counts<Change>();
  private readonly keys = new Counts<Change & { keyId: string }>();
  private readonly rules = new Counts<Change & Pick<ReplayedRequest['findings'][number], 'rule' | 'type'>>();
  private readonly types = new Counts<Change & Pick<ReplayedRequest['findings'][number], 'type'>>();
  private readonly examples: PolicyReplay['examples'] = [];
  private changed = 0;

  add(record: RequestRecord, { action: replayed, findings }: ReplayedRequest, fromText: boolean): void {
    const { id: requestId, time, keyId, action: live } = record;
    this.requests += 1;
    if (fromText) this.fromText += 1;
    this.live[live] += 1;
    this.replayed[replayed] += 1;
    const told = Object.values(record.threats).reduce((sum, count) => sum + count, 0);
    const isIncomplete = told > record.findings.length;
    if (isIncomplete) this.incomplete += 1;
    // A finding in the text may be one that the record left out: that is no change.
    if (!(fromText && isIncomplete)) for (const finding of findings) this.addFinding(finding);
    if (live === replayed) return;
    this.changed += 1;
    this.changes.add({ live, replayed });
    this.keys.add({ keyId, live, replayed });
    if (this.examples.length < MAX_EXAMPLES) this.examples.push({ requestId, time, keyId, live, replayed });
  }

  toReport(): ReplayReport {
    const { requests, fromText, incomplete, live, replayed, changed, examples } = this;
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
    };
  }

  private addFinding({ rule, type, live, replayed }: ReplayedRequest['findings'][number]): void {
    if (live === replayed) return;
    this.rules.add({ rule, type, live, replayed });
    this.types.add({ type, live, replayed });
  }
}

function noActions(): Record<Action, number> {
  return { allow: 0, flag: 0, redact: 0, block: 0 };
}
