import { runInSlices, type Scheduler } from '../base/steps.ts';
import { mergeEdits, renderEdits } from '../base/text-edit.ts';
import type { Finding } from '../inspect/finding.ts';
import type { OutputGuard } from '../inspect/output/output-guard.ts';
import type { OutsideAnswer, OutsideJudges, OwnJudgement } from '../inspect/outside/outside-judges.ts';
import type { Policy } from '../inspect/policy.ts';
import { redacted } from '../inspect/redaction.ts';
import type { TextInspector } from '../inspect/text-inspector.ts';
import { originalRanges } from '../inspect/views/text-offsets.ts';
import type { TextSlot } from '../model/piece.ts';
import type { Exchange } from './exchange.ts';
import { awaitOutside, noteFailures, withholds } from './outside-input.ts';

/** A text of an answer as outside detectors are asked about it. */
interface OutputQuestion extends OwnJudgement {
  /** Their findings, as ranges of the text that was written. */
  inText(findings: readonly Finding[]): Finding[];
}

/** The question about an answer's text: as the caller will see it, with the redactions for our own findings made. */
export function toQuestion(text: string, own: readonly Finding[], policy: Policy): OutputQuestion {
  const hidden = own.filter((finding) => policy.decide(finding, 'output') === 'redact');
  const edits = mergeEdits(
    hidden.map((finding) => ({ start: finding.start, end: finding.end, text: redacted(finding) })),
  );
  const toOriginal = originalRanges(edits);
  return {
    text: renderEdits(text, 0, edits),
    surface: 'output',
    score: own.reduce((highest, { score }) => Math.max(highest, score), 0),
    inText: (findings) => findings.map((finding) => ({ ...finding, ...toOriginal(finding) })),
  };
}

/** An answer before the outside detectors: whole ones are judged before they leave, streamed ones once all has left. */
export class OutsideOutput {
  /** A judgement of a whole answer is missing, and the policy blocks then. */
  withheld = false;
  private readonly exchange: Exchange;
  private readonly outside: OutsideJudges;
  private readonly inspector: TextInspector;
  private readonly policy: Policy;
  private readonly scheduler: Scheduler;
  private readonly texts = new Map<string, string>();

  constructor(
    exchange: Exchange,
    outside: OutsideJudges,
    { inspector, scheduler }: { readonly inspector: TextInspector; readonly scheduler: Scheduler },
    policy: Policy,
  ) {
    this.exchange = exchange;
    this.outside = outside;
    this.inspector = inspector;
    this.scheduler = scheduler;
    this.policy = policy;
  }

  /** Takes more of the answer's text, as the provider wrote it. */
  take(slots: readonly TextSlot[]): void {
    for (const slot of slots) {
      if (slot.isReadOnly || slot.repeats || slot.isWord) continue;
      const { channel, run = channel, text, lead = '' } = slot;
      this.texts.set(run, (this.texts.get(run) ?? '') + lead + text);
    }
  }

  /**
   * Judges an answer of which nothing has left: what is found acts like our own findings. Also where those cut it, since
   * what stands before the cut will leave.
   */
  async judgeWhole(guard: OutputGuard): Promise<void> {
    const answer = await this.judge((channel, findings) => guard.addFindings(channel, findings));
    if (answer !== undefined) this.withheld = withholds(this.exchange, answer.failures, this.policy);
  }

  /** Judges an answer that has left: what is found is told, and cannot act any more. */
  async judgeSent(guard: OutputGuard): Promise<void> {
    const answer = await this.judge((run, findings) => {
      for (const finding of findings) {
        const action = this.policy.decide(finding, 'output') === 'allow' ? 'allow' : 'flag';
        const { channel: field, finding: located } = guard.locate(run, finding);
        const { start, end } = located;
        this.exchange.report.add(finding, action, { part: 'output', message: null, field, start, end });
      }
    });
    if (answer === undefined) return;
    this.exchange.skipped('output: judged by outside detectors after it was sent');
    noteFailures(this.exchange, answer.failures);
  }

  private async judge(take: (channel: string, findings: Finding[]) => void): Promise<OutsideAnswer | undefined> {
    const channels = [...this.texts.keys()];
    const startedAt = this.exchange.monotonic();
    const questions: OutputQuestion[] = [];
    for (const text of this.texts.values()) {
      const own = await runInSlices(this.inspector.inspectSteps(text, 'output'), this.scheduler);
      questions.push(toQuestion(text, own, this.policy));
    }
    this.exchange.spent('inspect', startedAt);
    const asked = this.outside.ask(questions, this.exchange.key.id, this.exchange.abort.signal);
    if (asked === undefined) return undefined;
    const answer = await awaitOutside(this.exchange, asked);
    for (const [at, question] of questions.entries()) {
      take(channels[at] as string, question.inText(answer.findings[at] ?? []));
    }
    return answer;
  }
}
