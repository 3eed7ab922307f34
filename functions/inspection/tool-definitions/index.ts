/** Compares the definitions of a request's tools: with each other, and with those that were pinned. */
export { definitionReport } from './report-definitions.ts';
export { isToolChangedRule, TOOL_SHADOWED_RULE } from './rules.ts';
