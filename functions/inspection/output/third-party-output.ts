import { isAttackType, outsideMessages, type TextSlot } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import { gatherSteps } from '../across-texts/index.ts';
import { fuseSteps } from '../fusion/index.ts';
import type { Finding, TextInspector } from '../matching/index.ts';
import type { Policy } from '../policy/index.ts';
import type { InspectionReport } from '../report/index.ts';
import type { OutputGuard } from './output-guard.ts';

/**
 * Text by third parties in a response, such as a transcript: inspected for instructions like a tool result, because the next
 * model may read it. The policy for responses decides the action
 * (docs/decisions/0016-protocol-translation.md).
 */
export class ThirdPartyOutput {
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
