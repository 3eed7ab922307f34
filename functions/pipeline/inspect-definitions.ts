import { definitionReport, type Policy } from '../inspection/index.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import type { RequestDocument } from '../kernel/json/index.ts';
import { type DeclaredTool, type DeclaredTools, type ToolVersion, versionOf } from '../kernel/model/index.ts';
import { runInSlices, type Steps } from '../kernel/tasks/index.ts';
import { readCommonMembers } from '../translation/index.ts';
import type { Block } from './inspect-chat.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { InspectionProgress } from './request-outcome.ts';

/** Names of a list in `coverage`; the number of others is added. */
const MAX_NAMED = 20;

/**
 * Compares the definitions of the request's tools with each other and, if the policy says so, with those that are pinned for its key.
 * @returns why the request is blocked; undefined if it is not
 */
export async function inspectDefinitions(
  { inspection }: Pick<InspectionProgress, 'inspection'>,
  { document, policy, keyId }: { readonly document: RequestDocument; readonly policy: Policy; readonly keyId: string },
  { toolPins, scheduler }: Pick<PipelineDeps, 'toolPins' | 'scheduler'>,
): Promise<Block | undefined> {
  const declared = readCommonMembers(document.value).declaredTools();
  const report = definitionReport(policy, inspection);
  report.shadowed(declared.tools);
  if (policy.pin === 'off') return undefined;
  skip(declared.undefinedAt, 'definition not in the request');
  if (declared.tools.length === 0) return undefined;
  const tools = await runInSlices(withVersions(declared), scheduler);
  try {
    const { changed, unpinned } = await toolPins.check(keyId, tools);
    skip(
      unpinned.map(({ field }) => field),
      'not pinned: too many tools',
    );
    const field = report.changed(changed, policy.pin);
    return field === undefined || policy.pin === 'flag' ? undefined : { field, isTooCostly: false };
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    inspection.skipped('tools: pins not read in time');
    inspection.detectorFailed('tools: pins not read in time');
    if (policy.pin === 'flag') return undefined;
    inspection.findings.block();
    return { field: undefined, isTooCostly: false };
  }

  function skip(places: readonly string[], reason: string): void {
    for (const place of places.slice(0, MAX_NAMED)) inspection.skipped(`${place}: ${reason}`);
    if (places.length > MAX_NAMED) inspection.skipped(`${places.length - MAX_NAMED} more tools: ${reason}`);
  }
}

interface VersionedTool extends DeclaredTool {
  readonly version: ToolVersion;
}

function* withVersions({ tools }: DeclaredTools): Steps<VersionedTool[]> {
  const versions: VersionedTool[] = [];
  for (const tool of tools) {
    versions.push({ ...tool, version: versionOf(tool) });
    yield;
  }
  return versions;
}
