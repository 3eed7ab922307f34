/**
 * Inspection: finds attacks, personal data, secrets and unwanted content in texts, and decides what happens to them.
 *
 *     const policy = policyOf(settings);
 *     const inspector = underPolicy(createInspector(), policy, undefined);
 *     const report = new InspectionReport();
 *     const input = inspectInputNow({ own: texts, policy, redaction: new Redaction(scope) }, inspector, report);
 *     report.findings.action   // allow, flag, redact or block
 *     input.edits              // the redactions to apply to the request
 *
 * Everything outside of this folder imports this file only. Layers inside: docs/architecture.md, "Inspection".
 */

// A policy decides on each finding. Settings are checked before they are stored, and compiled once. A policy's own rules, and a shadow
// policy that only counts, are applied by an inspector around the shared one.
export { checkPolicy } from './custom-rules/index.ts';
// The inspector: finds in a text what rules and classifiers know. It is made once and shared by all requests.
export { createInspector } from './detectors/index.ts';
// Port: reads binary documents (PDF).
export type { DocumentReader } from './files/index.ts';
// A request: its texts and files, each and joined. In slices beside other requests, or at once.
export { type InspectedInput, inspectInput, inspectInputNow } from './input/index.ts';
// A cache of findings for texts that a conversation sends again.
export { FindingCache } from './inspector/index.ts';
export type { TextInspector } from './matching/index.ts';
// A moderation that the client requested beside a response.
export { RequestedModeration } from './moderation/index.ts';
// A response: piece by piece as it arrives (`OutputGuard` holds back what may still change), or as a whole.
export {
  inspectOutput,
  inspectResponse,
  type OutputChecks,
  type OutputFinding,
  OutputGuard,
  type OutputSettings,
  ProviderKeys,
} from './output/index.ts';
// Port: third-party detectors, which are slow, paid and sometimes unavailable.
export {
  type AskingRequest,
  type OutsideDetector,
  OutsideDetectors,
  type OutsideText,
  type OutsideVerdict,
  outsideRule,
} from './outside/index.ts';
export { Policy, policyOf, Redaction, ShadowTally, underPolicy } from './policy/index.ts';
// What the inspections of one request have found, covered and missed.
export { InspectionReport, withExamples } from './report/index.ts';
// The built-in rule of an id in a record.
export { ruleOf } from './rule-list/index.ts';
