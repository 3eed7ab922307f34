import type { DeclaredTool } from '../../kernel/model/index.ts';
import type { Policy } from '../policy/index.ts';
import { InspectionReport } from '../report/index.ts';
import { compileToolPolicy } from '../tool-policy/index.ts';
import { UNLISTED_TOOL_RULE } from './call-rules.ts';

export type ShadowTally = NonNullable<ReturnType<Policy['tallyShadow']>>;

/** A tool that the provider executes, by its type. */
type HostedTool = Pick<DeclaredTool, 'name' | 'field'>;

/**
 * Reports the tools that the policy does not list, of those that the provider executes: their calls cannot be held.
 * @returns those that may not be sent to the provider
 */
export function unlistedTools<Tool extends HostedTool>(
  { tools: settings, shadow }: Policy,
  hosted: readonly Tool[],
  { findings }: InspectionReport,
  tally?: ShadowTally,
): readonly Tool[] {
  if (tally !== undefined && shadow !== undefined) {
    const report = new InspectionReport();
    unlistedTools(shadow, hosted, report);
    tally.addCalls(report.findings);
  }
  if (settings === undefined) return [];
  const policy = compileToolPolicy(settings);
  const action = policy.unlisted;
  if (action === 'allow') return [];
  const unlisted = hosted.filter(({ name }) => policy.effectOf(name) === undefined);
  for (const { field } of unlisted) {
    const finding = { rule: UNLISTED_TOOL_RULE, score: 0, start: 0, end: 0, decodedFrom: [] };
    findings.add(finding, action, { part: 'input', message: null, field, start: 0, end: 0 });
  }
  return action === 'block' ? unlisted : [];
}
