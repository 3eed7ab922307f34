import { inspectOutput, type OutputSettings } from '../inspection/index.ts';
import { toGatewayError } from '../kernel/errors/index.ts';
import type { RequestDocument } from '../kernel/json/index.ts';
import type { ChatRequest, Usage, Warning } from '../kernel/model/index.ts';
import { giveWayFor } from '../kernel/tasks/index.ts';
import { assumedCharges, type Protocol, type Target, type Targets, Translation } from '../translation/index.ts';
import { type Answer, type CallDeps, type CallRules, callProvider } from './call-provider.ts';
import type { InspectionDeps, PipelineDeps } from './pipeline-deps.ts';
import { inCallersFields, inCallersNames, inspectRefusal } from './provider-refusal.ts';
import type { Responding } from './request-outcome.ts';
import { type SignedTurns, withSigned } from './signed-reasoning.ts';

/** What a provider call needs to know. */
export interface ProviderRequest {
  readonly outgoing: { readonly request: ChatRequest; readonly document: RequestDocument };
  readonly targets: Targets;
  readonly route?: CallRules | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly unseen?: Usage | undefined;
  /** What targets have signed in earlier turns. */
  readonly signed?: SignedTurns | undefined;
  readonly inspection: OutputSettings;
}

/** A provider's response, and what the translation for it dropped or adjusted. */
export interface TranslatedAnswer extends Answer {
  /** Those so far: a streamed response may add some. */
  readonly warnings: () => readonly Warning[];
}

/** The provider's response. @throws GatewayError with the provider's refusal as the caller may see it */
export async function askProvider(
  responding: Responding,
  call: ProviderRequest,
  { operation, headers = {}, query, unbilled }: Pick<Protocol<unknown>, 'operation' | 'headers' | 'query' | 'unbilled'>,
  deps: CallDeps & InspectionDeps & Pick<PipelineDeps, 'router'>,
): Promise<TranslatedAnswer> {
  const { context, lifetime, progress } = responding;
  const { targets, route, maxOutputTokens: imposedMaxTokens, unseen } = call;
  const { request, document: source } = call.outgoing;
  await giveWayFor(source, deps.scheduler);
  const { model } = targets[0];
  const asked = deps.router.isNative(targets, operation)
    ? assumedCharges(source.value, { model, choiceCount: request.choiceCount })
    : {};
  progress.usage.sends(request, { unseen, isBilled: unbilled !== true, asked });
  const common = { request, source, operation, headers, query, imposedMaxTokens, signal: lifetime.signal };
  let translation: Translation | undefined;
  const callFor = (target: Target) => {
    translation = new Translation(target.provider, context.strictTranslation);
    return {
      ...common,
      request: withSigned(request, call.signed ?? new Map(), target),
      model: target.model,
      translation,
    };
  };
  try {
    const { calls, inspection } = progress;
    const calling = { trace: context.trace, key: context.key, lifetime, calls, inspection, route };
    const answer = await callProvider(calling, targets, callFor, deps);
    return { ...answer, warnings: () => inCallersFields(translation?.warnings ?? [], request) };
  } catch (thrown) {
    // A refusal is not billed; a call that was cut off may be.
    const { code, isBilled } = toGatewayError(thrown);
    if (lifetime.stopped === undefined && code !== 'provider_timeout' && !isBilled) progress.usage.refused();
    throw toRefusal(thrown, responding, call, deps);
  }
}

/** A provider's error as the caller may see it: with the caller's names of fields, its texts inspected as output. */
export function toRefusal(
  thrown: unknown,
  { progress, svc }: Responding,
  { outgoing: { request }, inspection: settings }: ProviderRequest,
  deps: InspectionDeps,
): unknown {
  const checks = inspectOutput(progress, settings, { streams: false }, deps);
  return inspectRefusal(inCallersNames(thrown, request), { inspection: progress.inspection, svc }, checks);
}
