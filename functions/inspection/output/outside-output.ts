import { mergeEdits, renderEdits } from '../../kernel/json/index.ts';
import { isAttackType, type TextSlot } from '../../kernel/model/index.ts';
import { runInSlices, type Scheduler } from '../../kernel/tasks/index.ts';
import type { Finding, TextInspector } from '../matching/index.ts';
import type { AskingRequest, OutsideDetectors, OutsideResult, ScoredText } from '../outside/index.ts';
import { type Policy, redacted } from '../policy/index.ts';
import { awaitOutside, type InspectionProgress, recordOutsideFailures, withholdsUninspected } from '../report/index.ts';
import { originalRanges } from '../views/index.ts';
import type { OutputGuard } from './output-guard.ts';

/** A text of a response for outside detectors. */
export interface OutputQuestion extends ScoredText {
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
