import { effectivePolicy } from '../control/policy/index.ts';
import {
  InspectionReport,
  inspectInputNow,
  inspectResponse,
  policyOf,
  Redaction,
  type TextInspector,
  underPolicy,
  withExamples,
} from '../inspection/index.ts';
import type { JsonDocument } from '../kernel/json/index.ts';
import type { DeploymentPolicy } from '../kernel/model/index.ts';
import { type Clock, finish } from '../kernel/tasks/index.ts';
import { checkGuardRequest, coverageOf, type GuardResult, inputOf, textsOf, toGuardResult } from '../pipeline/index.ts';

/**
 * Returns what the guard would return to a key without its own policy, without record, session or limits. Outside
 * detectors are not called, and PDFs are not read.
 * @throws GatewayError for an invalid body
 */
export function tryGuard(
  document: JsonDocument,
  defaults: DeploymentPolicy,
  inspector: TextInspector,
  { requestId, clock }: { readonly requestId: string; readonly clock: Clock },
): GuardResult {
  const body = checkGuardRequest(document);
  const startedAt = clock.monotonic();
  const policy = policyOf(body.policy ?? effectivePolicy(defaults, {}));
  const own = underPolicy(inspector, policy, undefined);
  const report = new InspectionReport();
  const { findings } = report;
  const { shown, inspected } = body.output === undefined ? tryInput() : tryOutput(body.output);
  const svc = {
    threat_score: findings.threatScore,
    detected_threats: withExamples(findings.shownThreats, inspected, own, policy),
    processing_time_ms: Math.round((clock.monotonic() - startedAt) * 1000) / 1000,
    action: findings.action,
    request_id: requestId,
    session_id: null,
    coverage: report.coverage,
  };
  return toGuardResult(svc, shown);

  function tryInput() {
    const input = { document, own: finish(textsOf(body)), policy, redaction: new Redaction(requestId) };
    const { texts, edits } = inspectInputNow(input, own, report);
    report.inspectedInput(coverageOf(body));
    return { shown: inputOf(document, edits), inspected: texts };
  }

  function tryOutput(output: string) {
    const context = { prompts: body.system ? [body.system] : [], known: [] };
    const { text } = finish(inspectResponse({ text: output, context }, policy, own, report));
    report.inspectedOutput('output');
    return { shown: { output: text }, inspected: { output, field: 'output' } };
  }
}
