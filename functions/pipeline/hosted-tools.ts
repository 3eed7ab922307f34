import { CallInspector } from '../inspection/index.ts';
import { editSteps } from '../kernel/json/index.ts';
import type { Warning } from '../kernel/model/index.ts';
import { giveWayFor, runInSlices, type Scheduler } from '../kernel/tasks/index.ts';
import type { RequestReader } from '../translation/index.ts';
import type { Parsed } from './parse-request.ts';
import type { Outcome } from './request-outcome.ts';

/**
 * The request without the tools that its policy does not list and that its provider would execute: their calls come too late to be held.
 * The body stays, so that findings have the caller's places.
 */
export async function withoutHostedTools<Body>(
  parsed: Parsed<Body>,
  reader: RequestReader<Body>,
  { inspection, recording: { shadow } }: Pick<Outcome, 'inspection' | 'recording'>,
  scheduler: Scheduler,
): Promise<Parsed<Body>> {
  const { document: given, policy, members } = parsed;
  if (policy.tools === undefined && shadow === undefined) return parsed;
  const tools = CallInspector.unlistedTools(policy, members.hostedTools(), inspection, shadow);
  if (tools.length === 0) return parsed;
  const edits = members.withoutTools(tools);
  const document = await runInSlices(editSteps(given, edits), scheduler);
  await giveWayFor(document, scheduler);
  const body = reader.check(document);
  const warnings = tools.map(({ name, field }): Warning => {
    const message = `The policy of this API key does not list the tool \`${name}\`, which the provider executes. It was removed.`;
    return { code: 'field_dropped', field, message };
  });
  if (edits.some(({ path }) => path[0] === 'tool_choice')) warnings.push(CHOICE_CHANGED);
  return { ...parsed, request: reader.read(body), removed: { edits, warnings, left: { document, body } } };
}

const CHOICE_CHANGED: Warning = {
  code: 'field_adjusted',
  field: 'tool_choice',
  message: 'It depends on a tool that the policy of this API key removed.',
};
