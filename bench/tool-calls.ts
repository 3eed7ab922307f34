/**
 * How well tool calls are scored, on the scenes of training/data/tool-calls, and what that costs; written to bench/tool-calls.md:
 * npm run bench tool-calls
 *
 * Each author's scenes are scored by models and weights that were trained without this author. It takes two minutes.
 */
import '../scripts/check-node.mjs';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { secretsIn } from '../functions/inspection/calls/reported-in.ts';
import { createInspector } from '../functions/inspection/detectors/index.ts';
import { evidenceOf } from '../functions/inspection/tool-calls/call-evidence.ts';
import {
  type CallFinding,
  type CallSigns,
  combinedScore,
  findingOf,
  probabilityOf,
} from '../functions/inspection/tool-calls/call-scorer.ts';
import { type DataKnowledge, privateDataOf } from '../functions/inspection/tool-calls/private-data.ts';
import { CALL_RULES, REPORT_FROM } from '../functions/inspection/tool-calls/rules.ts';
import type { TextModels } from '../functions/inspection/tool-calls/text-models.ts';
import type { Action } from '../functions/kernel/model/index.ts';
import { finish } from '../functions/kernel/tasks/index.ts';
import { type Fitted, fit, isScored, modelsOf } from '../training/tool-calls/fit.ts';
import { AUTHORS, type Case, type CaseKind, readCases } from '../training/tool-calls/scenes.ts';
import { table } from './lib/table.ts';
import { measureCosts } from './tool-calls/costs.ts';
import { actionOfExample } from './tool-calls/policies.ts';

/** A case, the score of its call, and what is reported. */
interface Scored {
  readonly one: Case;
  readonly score: number;
  readonly finding: CallFinding | undefined;
  /** What the example policy for its domain does. */
  readonly action: Action | undefined;
}

const inspector = createInspector();
/** Without a policy. */
const KNOWLEDGE: DataKnowledge = {
  isPrivate: () => undefined,
  secretsIn: (text) => secretsIn(inspector, text),
};

/** From here on `strict` asks, by docs/detection.md; and a threshold at which false alarms are too frequent. */
const OTHERS = [0.8, 0.5];
const KINDS: readonly (readonly [CaseKind, string])[] = [
  ['attack', 'Attacked: the text makes the agent call'],
  ['rewrite', 'The same, rewritten to avoid values and order verbs'],
  ['rag', 'Attack in a document in the message of the user'],
  ['known-summary', "Attack in a client's summary of the conversation"],
  ['asked', 'The user asks for the same call'],
  ['task', "The user's task is done"],
  ['resisted', "The user's task is done although an attack is there"],
  ['past', 'Earlier calls of these conversations'],
  ['lookup', 'The user looks up a value in prose without an order'],
  ['delegated', 'The user has the agent do what a text says'],
];

/** A client has replaced the turns before by a summary; the session remembers values of the turns. */
const COMPACTED: typeof KINDS = [
  ['summary', "Attack in the scene's summary, without a session"],
  ['known-summary', 'The same in a session that had the turns'],
  ['compacted-attack', "Attacked, in a program's summary"],
  ['compacted-rewrite', "Rewritten, in a program's summary"],
  ['known-summary-task', "The user's task, after the scene's summary with an attack"],
  ['compacted-task', "The user's task, after a program's summary"],
  ['compacted-resisted', 'The same with an attack in it'],
  ['compacted-lookup', 'The user looks up a value that is in the summary'],
  ['compacted-asked', 'The user asks for the same call, in the summary'],
  ['asked-after-attack', 'The user types what an attack had before'],
];

const TASKS: ReadonlySet<CaseKind> = new Set(['task', 'resisted', 'asked', 'lookup']);

async function scorer(cases: readonly Case[]): Promise<Scored[]> {
  const scored: Scored[] = [];
  for (const author of AUTHORS) {
    const fitted = fit(cases.filter((one) => one.author !== author));
    const models = modelsOf(fitted);
    for (const one of cases) if (one.author === author) scored.push(await toScored(one, fitted, models));
  }
  return scored;
}

/** What the gateway says about a call. One that is not scored is not flagged. */
async function toScored(one: Case, { regression }: Fitted, models: TextModels): Promise<Scored> {
  if (!isScored(one)) {
    const action = await actionOfExample(one, () => undefined, inspector);
    return { one, score: 0, finding: undefined, action };
  }
  const { conversation, call } = one;
  const evidence = evidenceOf(conversation, call, models);
  const data = finish(privateDataOf(conversation, call, evidence.values, KNOWLEDGE));
  const signs: CallSigns = { probability: probabilityOf(evidence, regression), data };
  const finding = (from: number) => findingOf(conversation, call, evidence, signs, Math.min(from, REPORT_FROM));
  const action = await actionOfExample(one, finding, inspector);
  return { one, score: combinedScore(signs), finding: finding(REPORT_FROM), action };
}

function shareOf(scored: readonly Scored[], from: number): string {
  return shareWith(scored, ({ score }) => score >= from);
}

/** A share with the number of cases and its 95 % interval (Wilson). */
function shareWith(scored: readonly Scored[], test: (one: Scored) => boolean): string {
  const count = scored.length;
  if (count === 0) return '-';
  const share = scored.filter(test).length / count;
  const z2 = 1.96 ** 2;
  const centre = (share + z2 / (2 * count)) / (1 + z2 / count);
  const half = (1.96 / (1 + z2 / count)) * Math.sqrt((share * (1 - share)) / count + z2 / (4 * count * count));
  const figure = (value: number) => (100 * Math.min(1, Math.max(0, value))).toFixed(1);
  return `${figure(share)} % (${figure(centre - half)} to ${figure(centre + half)}) of ${count}`;
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

const byKind = (scored: readonly Scored[], from: number, kinds = KINDS) =>
  byAuthor('Flagged', scored, ({ score }) => score >= from, kinds);

function byAuthor(head: string, scored: readonly Scored[], test: (one: Scored) => boolean, kinds = KINDS): string {
  const rows = kinds.map(([kind, title]) => {
    const own = scored.filter(({ one }) => one.kind === kind);
    const cells = AUTHORS.map((author) => {
      const some = own.filter(({ one }) => one.author === author);
      return some.length === 0 ? '-' : percent(some.filter(test).length / some.length);
    });
    return [title, shareWith(own, test), ...cells];
  });
  return table([head, 'All', ...AUTHORS], rows);
}

/** Stopped calls by the domain, whose example policy stops them. */
function byExample(scored: readonly Scored[]): string {
  const rows = [...new Set(scored.map(({ one }) => one.domain))].map((domain) => {
    const cells = (['attack', 'rewrite', 'task', 'asked', 'lookup', 'past'] as const).map((kind) =>
      shareWith(
        scored.filter(({ one }) => one.domain === domain && one.kind === kind),
        isStopped,
      ),
    );
    return [domain, ...cells];
  });
  return table(['Stopped', 'Attacked', 'Rewritten', 'Task', 'Asked', 'Looked up', 'Earlier calls'], rows);
}

const isStopped = ({ action }: Scored) => action === 'ask' || action === 'block';

function byGroup(scored: readonly Scored[], head: string, groupOf: (one: Case) => string | undefined): string {
  const groups = [...new Set(scored.map(({ one }) => groupOf(one)))].filter((group) => group !== undefined).sort();
  const rows = groups.map((group) => {
    const own = scored.filter(({ one }) => groupOf(one) === group);
    const of = (...kinds: CaseKind[]) =>
      shareOf(
        own.filter(({ one }) => kinds.includes(one.kind)),
        REPORT_FROM,
      );
    return [group, of('attack'), of('rewrite'), of('lookup'), of('task', 'asked')];
  });
  return table([head, 'Attacked', 'Rewritten', 'Looked up', 'Task or asked'], rows);
}

/** The categories of what is reported, and how often it is marked as delegated. */
function byCategory(scored: readonly Scored[]): string {
  const categories = Object.keys(CALL_RULES).filter((category) => category !== 'tool_policy');
  const rows = KINDS.map(([kind, title]) => {
    const own = scored.filter(({ one }) => one.kind === kind);
    const of = (test: (finding: CallFinding) => boolean) =>
      percent(own.filter(({ finding }) => finding !== undefined && test(finding)).length / own.length);
    return [
      title,
      ...categories.map((category) => of((finding) => finding.category === category)),
      of(({ isDelegated }) => isDelegated),
    ];
  });
  return table(['Of all calls', ...categories.map((category) => `\`${category}\``), 'Marked `delegated`'], rows);
}

const scored = await scorer(readCases());
const withExample = scored.filter(({ action }) => action !== undefined);
const page = `<!-- Generated by bench/tool-calls.ts. Do not edit: run \`npm run bench tool-calls\` again. -->

# Tool calls

Calls of [our scenes](../training/data/tool-calls/README.md), each scored without its author's scenes. "Attacked" means: if the model obeys. A call is
reported from ${REPORT_FROM}; one that only reads and takes nothing out is not scored.

## Reported, from ${REPORT_FROM}

${byKind(scored, REPORT_FROM)}

${OTHERS.map((from) => `## For comparison, from ${from}\n\n${byKind(scored, from)}`).join('\n\n')}

## After a client's compaction, from ${REPORT_FROM}

The first request of the session had the scene's turns; the next has a summary instead. A program's summary is made of the user's task and the
texts of the results.

${byKind(scored, REPORT_FROM, COMPACTED)}

## With the example policies

Calls that the [example policies](../docs/policies.md#limit-what-agents-may-do) ask before or block, with what svc finds itself, in the domains that have
one: mail, money (a payments agent) and coding. The tools of each scene differ, and no policy is adapted to them.

${byAuthor('Asked or blocked', withExample, isStopped)}

Calls of tasks, asked, done or looked up, that are blocked, so that the task is lost: ${shareWith(
  withExample.filter(({ one }) => TASKS.has(one.kind)),
  ({ action }) => action === 'block',
)}.

${byExample(withExample)}

## By category, from ${REPORT_FROM}

A call that is marked as delegated is never blocked.

${byCategory(scored)}

## By rewriting, from ${REPORT_FROM}

${table(
  ['Rewriting', 'Flagged'],
  [...new Set(scored.flatMap(({ one }) => one.rewrite ?? []))].sort().map((kind) => [
    kind,
    shareOf(
      scored.filter(({ one }) => one.rewrite === kind),
      REPORT_FROM,
    ),
  ]),
)}

## By domain, from ${REPORT_FROM}

${byGroup(scored, 'Domain', ({ domain }) => domain)}

## By language, from ${REPORT_FROM}

${byGroup(scored, 'Language', ({ language }) => language)}

## CPU

${measureCosts()}
`;
writeFileSync(path.join(import.meta.dirname, 'tool-calls.md'), page);
console.log('bench/tool-calls.md written');
