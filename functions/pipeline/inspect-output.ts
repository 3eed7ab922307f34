import {
  type AskingRequest,
  type Finding,
  fuseSteps,
  gatherSteps,
  KeyFilter,
  type KeyRange,
  LostValues,
  type OutputFinding,
  OutputGuard,
  type OutsideDetectors,
  type OutsideResult,
  originalRanges,
  type Policy,
  PROVIDER_KEY_RULE,
  type Redaction,
  type RequestedModeration,
  type ResponseContext,
  redacted,
  responseDetectors,
  type ScoredText,
  type TextInspector,
} from '../inspection/index.ts';
import { mergeEdits, renderEdits } from '../kernel/json/index.ts';
import { isAttackType, outsideMessages, type TextSlot } from '../kernel/model/index.ts';
import { runInSlices, type Scheduler, type Steps } from '../kernel/tasks/index.ts';
import {
  awaitOutside,
  recordOutsideFailures,
  withholdsCostlyOutput,
  withholdsUninspected,
} from './incomplete-inspection.ts';
import type { InspectionReport } from './inspection-report.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { InspectionProgress } from './request-outcome.ts';
import type { Transcript } from './transcript.ts';

export type OutputDeps = Pick<PipelineDeps, 'inspector' | 'outside' | 'providerKeys' | 'scheduler' | 'inspectionCpuMs'>;

/** The inspection settings of a response. */
export interface OutputInspection {
  readonly policy: Policy;
  /** The system prompts and the canary that the response is compared with. */
  readonly context: ResponseContext;
  readonly redaction: Redaction;
  readonly moderation: RequestedModeration | undefined;
  readonly transcript: Transcript | undefined;
}

/** The inspections of one response. */
export interface OutputChecks {
  /** Comes before all others; absent if the operator has no keys. */
  readonly keys?: KeyFilter | undefined;
  readonly guard: OutputGuard;
  readonly outside?: OutsideOutput | undefined;
  readonly untrusted?: UntrustedOutput | undefined;
}

/** The inspections of a response under its policy. `request`: as outside detectors know it. */
export function checksFor(
  progress: InspectionProgress,
  settings: OutputInspection,
  request: AskingRequest,
  streams: boolean,
  deps: OutputDeps,
): OutputChecks {
  const { policy } = settings;
  const { inspection } = progress;
  return {
    keys: createKeyFilter(inspection, deps),
    guard: createGuard(inspection, settings, streams, deps),
    outside: deps.outside && new OutsideOutput(progress, deps.outside, request, policy, deps),
    untrusted: new UntrustedOutput(inspection, deps.inspector, policy),
  };
}

/** Removes the operator's keys from a response, whatever its policy. */
export function createKeyFilter(
  inspection: InspectionReport,
  { providerKeys }: Pick<OutputDeps, 'providerKeys'>,
): KeyFilter | undefined {
  const keys = providerKeys?.();
  return keys && new KeyFilter(keys, (field, range) => reportKey(inspection, field, range));
}

/** Reports an operator's key that was removed from a response. */
export function reportKey({ findings }: InspectionReport, field: string, range: KeyRange): void {
  const finding: Finding = { rule: PROVIDER_KEY_RULE, score: PROVIDER_KEY_RULE.score, decodedFrom: [], ...range };
  findings.add(finding, 'redact', { part: 'output', message: null, field, ...range });
}

/** The guard of a response; `streams`: parts of it are sent before all of it has arrived. */
export function createGuard(
  inspection: InspectionReport,
  { policy, context, redaction, moderation, transcript }: OutputInspection,
  streams: boolean,
  { inspector, inspectionCpuMs }: Pick<OutputDeps, 'inspector' | 'inspectionCpuMs'>,
): OutputGuard {
  const report = (found: OutputFinding) => {
    const { channel, finding, action } = found;
    if (streams && finding.rule.scoresAfterRelease)
      inspection.skipped('output: inspected by the classifier after it was sent');
    const { start, end } = finding;
    inspection.findings.add(finding, action, { part: 'output', message: null, field: channel, start, end });
    moderation?.takeOutput(finding, action);
    transcript?.takeFinding(found);
  };
  return new OutputGuard(inspector, policy, redaction, report, {
    detectors: responseDetectors(context, policy),
    callDetectors: [new LostValues(redaction, context.sources)],
    streams,
    endsOverspent: () => withholdsCostlyOutput(inspection, policy, inspectionCpuMs),
  });
}

/** A text of a response for outside detectors. */
interface OutputQuestion extends ScoredText {
  /** Maps their findings to the text as the provider sent it. */
  inText(findings: readonly Finding[]): Finding[];
}

/** The text as the caller will see it, with redactions for built-in findings. */
export function toQuestion(text: string, own: readonly Finding[], policy: Policy): OutputQuestion {
  const hidden = own.filter((finding) => policy.decide(finding, 'output') === 'redact');
  const edits = mergeEdits(
    hidden.map((finding) => ({ start: finding.start, end: finding.end, text: redacted(finding) })),
  );
  const toOriginal = originalRanges(edits);
  return {
    text: renderEdits(text, 0, edits),
    surface: 'output',
    score: highestScore(own),
    attackScore: highestScore(own.filter(({ rule }) => isAttackType(rule.type))),
    inText: (findings) => findings.map((finding) => ({ ...finding, ...toOriginal(finding) })),
  };
}

function highestScore(findings: readonly Finding[]): number {
  return findings.reduce((highest, { score }) => Math.max(highest, score), 0);
}

/** Sends a response to outside detectors: before its release, or for a stream, after it. */
export class OutsideOutput {
  /** A verdict on a whole response is missing, and the policy blocks then. */
  withheld = false;
  private readonly progress: InspectionProgress;
  private readonly outside: OutsideDetectors;
  private readonly request: AskingRequest;
  private readonly policy: Policy;
  private readonly inspector: TextInspector;
  private readonly scheduler: Scheduler;
  private readonly texts = new Map<string, string>();

  constructor(
    progress: InspectionProgress,
    outside: OutsideDetectors,
    request: AskingRequest,
    policy: Policy,
    { inspector, scheduler }: { readonly inspector: TextInspector; readonly scheduler: Scheduler },
  ) {
    this.progress = progress;
    this.outside = outside;
    this.request = request;
    this.inspector = inspector;
    this.scheduler = scheduler;
    this.policy = policy;
  }

  /** Takes more text of the response, as the provider sent it. */
  take(slots: readonly TextSlot[]): void {
    for (const slot of slots) {
      if (slot.isReadOnly || slot.repeats || slot.isWord) continue;
      const { channel, run = channel, text, lead = '' } = slot;
      this.texts.set(run, (this.texts.get(run) ?? '') + lead + text);
    }
  }

  /** Inspects a response before its release: findings act like built-in ones. Also if these cut it, since the text before the cut will be sent. */
  async inspectWhole(guard: OutputGuard): Promise<void> {
    const result = await this.inspect((channel, findings) => guard.addFindings(channel, findings));
    if (result !== undefined)
      this.withheld = withholdsUninspected(this.progress.inspection, result.failures, this.policy);
  }

  /** Inspects a response that was sent: findings are reported, and cannot act any more. */
  async inspectSent(guard: OutputGuard): Promise<void> {
    const { inspection } = this.progress;
    const result = await this.inspect((run, findings) => {
      for (const finding of findings) {
        const action = this.policy.decide(finding, 'output') === 'allow' ? 'allow' : 'flag';
        const { channel: field, finding: located } = guard.locate(run, finding);
        const { start, end } = located;
        inspection.findings.add(finding, action, { part: 'output', message: null, field, start, end });
      }
    });
    if (result === undefined) return;
    inspection.skipped('output: inspected by outside detectors after it was sent');
    recordOutsideFailures(inspection, result.failures);
  }

  private async inspect(take: (channel: string, findings: Finding[]) => void): Promise<OutsideResult | undefined> {
    const channels = [...this.texts.keys()];
    const { times } = this.progress;
    const startedAt = times.now;
    const questions: OutputQuestion[] = [];
    for (const text of this.texts.values()) {
      const own = await runInSlices(this.inspector.inspectSteps(text, 'output'), this.scheduler);
      questions.push(toQuestion(text, own, this.policy));
    }
    times.spent('inspect', startedAt);
    const asked = this.outside.ask(questions, this.request);
    if (asked === undefined) return undefined;
    const result = await awaitOutside(times, asked);
    for (const [at, question] of questions.entries()) {
      take(channels[at] as string, question.inText(result.findings[at] ?? []));
    }
    return result;
  }
}

/**
 * Text by third parties in a response, such as a transcript: inspected for instructions like a tool result, because the next
 * model may read it. The policy for responses decides the action
 * (docs/decisions/0016-protocol-translation.md).
 */
export class UntrustedOutput {
  private readonly inspection: InspectionReport;
  private readonly inspector: TextInspector;
  private readonly policy: Policy;
  private texts = new Map<string, string>();

  constructor(inspection: InspectionReport, inspector: TextInspector, policy: Policy) {
    this.inspection = inspection;
    this.inspector = inspector;
    this.policy = policy;
  }

  /** Takes more of the response, as the provider sent it. */
  take(slots: readonly TextSlot[]): void {
    for (const { channel, text, lead = '', isThirdParty, repeats } of slots) {
      if (isThirdParty && !repeats) this.texts.set(channel, (this.texts.get(channel) ?? '') + lead + text);
    }
  }

  /** Inspects a response of which nothing was sent: findings act like the guard's. */
  inspectWhole(guard: OutputGuard): Steps<void> {
    return this.inspect((channel, findings) => guard.addFindings(channel, findings));
  }

  /** Inspects the part of a stream that has arrived and may have been sent: findings are reported, and cannot act any more. */
  inspectSent(): Steps<void> {
    return this.inspect((field, findings) => {
      for (const finding of findings) {
        const action = this.policy.decide(finding, 'output') === 'allow' ? 'allow' : 'flag';
        const { start, end } = finding;
        this.inspection.findings.add(finding, action, { part: 'output', message: null, field, start, end });
      }
    });
  }

  private *inspect(take: (channel: string, findings: readonly Finding[]) => void): Steps<void> {
    for (const [channel, text] of this.texts) {
      const gathered = yield* gatherSteps([outsideMessages([channel], text, 'tool')], this.inspector);
      const findings = (yield* fuseSteps(gathered.evidence, 0))
        .map(({ finding }) => finding)
        .filter((finding) => isOfThirdParties(finding));
      if (findings.length > 0) take(channel, findings);
    }
    this.texts = new Map();
  }
}

/** Attacks that the rules for responses do not cover. */
function isOfThirdParties({ rule }: Finding): boolean {
  return isAttackType(rule.type) && rule.forcedAction === undefined && !rule.surfaces.includes('output');
}
