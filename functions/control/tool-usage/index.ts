/** How agents use tools, summed up from the tool calls in records, and the rules of a policy that these calls suggest. */
export { listToolUsage, toToolUsage } from './list-tool-usage.ts';
export { suggestTools } from './suggest-tools.ts';
export { unmatchedIn } from './unmatched-rules.ts';
