/**
 * Decides on tool calls by the `tools` of a policy (docs/policies.md#limit-what-agents-may-do):
 *
 *     const transcript = new Transcript(tools, await loadCallWords());
 *     transcript.add({ author: 'user', text });                    // each text before the call
 *     decideCall(compileToolPolicy(policy), { tool, arguments, transcript, typesIn }).action   // allow, flag, ask or block
 */
export { checkToolTests } from './check-tool-tests.ts';
export { type CompiledToolPolicy, compileToolPolicy } from './compile-tool-policy.ts';
export { type CallDecision, decideCall, type Violation } from './decide-call.ts';
export { Transcript } from './transcript.ts';
