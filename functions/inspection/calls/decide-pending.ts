import type { CallOrigin, RecordedToolCall } from '../../kernel/model/index.ts';
import type { InspectionReport } from '../report/index.ts';
import { argumentsOf, CALL_RULES } from '../tool-calls/index.ts';
import type { Decision, PlacedCall } from './call-gate.ts';
import { exceededBy, unknownSum } from './call-rules.ts';
import type { CallAmount, CallSums, PendingCall, ReservedSum } from './call-sums.ts';
import { type Doubt, placeOf, removalText, sentenceOf, shownName, startOfValue, valueAt } from './doubts.ts';
import type { SaidTexts } from './said-texts.ts';

/** A call that a person has to approve. */
export interface AskedCall extends Omit<PlacedCall, 'isHeld'> {
  /** Without `user` and `ordered` if the conversation is not known. */
  readonly origin: Pick<CallOrigin, 'call' | 'argument' | 'sources'> & Partial<Pick<CallOrigin, 'user' | 'ordered'>>;
  /** The doubtful value, or all arguments. */
  readonly value: string;
  /** The rule of the policy that it violates, and what is doubtful, without any value. */
  readonly policyRule: string | undefined;
  readonly reason: string;
  /** Its tool, and why it is doubtful with the start of the value: as a text to the client may contain them. */
  readonly shownName: string;
  readonly why: string;
}

/** The decision of a person, with the id of the approval. `text`: what the client reads instead of the call. */
export type Approval =
  | { readonly isApproved: true; readonly id: string }
  | {
      readonly isApproved: false;
      /** Absent if none could be asked for. */
      readonly id?: string;
      readonly text: string;
      readonly isDenied?: boolean;
    };

/** Asks for an approval. Never rejects. */
export type AskPerson = (call: AskedCall, said: SaidTexts) => Promise<Approval>;

/** Finds the denial of a call. @returns its approval and the text instead of it; undefined if it was not denied. Never rejects */
export type DenialOf = (
  call: Pick<AskedCall, 'name' | 'arguments' | 'shownName'>,
) => Promise<{ readonly id?: string; readonly text: string } | undefined>;

interface DecidingDeps {
  readonly report: Pick<InspectionReport, 'skipped'>;
  readonly sums?: CallSums | undefined;
  readonly approve?: AskPerson | undefined;
  readonly said: SaidTexts;
  /** Undefined if no call of the session was denied. */
  readonly denialOf?: DenialOf | undefined;
}

const DENIED: Doubt = {
  rule: { ...CALL_RULES.tool_policy, message: 'A tool call that was denied, or has the value of one that was.' },
  score: 0,
  action: 'block',
  argument: null,
  reason: 'was denied',
};
/** The text instead of a call if it is not known what was denied. */
export function notKnown(shownName: string): { readonly text: string } {
  return {
    text: `[The call of ${shownName} was not made: whether it was denied before could not be read. Try again later.]`,
  };
}

const SUMS = 'tool calls: sums of rules, since their store is unavailable';

/** What became of a call that waited, for the response and for its record. */
interface Decided {
  readonly decision: Decision;
  /** All of them, with their decisions. */
  readonly doubts: readonly Doubt[];
  readonly approval: RecordedToolCall['approval'];
}

/** Reserves the amounts of a call, and asks a person if one has to approve it. What it does not get is given back. */
export async function decidePending(
  call: PlacedCall,
  { amounts, doubt, doubts, originOf }: Pick<PendingCall, 'amounts' | 'doubt' | 'doubts' | 'originOf'>,
  deps: DecidingDeps,
): Promise<Decided> {
  const denial = call.isHeld ? await deps.denialOf?.({ ...call, shownName: shownName(call.name) }) : undefined;
  if (denial !== undefined) {
    const { id, text } = denial;
    const decision = { text, isBlocked: true };
    const isReported = doubts.some(({ action }) => action === 'ask');
    return {
      decision,
      doubts: [...doubts.map(decidedBy(decision)), ...(isReported ? [] : [DENIED])],
      approval: id === undefined ? undefined : { id },
    };
  }
  const reserved = await Promise.all(amounts.map((amount) => reserve(amount, deps)));
  const beyond = reserved.flatMap(({ beyond: one }) => one ?? []);
  const { refused, approval } = await decideByPerson(call, { doubts, beyond }, { doubt, originOf }, deps);
  if (refused !== undefined) for (const { sum } of reserved) sum.release();
  const onSent = () => {
    for (const { sum } of reserved) sum.sent();
  };
  return { decision: refused ?? { onSent }, doubts: [...doubts, ...beyond].map(decidedBy(refused)), approval };
}

async function reserve(
  amount: CallAmount,
  { sums, report }: DecidingDeps,
): Promise<{ readonly sum: ReservedSum; readonly beyond: Doubt | undefined }> {
  const sum = await (sums as CallSums).reserve(amount);
  if (sum.state === 'fits') return { sum, beyond: undefined };
  if (sum.state === 'exceeded') return { sum, beyond: exceededBy(amount, amount.per) };
  report.skipped(SUMS);
  return { sum, beyond: amount.action === 'flag' ? undefined : unknownSum(amount) };
}

type Refusal = Extract<Decision, { text: string }>;

/** The text instead of a call that may not be sent, and the approval that was asked for. */
async function decideByPerson(
  call: PlacedCall,
  { doubts, beyond }: Readonly<Record<'doubts' | 'beyond', readonly Doubt[]>>,
  { doubt: asked, originOf }: Pick<PendingCall, 'doubt' | 'originOf'>,
  deps: DecidingDeps,
): Promise<{ readonly refused?: Refusal; readonly approval?: Decided['approval'] }> {
  if (!call.isHeld) return {};
  const blocking = beyond.find(({ action }) => action === 'block');
  if (blocking !== undefined) return { refused: { text: removalText(call.name, blocking), isBlocked: true } };
  const doubt = asked ?? beyond.find(({ action }) => action === 'ask');
  if (doubt === undefined) return {};
  const asking = await ask(call, [doubt, ...doubts, ...beyond], originOf, deps);
  if (asking.isApproved) return { approval: { id: asking.id, releasedBy: 'operator' } };
  const { id, text, isDenied = false } = asking;
  return { refused: { text, isBlocked: isDenied }, ...(id !== undefined && { approval: { id } }) };
}

async function ask(
  call: PlacedCall,
  all: readonly [Doubt, ...Doubt[]],
  originOf: PendingCall['originOf'],
  { approve, said }: DecidingDeps,
): Promise<Approval> {
  const [doubt] = all;
  if (approve === undefined) return { isApproved: false, text: removalText(call.name, doubt) };
  const { id, name, arguments: written, field } = call;
  const { argument, policyRule, rule } = doubt;
  const args = argumentsOf(written);
  const found = argument === null ? undefined : valueAt(args, argument);
  const value = typeof found === 'string' ? found : JSON.stringify(found ?? args);
  const about = { origin: originFor(name, doubt, originOf), value, policyRule, reason: rule.message };
  const why = all
    .filter((one, at) => all.findIndex((other) => other.argument === one.argument) === at)
    .map((one) => sentenceOf(one, startOfValue(args, one), sourceOf(one, originOf)))
    .join(', and ');
  return approve({ id, name, arguments: written, field, ...about, shownName: shownName(name), why }, said);
}

/** Where the value of an argument that violates a rule is, if a third party has it. A finding says so itself. */
function sourceOf({ argument, policyRule }: Doubt, originOf: PendingCall['originOf']): string | undefined {
  if (argument === null || policyRule === undefined) return undefined;
  const [source] = originOf?.(argument)?.sources ?? [];
  return source && placeOf(source);
}

function originFor(call: string, { origin, argument }: Doubt, originOf: PendingCall['originOf']): AskedCall['origin'] {
  if (origin !== undefined) return origin;
  const found = originOf?.(argument);
  if (found === undefined) return { call, argument, sources: [] };
  return { call, argument, sources: found.sources, user: found.isFromUser, ordered: found.isOrdered };
}

/** A doubt after a person has decided: a call that was released is flagged, and one that was denied is blocked. */
function decidedBy(refused: Refusal | undefined): (doubt: Doubt) => Doubt {
  const action = refused === undefined ? 'flag' : refused.isBlocked ? 'block' : 'ask';
  return (doubt) => (doubt.action === 'ask' ? { ...doubt, action } : doubt);
}
