import { effectivePolicy } from '../control/policy/index.ts';
import {
  describeSkipped,
  filesOf,
  InspectedResponse,
  inspectRequest,
  type Policy,
  policyOf,
  type ReadText,
  Redaction,
  readTextFiles,
  responseDetectors,
  SecurityReport,
  type TextInspector,
  underPolicy,
  withExamples,
} from '../inspection/index.ts';
import type { JsonDocument } from '../kernel/json/index.ts';
import type { DeploymentPolicy } from '../kernel/model/index.ts';
import { type Clock, finish } from '../kernel/tasks/index.ts';
import {
  checkGuardRequest,
  coverageOf,
  inputOf,
  type Redacted,
  readOutput,
  readTexts,
  textsOf,
  toGuardResult,
} from '../pipeline/index.ts';
import type { GuardRequest, GuardResult } from '../translation/protocols/inspection-schemas.ts';

interface Coverage {
  readonly input: string[];
  readonly output: string[];
  readonly skipped: string[];
}

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
  const report = new SecurityReport();
  const coverage: Coverage = { input: [], output: [], skipped: [] };
  const { shown, texts } =
    body.output === undefined
      ? tryInput(document, body, own, policy, new Redaction(requestId), report, coverage)
      : tryOutput(body.output, body.system, own, policy, report, coverage);
  const svc = {
    threat_score: report.threatScore,
    detected_threats: withExamples(report.shownThreats, texts, own, policy),
    processing_time_ms: Math.round((clock.monotonic() - startedAt) * 1000) / 1000,
    action: report.action,
    request_id: requestId,
    session_id: null,
    coverage,
  };
  return toGuardResult(svc, shown);
}

/** The input with redactions, and its texts. */
interface Inspected {
  readonly shown: Redacted;
  readonly texts: readonly ReadText[];
}

function tryInput(
  document: JsonDocument,
  body: GuardRequest,
  inspector: TextInspector,
  policy: Policy,
  redaction: Redaction,
  report: SecurityReport,
  coverage: Coverage,
): Inspected {
  const { texts, skipped } = readTextFiles(document.value, finish(textsOf(body)), filesOf(document));
  coverage.input.push(...coverageOf(body));
  coverage.skipped.push(...skipped.map(describeSkipped));
  const verdict = inspectRequest(texts, inspector, policy, redaction, report);
  verdict.addUnread(skipped);
  return { shown: inputOf(document, verdict.edits), texts: readTexts(texts) };
}

function tryOutput(
  output: string,
  system: string | undefined,
  inspector: TextInspector,
  policy: Policy,
  report: SecurityReport,
  coverage: Coverage,
): Inspected {
  const answer = new InspectedResponse(output, policy, report);
  answer.add(
    inspector.inspect(output, 'output', responseDetectors({ prompts: system ? [system] : [], known: [] }, policy)),
  );
  coverage.output.push('output');
  return { shown: { output: answer.text }, texts: [readOutput(output)] };
}
