import { codesIn } from '../control/approvals/index.ts';
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
  return async ({ id, name, arguments: written, field, origin, shownName, why }) => {
    const asked = await approvals.request({
      keyId: key.id,
      environment: environmentOf(tracking.environment ?? key.environment),
      sessionId: sessionIdOf(context, outcome),
      endUserId: tracking.endUserId,
      requestId,
      field,
      origin,
      call: { id, name, arguments: written },
    });
    switch (asked.state) {
      case 'approved':
        return 'approved';
      case 'denied':
        return { text: `[The call of ${shownName} was denied: ${why}.]`, isDenied: true };
      case 'unavailable':
        return {
          text: `[The call of ${shownName} needs an approval, and asking for it failed: ${why}. Try again later.]`,
        };
      case 'pending': {
        const { code, expiresAt } = asked;
        outcome.inspection.asked({ id: asked.id, call: shownName, expiresAt });
        return { text: waitingText(shownName, why, code) };
      }
    }
  };
}

/** What the client reads instead of a call that waits. It comes back with the next request, so inspection must not take it for an attack. */
export function waitingText(tool: string, why: string, code: string): string {
  return `[The call of ${tool} was not made and waits for an approval: ${why}. Ask the user before you try again. If it is wanted, the user enters the code ${code} within 60 minutes.]`;
}

/**
 * The response to a message in which the user has written the code of an approval: the approved call, exactly once, and without a call of the provider.
 * Undefined if it has none. A code in pasted text does not count.
 */
export async function approvedAnswer(
  context: RequestContext,
  outcome: Pick<Outcome, 'session'>,
  { stream, model }: Pick<ChatRequest, 'stream' | 'model'>,
  { calls, target }: { readonly calls: Pick<CallInspector, 'userWrote' | 'release'>; readonly target: Target },
  { approvals }: Pick<PipelineDeps, 'approvals'>,
): Promise<TranslatedAnswer | undefined> {
  const userWrote = await calls.userWrote((text) => codesIn(text).length > 0);
  for (const code of codesIn(userWrote)) {
    const found = await approvals.redeem(context.key.id, sessionIdOf(context, outcome), code);
    if (found === undefined) continue;
    await calls.release(found);
    const call = { ...found, id: found.id ?? `call_${randomHex(24)}` };
    const id = `chatcmpl-${context.requestId.slice('req_'.length)}`;
    if (!stream)
      return {
        target,
        warnings: () => [],
        response: { kind: 'translated', completion: completionOf(call, id, model) },
      };
    return { target, warnings: () => [], response: { kind: 'translated-stream', deltas: deltasOf(call, id, model) } };
  }
  return undefined;
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

function completionOf(call: ToolCall, id: string, model: string): ChatCompletion {
  const choice = { index: 0, text: null, toolCalls: [call], finishReason: 'tool_calls' } as const;
  return { id, model, choices: [choice], usage: NO_USAGE };
}

async function* deltasOf({ id: callId, name, arguments: text }: ToolCall, id: string, model: string) {
  const place = { choice: 0, index: 0 };
  const deltas: ChatDelta[] = [
    { type: 'start', id, model },
    { type: 'tool_call', ...place, id: callId, name },
    { type: 'tool_arguments', ...place, text },
    { type: 'finish', choice: 0, reason: 'tool_calls' },
    { type: 'usage', usage: NO_USAGE },
  ];
  yield deltas;
}
