/**
 * Inspection: finds attacks, personal data, secrets and unwanted content in texts, and decides what happens to them.
 *
 *     const policy = policyOf(settings);
 *     const inspector = underPolicy(createInspector(), policy, undefined);
 *     const report = new InspectionReport();
 *     const own = { texts, skipped: [] };
 *     const input = inspectInputNow({ own, policy, redaction: new Redaction(scope) }, inspector, report);
 *     report.findings.action   // allow, flag, redact or block
 *     input.edits              // the redactions to apply to the request
 *
 * Code outside of this folder imports this file only. Each folder inside has an index, and imports only those of lower layers, lowest first:
 *
 *     pattern-engine                              linear-time matching
 *     views                                       a text as rules read it, with offsets
 *     decoding, addresses                         what encodings hide; links and tags
 *     matching                                    rules and what they find, also in streams
 *     classification, custom-rules, outside       other ways to find
 *     inspector, policy, fusion                   one text by all rules; decisions; the weight of findings together
 *     detectors, across-texts, report, moderation the rules; what several texts say together; what a request had
 *     files, then output, then input and tool-calls, then tool-policy, then calls and recorded
 */

// The inspector finds in a text what the rules and classifiers know. It is made once and shared by all requests; the cache keeps what it
// found in texts that a conversation sends again.

export { createInspector } from './detectors/index.ts';
export { FindingCache } from './inspector/index.ts';
export type { TextInspector } from './matching/index.ts';

// A policy decides on each finding. Settings are checked before they are stored and compiled once. `underPolicy` adds a policy's own rules,
// and a shadow policy that only counts, to the shared inspector.

export { checkPolicy } from './custom-rules/index.ts';
export { Policy, policyOf, Redaction, underPolicy } from './policy/index.ts';

// What the inspections of one request have found, covered and missed.

export { InspectionReport, withExamples } from './report/index.ts';

// Rules of a policy for tool calls. Their tests run before a policy is stored.

export { checkToolTests } from './tool-policy/index.ts';

// The tool calls of a request and its response, by where their values and their cause are in the conversation. The gate holds those of the
// response until they are inspected.

export { CallInspector } from './calls/index.ts';

// The definitions of a request's tools: names that hide another tool, and changes since they were pinned.

export { definitionReport } from './tool-definitions/index.ts';

// A request: its texts and files, each and joined. In slices beside other requests, or at once.

export { inspectInput, inspectInputNow } from './input/index.ts';

// A response: piece by piece as it arrives (what may still change is held back), or as a whole. With the moderation that the
// client requested, if it did.

export { RequestedModeration } from './moderation/index.ts';
export {
  createMarker,
  inspectOutput,
  inspectResponse,
  type OutputChecks,
  type OutputSettings,
  ProviderKeys,
} from './output/index.ts';

// Findings in records: the built-in rule of an id, and what a policy would decide.

export { decideRecorded, ruleOf } from './recorded/index.ts';

// Ports: detectors of third parties, which are slow, paid and sometimes unavailable; readers of binary documents.

export type { DocumentReader } from './files/index.ts';
export {
  type AskingRequest,
  type OutsideDetector,
  OutsideDetectors,
  type OutsideText,
  type OutsideVerdict,
  outsideRule,
} from './outside/index.ts';
