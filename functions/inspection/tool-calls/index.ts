/** Scores tool calls by where their values and their cause are in the conversation (docs/detection.md). */
export { argumentsOf, readExactJson } from './call-arguments.ts';
export type { CallingRequest, CallReader, MadeCall } from './call-reader.ts';
export type { CallFinding } from './call-scorer.ts';
export { type CallWords, loadCallWords } from './call-words.ts';
export { DeclaredTools } from './declared-tools.ts';
export type { EarlierValues } from './earlier-values.ts';
export { loadCallReader } from './load-reader.ts';
export { MessageReader } from './message-reader.ts';
export { CALL_RULES, REPORT_FROM } from './rules.ts';
export type { ToolMeaning } from './tool-meaning.ts';
export { formsOf } from './value-forms.ts';
export { kindOf, valuesIn } from './value-kinds.ts';
