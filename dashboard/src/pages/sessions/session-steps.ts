import type { RequestRecord } from '../../api/client.ts';
import { outcomeOf } from '../../components/outcome.ts';
import { findingsOn } from '../requests/call-flow.ts';

export type RecordedCall = NonNullable<RequestRecord['toolCalls']>[number];
type RecordedFinding = RequestRecord['findings'][number];

/** A tool call of a response, with the request to an MCP server that made it. */
export interface StepCall {
  readonly call: RecordedCall;
  readonly findings: readonly RecordedFinding[];
  readonly made?: Step;
}

/** A request of a session, and what followed from it. */
export interface Step {
  readonly record: RequestRecord;
  /** Those that are not on a call. */
  readonly findings: readonly RecordedFinding[];
  readonly calls: readonly StepCall[];
  /** Requests to MCP servers before the next step, of no call of this one. */
  readonly others: readonly Step[];
  /** Whether it, a call or a request to an MCP server has a finding or failed. */
  readonly isNotable: boolean;
}

const MCP_ROUTE = '/v1/mcp/';

/** The steps of a session's requests, the first one first. Requests to MCP servers belong to the step before them. */
export function stepsOf(newestFirst: readonly RequestRecord[]): Step[] {
  const groups: { readonly record: RequestRecord; readonly mcp: RequestRecord[] }[] = [];
  for (const record of newestFirst.toReversed()) {
    const last = groups.at(-1);
    if (last !== undefined && isMcp(record) && !isMcp(last.record)) last.mcp.push(record);
    else groups.push({ record, mcp: [] });
  }
  return groups.map(({ record, mcp }) => stepOf(record, mcp));
}

function isMcp({ route }: RequestRecord): boolean {
  return route.startsWith(MCP_ROUTE);
}

function stepOf(record: RequestRecord, mcp: readonly RequestRecord[]): Step {
  const left = mcp.map((one) => stepOf(one, []));
  // The only call of a request to an MCP server is the request itself.
  const recorded = isMcp(record) ? [] : (record.toolCalls ?? []);
  const calls = recorded.map((call) => {
    const at = left.findIndex(({ record: { tool } }) => tool !== undefined && isCallOf(call.tool, tool));
    const [made] = at < 0 ? [] : left.splice(at, 1);
    return { call, findings: findingsOn(call, record.findings), ...(made !== undefined && { made }) };
  });
  const onCalls = new Set(calls.flatMap(({ findings }) => findings));
  return {
    record,
    findings: record.findings.filter((finding) => !onCalls.has(finding)),
    calls,
    others: left,
    isNotable:
      outcomeOf(record) !== 'passed' ||
      calls.some(({ call, made }) => call.action !== 'allow' || made?.isNotable === true) ||
      left.some(({ isNotable }) => isNotable),
  };
}

/** Whether a call by this name is one of `server/tool`: clients put the server before the tool's name, as in `mcp__files__search`. */
function isCallOf(called: string, ofServer: string): boolean {
  const tool = ofServer.slice(ofServer.indexOf('/') + 1);
  return called === tool || called.endsWith(`_${tool}`) || called === ofServer;
}
