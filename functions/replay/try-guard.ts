import { effectivePolicy } from '../control/policy/index.ts';
import {
  InspectionReport,
  inspectInputNow,
  policyOf,
  Redaction,
  type TextInspector,
  underPolicy,
  withExamples,
} from '../inspection/index.ts';
import type { JsonDocument } from '../kernel/json/index.ts';
import type { DeploymentPolicy } from '../kernel/model/index.ts';
import { type Clock, finish, neverPausing } from '../kernel/tasks/index.ts';
import {
  checkGuardRequest,
  coverageOf,
  type GuardResult,
  inspectGivenOutput,
  redactedOf,
  textsOf,
  toGuardResult,
} from '../pipeline/index.ts';

/**
 * Returns what the guard would return to a key without its own policy, without record, session or limits. Outside
 * detectors are not called, and documents are not read.
 * @throws GatewayError for an invalid body
 */
export async function tryGuard(
  document: JsonDocument,
  defaults: DeploymentPolicy,
  inspector: TextInspector,
  { requestId, clock }: { readonly requestId: string; readonly clock: Clock },
): Promise<GuardResult> {
  const body = checkGuardRequest(document);
  const startedAt = clock.monotonic();
  const policy = policyOf(body.policy ?? effectivePolicy(defaults, {}));
  const own = underPolicy(inspector, policy, undefined);
  const report = new InspectionReport();
  const { findings } = report;
  const { shown, inspected, calls } = body.output === undefined ? tryInput() : await tryOutput();
  const svc = {
    threat_score: findings.threatScore,
    detected_threats: inspected.reduce(
      (listed, texts) => withExamples(listed, texts, own, policy),
      findings.shownThreats,
    ),
    processing_time_ms: Math.round((clock.monotonic() - startedAt) * 1000) / 1000,
    action: findings.action,
    request_id: requestId,
    session_id: null,
    coverage: report.coverage,
  };
  return toGuardResult(svc, shown, calls);

  function tryInput() {
    const input = { document, own: finish(textsOf(body)), policy, redaction: new Redaction(requestId) };
    const { texts, edits } = inspectInputNow(input, own, report);
    report.inspectedInput(coverageOf(body));
    return { shown: redactedOf(document, edits), inspected: [texts], calls: undefined };
  }

  async function tryOutput() {
    const deps = { policy, inspector: own, report, scheduler: neverPausing() };
    const { texts, calls, edits } = await inspectGivenOutput(body, deps);
    return { shown: redactedOf(document, edits()), inspected: texts, calls: await calls() };
  }
}
