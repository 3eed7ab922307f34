import {
  CallInspector,
  InspectionReport,
  inspectInput,
  inspectInputNow,
  inspectResponse,
  type Policy,
  policyOf,
  Redaction,
  type TextInspector,
  underPolicy,
} from '../inspection/index.ts';
import { toParam } from '../kernel/errors/index.ts';
import { type JsonDocument, type JsonPath, spliceJson } from '../kernel/json/index.ts';
import type { DetectedThreat, PolicySettings } from '../kernel/model/index.ts';
import { CpuBudget, finish, runInSlices, type Steps } from '../kernel/tasks/index.ts';
import { type McpItem, type McpMessage, mcpTexts } from '../translation/index.ts';
import type { InspectionDeps, PipelineDeps } from './pipeline-deps.ts';
import type { Outcome } from './request-outcome.ts';
import { captureInput } from './transcript.ts';

type CallDeps = Pick<ConstructorParameters<typeof CallInspector>[2], 'sender' | 'memory' | 'sums' | 'policy'>;
type Progress = Pick<Outcome, 'inspection' | 'times' | 'recording'>;

/** A call, as its server gets it. */
interface InspectedCall {
  /** `server/tool` */
  readonly tool: string;
  readonly message: McpMessage;
  /** What the rules of the policy decide by. */
  readonly args: object;
}

const trustedSettings = new WeakMap<PolicySettings, PolicySettings>();

/** The policy for arguments to a trusted server: secrets and personal data may be sent to it. */
export function trustedPolicy(settings: PolicySettings): Policy {
  const off = { action: 'off' } as const;
  const known = trustedSettings.get(settings) ?? { ...settings, output: { ...settings.output, pii: off, secret: off } };
  trustedSettings.set(settings, known);
  return policyOf(known);
}

/**
 * Inspects the arguments of a call as a response of a model, and the call by the rules of the policy. Nothing is changed.
 * @returns why it is blocked; undefined if it is not
 */
export async function inspectMcpCall(
  progress: Progress,
  { tool, message, args }: InspectedCall,
  { policy, ...call }: CallDeps,
  deps: Pick<InspectionDeps, 'inspector' | 'scheduler' | 'inspectionCpuMs'>,
  refusal: AbortSignal,
): Promise<{ readonly calls: CallInspector; readonly blocked: string | undefined }> {
  const { inspection: report, times } = progress;
  const { scheduler, inspector, inspectionCpuMs } = deps;
  const startedAt = times.now;
  const budget = new CpuBudget(inspectionCpuMs, refusal);
  const { texts } = await runInSlices(mcpTexts(message.params, 'params', 'assistant'), scheduler);
  const ids = typeof message.id === 'string' ? [{ path: ['id'], text: message.id }] : [];
  const sent = [...texts, ...ids].map(({ path, text }) => ({ text, field: toParam(path), call: 'client' as const }));
  const response = await runInSlices(inspectResponse({ texts: sent }, policy, inspector, report), scheduler, budget);
  report.inspectedOutput('params');
  if (budget.isSpent) response.addUnfinished(inspectionCpuMs);
  // The conversation before the call is not known.
  const calls = new CallInspector({ messages: [] }, false, { ...call, policy, report, scheduler, inspector });
  await calls.prepare();
  const placed = {
    id: null,
    name: tool,
    arguments: JSON.stringify(args),
    field: 'params.arguments',
    isHeld: true,
  };
  const verdict = await runInSlices(calls.inspect(placed), scheduler);
  const decision =
    typeof verdict === 'object' && 'pending' in verdict ? await calls.decide(placed, verdict.pending) : verdict;
  times.spent('inspect', startedAt);
  refusal.throwIfAborted();
  if (typeof decision === 'object' && 'text' in decision) return { calls, blocked: decision.text };
  if (report.findings.action === 'block')
    return { calls, blocked: 'The security policy of this API key blocks the arguments of this call.' };
  if (typeof decision === 'object') decision.onSent();
  return { calls, blocked: undefined };
}

type ResultInput = Omit<Parameters<typeof inspectInput>[1], 'document' | 'own'>;
type OutsideRequest = Parameters<Awaited<ReturnType<typeof inspectInput>>['ask']>[0];

/** A part of a server's message. */
export interface ServerText {
  readonly document: JsonDocument;
  readonly member: 'result' | 'error' | 'params';
  /** Whether the capture of the request shows it. */
  readonly isCaptured?: boolean;
}

/**
 * Inspects what a server wrote as third-party text.
 * @returns its text with redactions; undefined if the policy blocks it
 */
export async function inspectServerText(
  progress: Progress,
  { document, member, isCaptured = false }: ServerText,
  input: ResultInput,
  asking: OutsideRequest,
  deps: InspectionDeps & Pick<PipelineDeps, 'scheduler'>,
): Promise<string | undefined> {
  const value = (document.value as Readonly<Record<string, unknown>>)[member];
  const own = await runInSlices(mcpTexts(value, member, 'tool'), deps.scheduler);
  const inspected = await inspectInput(progress, { ...input, document, own }, deps);
  const { withheld } = await inspected.addOutside(progress, inspected.ask(asking, deps.outside));
  if (isCaptured) captureInput(progress.recording.transcript, document, inspected);
  if (inspected.blockedBy !== undefined || inspected.unfinished || withheld) return undefined;
  return spliceJson(document.text, inspected.edits);
}

/** A definition of a server, also as text. */
type Definition = Pick<McpItem, 'definition' | 'json'>;

/**
 * Inspects definitions as third-party text: all together, once, under one limit of CPU time.
 * @returns the JSON of each with redactions; undefined for one that the policy blocks, or that was not inspected in full if it blocks then
 */
export async function inspectListed(
  progress: Progress,
  definitions: readonly Definition[],
  input: ResultInput,
  asking: OutsideRequest,
  deps: InspectionDeps & Pick<PipelineDeps, 'scheduler'>,
): Promise<(string | undefined)[]> {
  if (definitions.length === 0) return [];
  const value = { definition: definitions.map(({ definition }) => definition) };
  const document = { text: `{"definition":[${definitions.map(({ json }) => json).join()}]}`, value };
  const own = await runInSlices(mcpTexts(value.definition, 'definition', 'tool'), deps.scheduler);
  const inspected = await inspectInput(progress, { ...input, document, own }, deps);
  const before = positionsOf(inspected.withheldAt);
  const asked = inspected.ask(asking, deps.outside, ({ path }) => before.has(path[1]));
  const { withheld } = await inspected.addOutside(progress, asked);
  if (withheld) return definitions.map(() => undefined);
  const blocked = positionsOf(inspected.withheldAt);
  const edits = Map.groupBy(inspected.edits, ({ path }) => path[1]);
  return runInSlices(shownSteps(), deps.scheduler);

  function* shownSteps(): Steps<(string | undefined)[]> {
    const shown: (string | undefined)[] = [];
    for (const [at, { json }] of definitions.entries()) {
      const own = (edits.get(at) ?? []).map((edit) => ({ ...edit, path: edit.path.slice(2) }));
      shown.push(blocked.has(at) ? undefined : spliceJson(json, own));
      yield;
    }
    return shown;
  }
}

/** Places in a list, of paths in it. */
function positionsOf(paths: readonly JsonPath[]): ReadonlySet<unknown> {
  return new Set(paths.map(([, at]) => at));
}

const REPORTED = { preset: 'monitor' } as const;

/** What the rules find in a definition of a server, for an administrator who decides on it. */
export function inspectDefinition(definition: object, inspector: TextInspector): readonly DetectedThreat[] {
  const policy = policyOf(REPORTED);
  const report = new InspectionReport();
  const own = finish(mcpTexts(definition, 'definition', 'tool'));
  const document = { text: '', value: { definition } };
  inspectInputNow(
    { document, own, policy, redaction: new Redaction('') },
    underPolicy(inspector, policy, undefined),
    report,
  );
  return report.findings.threats;
}
