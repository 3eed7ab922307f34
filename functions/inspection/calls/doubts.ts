import {
  type Action,
  type CallOrigin,
  type Reason,
  type ThreatLocation,
  usualPath,
  withoutUnusualNames,
} from '../../kernel/model/index.ts';
import type { Rule } from '../matching/index.ts';
import type { InspectionReport } from '../report/index.ts';
import { type CallFinding, readExactJson } from '../tool-calls/index.ts';

const NAME = /^\w[\w.-]{0,99}(?:\/[\w.-]{1,100})?$/;

type SecurityReport = InspectionReport['findings'];

/** Why a call may not be sent. */
export interface Doubt {
  readonly rule: Rule;
  readonly score: number;
  readonly action: Exclude<Action, 'allow' | 'redact'>;
  /** Path of the doubtful argument; null if the call as a whole is. */
  readonly argument: string | null;
  /** As the end of a sentence about the argument or the call. It repeats no value. */
  readonly reason: string;
  /** Where its values come from; undefined if only a rule of the policy forbids it. */
  readonly origin?: CallOrigin | undefined;
  readonly reasons?: readonly Reason[] | undefined;
  /** The rule of the policy that the call violates; undefined for another doubt. */
  readonly policyRule?: string | undefined;
  /** What to do instead, as a sentence. Default: to ask the user. */
  readonly advice?: string | undefined;
}

/** A doubt about where a call comes from. */
export function ofFinding(call: string, found: CallFinding, action: Doubt['action']): Doubt {
  const { rule, score, isFromUser: user, sources, isOrdered: ordered } = found;
  // Of arguments that are no object the call as a whole is doubtful.
  const argument = found.argument || null;
  return {
    rule,
    score,
    action: actionFor(found, action),
    argument,
    reason: reasonOf(found),
    // A model or a third party may have chosen the names.
    origin: withoutUnusualNames({ call, argument, user, sources: [...sources], ordered }),
    ...(found.isDelegated && { reasons: ['delegated'] }),
  };
}

function actionFor({ isDelegated, hasSecret }: CallFinding, action: Doubt['action']): Doubt['action'] {
  // A user who leaves it to a document what to do may mean just that.
  if (isDelegated) return action === 'block' ? 'flag' : action;
  return hasSecret && action === 'ask' ? 'block' : action;
}

/** Adds the finding of a doubt to a report. `where`: the place of the call's arguments. */
export function addDoubt(
  report: SecurityReport,
  { rule, score, argument, origin, reasons, policyRule }: Doubt,
  action: Action,
  where: Pick<ThreatLocation, 'part' | 'message' | 'field'>,
): void {
  const inside = argument === null ? '' : `${argument.startsWith('[') ? '' : '.'}${usualPath(argument)}`;
  const field = `${where.field}${inside}`;
  const finding = { rule, score, start: 0, end: 0, decodedFrom: [] };
  report.add(finding, action, { ...where, field, start: 0, end: 0 }, { origin, reasons, policyRule });
}

/** A name of a tool as a text may contain it: a client may show the text as Markdown, and a model chose the name. */
export function shownName(name: string): string {
  return NAME.test(name) ? name : 'a tool';
}

function reasonOf({ category, hasSecret, sources: [source] }: CallFinding): string {
  if (source === undefined) return 'is not in what the user wrote';
  const from = placeOf(source);
  if (category === 'private_data_out')
    return `is not in what the user wrote, and ${hasSecret ? 'a secret' : 'data'} of ${from} would go there`;
  return `comes from ${from} and not from the user`;
}

/** The place of a value, as a part of a sentence. */
export function placeOf({ tool, earlier }: CallFinding['sources'][number]): string {
  if (earlier) return 'an earlier result';
  return tool === null ? 'a document' : `the result of ${shownName(tool)}`;
}

/**
 * The sentence about a doubt. `value`: that of the argument, as code, so that no client shows it as an image or a link. `source`: where a third
 * party has it.
 */
export function sentenceOf({ argument, reason }: Doubt, value?: string, source?: string): string {
  if (argument === null) return `it ${reason}`;
  const shown = value === undefined ? '' : ` (\`${value.replaceAll('`', "'")}\`)`;
  const of = source === undefined ? '' : `, from ${source},`;
  return `its argument "${usualPath(argument)}"${shown}${of} ${reason}`;
}

const MAX_SHOWN = 200;

/** The start of the value at the doubtful argument, as one line; undefined if the call as a whole is doubtful. */
export function startOfValue(args: unknown, { argument }: Doubt): string | undefined {
  if (argument === null) return undefined;
  const value = valueAt(args, argument);
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.slice(0, MAX_SHOWN).replace(/\s/g, ' ');
}

/** The value at a path such as `items[0].price`, also in JSON within a text; undefined if there is none. */
export function valueAt(root: unknown, path: string): unknown {
  const steps = path.split(/[.[\]]/).filter((step) => step !== '');
  return steps.reduce<unknown>((one, step) => {
    const node = Object(typeof one === 'string' ? readExactJson(one) : one);
    return Object.hasOwn(node, step) ? node[step] : undefined;
  }, root);
}

/** What the client and its model read instead of a blocked call: where the doubt comes from, without any value. */
export function removalText(tool: string, doubt: Doubt): string {
  return `[The call of ${shownName(tool)} was blocked by the security policy: ${sentenceOf(doubt)}. ${doubt.advice ?? 'Ask the user before you try again.'}]`;
}
