import type { CallOrigin } from '../../kernel/model/index.ts';
import type { InspectionReport } from '../report/index.ts';
import { argumentsOf } from '../tool-calls/index.ts';
import type { Decision, PlacedCall } from './call-gate.ts';
import { exceededBy, unknownSum } from './call-rules.ts';
import type { CallAmount, CallSums, PendingCall, ReservedSum } from './call-sums.ts';
import { type Doubt, removalText, sentenceOf, shownName, startOfValue, valueAt } from './doubts.ts';

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

/** The decision of a person. `text`: what the client reads instead of the call. */
export type Approval = 'approved' | { readonly text: string; readonly isDenied?: boolean };

/** Asks for an approval. Never rejects. */
export type AskPerson = (call: AskedCall) => Promise<Approval>;

interface DecidingDeps {
  readonly report: Pick<InspectionReport, 'skipped'>;
  readonly sums?: CallSums | undefined;
  readonly approve?: AskPerson | undefined;
}

const SUMS = 'tool calls: sums of rules, since their store is unavailable';

/**
 * Reserves the amounts of a call, and asks a person if one has to approve it. What it does not get is given back.
 * @returns the decision, and all doubts with their decisions
 */
export async function decidePending(
  call: PlacedCall,
  { amounts, doubt, doubts, originOf }: Pick<PendingCall, 'amounts' | 'doubt' | 'doubts' | 'originOf'>,
  deps: DecidingDeps,
): Promise<{ readonly decision: Decision; readonly doubts: readonly Doubt[] }> {
  const reserved = await Promise.all(amounts.map((amount) => reserve(amount, deps)));
  const beyond = reserved.flatMap(({ beyond: one }) => one ?? []);
  const refused = await refusalOf(call, beyond, { doubt, originOf }, deps);
  if (refused !== undefined) for (const { sum } of reserved) sum.release();
  const onSent = () => {
    for (const { sum } of reserved) sum.sent();
  };
  return { decision: refused ?? { onSent }, doubts: [...doubts, ...beyond].map(decidedBy(refused)) };
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

/** The text instead of a call that may not be sent. */
async function refusalOf(
  call: PlacedCall,
  beyond: readonly Doubt[],
  { doubt: asked, originOf }: Pick<PendingCall, 'doubt' | 'originOf'>,
  deps: DecidingDeps,
): Promise<Refusal | undefined> {
  if (!call.isHeld) return undefined;
  const blocking = beyond.find(({ action }) => action === 'block');
  if (blocking !== undefined) return { text: removalText(call.name, blocking), isBlocked: true };
  const doubt = asked ?? beyond.find(({ action }) => action === 'ask');
  const approval = doubt === undefined ? 'approved' : await ask(call, doubt, originOf, deps);
  return approval === 'approved' ? undefined : { text: approval.text, isBlocked: approval.isDenied === true };
}

async function ask(
  call: PlacedCall,
  doubt: Doubt,
  originOf: PendingCall['originOf'],
  { approve }: DecidingDeps,
): Promise<Approval> {
  if (approve === undefined) return { text: removalText(call.name, doubt) };
  const { id, name, arguments: written, field } = call;
  const { argument, policyRule, rule } = doubt;
  const args = argumentsOf(written);
  const found = argument === null ? undefined : valueAt(args, argument);
  const value = typeof found === 'string' ? found : JSON.stringify(found ?? args);
  const about = { origin: originFor(name, doubt, originOf), value, policyRule, reason: rule.message };
  const why = sentenceOf(doubt, startOfValue(args, doubt));
  return approve({ id, name, arguments: written, field, ...about, shownName: shownName(name), why });
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
