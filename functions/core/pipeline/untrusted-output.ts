import type { Steps } from '../base/steps.ts';
import type { Finding } from '../inspect/finding.ts';
import { fuse } from '../inspect/fusion/fuse.ts';
import type { OutputGuard } from '../inspect/output/output-guard.ts';
import type { Policy } from '../inspect/policy.ts';
import { gatherSteps } from '../inspect/requests/gather-evidence.ts';
import { outsideMessages } from '../inspect/requests/request-text.ts';
import type { TextInspector } from '../inspect/text-inspector.ts';
import type { TextSlot } from '../model/piece.ts';
import { isAttackType } from '../model/threat.ts';
import type { Exchange } from './exchange.ts';

/**
 * Text by third parties in a response, such as a transcript: inspected for instructions like a tool result, because the next
 * model may read it. The policy for responses decides what happens
 * (docs/decisions/2026-11-21-transcripts-are-foreign-words.md).
 */
export class UntrustedOutput {
  private readonly exchange: Exchange;
  private readonly inspector: TextInspector;
  private readonly policy: Policy;
  private texts = new Map<string, string>();

  constructor(exchange: Exchange, inspector: TextInspector, policy: Policy) {
    this.exchange = exchange;
    this.inspector = inspector;
    this.policy = policy;
  }

  /** Takes more of the answer, as the provider wrote it. */
  take(slots: readonly TextSlot[]): void {
    for (const { channel, text, lead = '', isForeign, repeats } of slots) {
      if (isForeign && !repeats) this.texts.set(channel, (this.texts.get(channel) ?? '') + lead + text);
    }
  }

  /** Judges an answer of which nothing has left: what is found acts like the guard's own findings. */
  judgeWhole(guard: OutputGuard): Steps<void> {
    return this.judge((channel, findings) => guard.addFindings(channel, findings));
  }

  /** Judges what came of a stream, and may have left: what is found is told, and cannot act any more. */
  judgeSent(): Steps<void> {
    return this.judge((field, findings) => {
      for (const finding of findings) {
        const action = this.policy.decide(finding, 'output') === 'allow' ? 'allow' : 'flag';
        const { start, end } = finding;
        this.exchange.report.add(finding, action, { part: 'output', message: null, field, start, end });
      }
    });
  }

  private *judge(take: (channel: string, findings: readonly Finding[]) => void): Steps<void> {
    for (const [channel, text] of this.texts) {
      const gathered = yield* gatherSteps([outsideMessages([channel], text, 'tool')], this.inspector);
      const findings = fuse(gathered.evidence, 0)
        .map(({ finding }) => finding)
        .filter((finding) => isOfForeigners(finding));
      if (findings.length > 0) take(channel, findings);
    }
    this.texts = new Map();
  }
}

/** What the rules for answers do not look for. */
function isOfForeigners({ rule }: Finding): boolean {
  return isAttackType(rule.type) && rule.forcedAction === undefined && !rule.surfaces.includes('output');
}
