import type { Action, DeclaredTool } from '../../kernel/model/index.ts';
import type { Rule } from '../matching/index.ts';
import type { Policy } from '../policy/index.ts';
import type { InspectionReport } from '../report/index.ts';
import { TOOL_SHADOWED_RULE, toolChangedRule } from './rules.ts';
import { shadowedTools } from './shadowed-tools.ts';

/** A tool whose definition differs from the pinned one. */
export interface ChangedTool {
  readonly tool: Pick<DeclaredTool, 'field'>;
  /** The names of the fields that differ. */
  readonly fields: readonly string[];
}

/** Adds what is wrong with the definitions of a request's tools to its report. */
export function definitionReport(policy: Policy, report: InspectionReport) {
  return {
    /** Tools that have the same name, or names that look the same. */
    shadowed(tools: readonly DeclaredTool[]): void {
      if (policy.ignores('tool_misuse', 'output')) return;
      for (const tool of shadowedTools(tools)) add(TOOL_SHADOWED_RULE, 'flag', tool, report);
    },
    /** Changed tools, with the action of the policy's `tools.pin`. @returns the place of the first */
    changed(changed: readonly ChangedTool[], action: 'flag' | 'block'): string | undefined {
      for (const { tool, fields } of changed) add(toolChangedRule(action, fields), action, tool, report);
      return changed[0]?.tool.field;
    },
  };
}

function add(rule: Rule, action: Action, { field }: Pick<DeclaredTool, 'field'>, { findings }: InspectionReport): void {
  const finding = { rule, score: rule.score, start: 0, end: 0, decodedFrom: [] };
  findings.add(finding, action, { part: 'input', message: null, field, start: 0, end: 0 });
}
