import { codesIn, readReply } from '../control/approvals/index.ts';
import type { CallInspector } from '../inspection/index.ts';
import { randomHex } from '../kernel/crypto/index.ts';
import {
  type ChatCompletion,
  type ChatDelta,
  type ChatRequest,
  environmentOf,
  type ToolCall,
} from '../kernel/model/index.ts';
import type { Target } from '../translation/index.ts';
import type { TranslatedAnswer } from './ask-provider.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';
import { type Outcome, sessionIdOf } from './request-outcome.ts';

type Approve = NonNullable<ConstructorParameters<typeof CallInspector>[2]['approve']>;

/** Asks people about tool calls of a response. The text instead of a call that waits has the code that releases it. */
export function approver(
  context: RequestContext,
  outcome: Pick<Outcome, 'inspection' | 'session'>,
  { approvals }: Pick<PipelineDeps, 'approvals'>,
): Approve {
  const { key, tracking, requestId } = context;
  return async ({ id, name, arguments: written, field, shownName, why, ...doubt }, said) => {
    const asked = await approvals.request({
      keyId: key.id,
      teamId: key.teamId ?? undefined,
      environment: environmentOf(tracking.environment ?? key.environment),
      sessionId: sessionIdOf(context, outcome),
      endUserId: tracking.endUserId,
      requestId,
      field,
      ...doubt,
      call: { id, name, arguments: written },
      said: () => said.byAssistant(false),
    });
    switch (asked.state) {
      case 'approved':
        return { isApproved: true, id: asked.id };
      case 'denied': {
        const text = `[The call of ${shownName} was denied: ${why}.]`;
        return { isApproved: false, id: asked.id, text, isDenied: true };
      }
      case 'unavailable':
        return {
          isApproved: false,
          text: `[The call of ${shownName} needs an approval, and asking for it failed: ${why}. Try again later.]`,
        };
      case 'pending': {
        const { code, expiresAt } = asked;
        outcome.inspection.asked({ id: asked.id, call: shownName, expiresAt });
        return { isApproved: false, id: asked.id, text: waitingText(shownName, why, code) };
      }
    }
  };
}

type Denials = NonNullable<ConstructorParameters<typeof CallInspector>[2]['denials']>;

/** Looks up what was denied in the session of a request. */
export function denials(
  context: RequestContext,
  outcome: Pick<Outcome, 'session'>,
  { approvals }: Pick<PipelineDeps, 'approvals'>,
): Denials {
  return async (said) => {
    const find = await approvals.denials(context.key.id, sessionIdOf(context, outcome), () => said.byAssistant(false));
    if (find === undefined || find === 'unknown') return find;
    return async ({ shownName, ...call }) => {
      const id = await find(call);
      return id === undefined ? undefined : { id, text: deniedText(shownName) };
    };
  };
}

function deniedText(tool: string): string {
  return `[The call of ${tool} was denied: it, or a call with the same value, was denied before.]`;
}

/** What the client reads instead of a call that waits. It comes back with the next request, so inspection must not take it for an attack. */
export function waitingText(tool: string, why: string, code: string): string {
  return `[The call of ${tool} was not made and waits for an approval: ${why}. Ask the user before you try again. If it is wanted, the user replies with the code ${code} alone, or with "yes" and the code, within 60 minutes. Other words release nothing; "no" denies the call.]`;
}

type Calls = Pick<CallInspector, 'said' | 'release'>;

/**
 * The response to a message in which the user has entered codes of approvals: the approved calls, each exactly once, and without a call of the
 * provider. Undefined if it has none. A code in pasted text does not count, nor one among other words.
 */
export async function approvedAnswer(
  context: RequestContext,
  outcome: Pick<Outcome, 'session'>,
  { stream, model }: Pick<ChatRequest, 'stream' | 'model'>,
  { calls, target }: { readonly calls: Calls; readonly target: Target },
  { approvals }: Pick<PipelineDeps, 'approvals'>,
): Promise<TranslatedAnswer | undefined> {
  const mayReply = (text: string) => codesIn(text).length > 0 || readReply(text) !== undefined;
  const reply = readReply(await calls.said.byUser(mayReply));
  if (reply === undefined) return undefined;
  const sessionId = sessionIdOf(context, outcome);
  const codes = decidedCodes(reply, sessionId, calls.said);
  if (reply.decision === 'deny') {
    await approvals.deny(context.key.id, sessionId, codes);
    return undefined;
  }
  const found = await approvals.redeem(context.key.id, sessionId, codes);
  if (found.length === 0) return undefined;
  for (const call of found) await calls.release(call);
  const made = found.map(({ approvalId: _, ...call }) => ({ ...call, id: call.id ?? `call_${randomHex(24)}` }));
  const id = `chatcmpl-${context.requestId.slice('req_'.length)}`;
  if (!stream)
    return { target, warnings: () => [], response: { kind: 'translated', completion: completionOf(made, id, model) } };
  return { target, warnings: () => [], response: { kind: 'translated-stream', deltas: deltasOf(made, id, model) } };
}

/**
 * The codes that a reply is about. Without a session, only those that the assistant has shown in this conversation: other conversations of the
 * key have no session either.
 */
function decidedCodes(
  { decision, codes }: NonNullable<ReturnType<typeof readReply>>,
  sessionId: string | null,
  said: Calls['said'],
): readonly string[] {
  if (codes.length === 0 && decision === 'deny') return [...said.byAssistant(true)].flatMap(codesIn);
  if (sessionId !== null) return codes;
  const shown = [...said.byAssistant(false)];
  return codes.filter((code) => shown.some((text) => text.includes(code)));
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

function completionOf(toolCalls: readonly ToolCall[], id: string, model: string): ChatCompletion {
  const choice = { index: 0, text: null, toolCalls, finishReason: 'tool_calls' } as const;
  return { id, model, choices: [choice], usage: NO_USAGE };
}

async function* deltasOf(calls: readonly ToolCall[], id: string, model: string) {
  const deltas: ChatDelta[] = [
    { type: 'start', id, model },
    ...calls.flatMap(({ id: callId, name, arguments: text }, index): ChatDelta[] => [
      { type: 'tool_call', choice: 0, index, id: callId, name },
      { type: 'tool_arguments', choice: 0, index, text },
    ]),
    { type: 'finish', choice: 0, reason: 'tool_calls' },
    { type: 'usage', usage: NO_USAGE },
  ];
  yield deltas;
}
