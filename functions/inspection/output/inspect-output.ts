import type { Scheduler } from '../../kernel/tasks/index.ts';
import type { TextInspector } from '../matching/index.ts';
import type { RequestedModeration } from '../moderation/index.ts';
import type { AskingRequest, OutsideDetectors } from '../outside/index.ts';
import { type Policy, type Redaction, redacted } from '../policy/index.ts';
import { type InspectionProgress, type InspectionReport, withholdsCostlyOutput } from '../report/index.ts';
import { KeyFilter } from './key-filter.ts';
import { LostValues } from './lost-values.ts';
import { OutputGuard } from './output-guard.ts';
import { OutsideOutput } from './outside-output.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { OutputFinding } from './response-channel.ts';
import { type ResponseContext, responseDetectors } from './response-context.ts';
import { ThirdPartyOutput } from './third-party-output.ts';

/** What inspections of responses share. */
export interface OutputDeps {
  readonly inspector: TextInspector;
  readonly outside?: OutsideDetectors | undefined;
  /** The operator's keys for providers, which no response may contain; absent or undefined if there are none. */
  readonly providerKeys?: (() => ProviderKeys | undefined) | undefined;
  readonly scheduler: Scheduler;
  readonly inspectionCpuMs: number;
}

/** Takes the findings of a response that is captured. `placeholder` is what a redaction leaves. */
interface FindingTaker {
  takeFinding(found: OutputFinding, placeholder: string): void;
}

/** The inspection settings of a response. */
export interface OutputSettings<Transcript extends FindingTaker = FindingTaker> {
  readonly policy: Policy;
  /** The system prompts and the canary that the response is compared with. */
  readonly context: ResponseContext;
  readonly redaction: Redaction;
  readonly moderation: RequestedModeration | undefined;
  /** Undefined if the response is not captured. */
  readonly transcript: Transcript | undefined;
}

/** The inspections of one response, in the order in which its pieces pass them. */
export interface OutputChecks {
  /** Comes before all others; absent if the operator has no keys. */
  readonly keys?: KeyFilter | undefined;
  readonly guard: OutputGuard;
  readonly outside?: OutsideOutput | undefined;
  readonly thirdParty?: ThirdPartyOutput | undefined;
}

/** How a response arrives. */
export interface OutputArrival {
  /** Whether parts of it are sent before all of it has arrived. */
  readonly streams: boolean;
  /** The request as outside detectors know it; absent if they do not inspect this response. */
  readonly asking?: AskingRequest;
}

/** Opens the inspections of a response under its policy. */
export function inspectOutput(
  progress: InspectionProgress,
  settings: OutputSettings,
  { streams, asking }: OutputArrival,
  deps: OutputDeps,
): OutputChecks {
  const { inspection } = progress;
  const { policy } = settings;
  const { inspector, outside, providerKeys } = deps;
  const keys = providerKeys?.();
  return {
    keys: keys && new KeyFilter(keys, (field, range) => inspection.removedKey(field, range)),
    guard: createGuard(inspection, settings, streams, deps),
    outside: asking && outside && new OutsideOutput(progress, outside, asking, policy, deps),
    thirdParty: new ThirdPartyOutput(inspection, inspector, policy),
  };
}

/** The guard of a response; `streams`: parts of it are sent before all of it has arrived. */
function createGuard(
  inspection: InspectionReport,
  { policy, context, redaction, moderation, transcript }: OutputSettings,
  streams: boolean,
  { inspector, inspectionCpuMs }: OutputDeps,
): OutputGuard {
  const report = (found: OutputFinding) => {
    const { channel, finding, action } = found;
    if (streams && finding.rule.scoresAfterRelease)
      inspection.skipped('output: inspected by the classifier after it was sent');
    const { start, end } = finding;
    inspection.findings.add(finding, action, { part: 'output', message: null, field: channel, start, end });
    moderation?.takeOutput(finding, action);
    transcript?.takeFinding(found, redacted(finding));
  };
  return new OutputGuard(inspector, policy, redaction, report, {
    detectors: responseDetectors(context, policy),
    callDetectors: [new LostValues(redaction, context.sources)],
    streams,
    endsOverspent: () => withholdsCostlyOutput(inspection, policy, inspectionCpuMs),
  });
}
