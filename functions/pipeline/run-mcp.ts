import { NO_NEED, toolLimitsOf } from '../control/limits/index.ts';
import { CallInspector, definitionReport, policyOf, Redaction } from '../inspection/index.ts';
import { MCP_TARGET, type StoredMcpServer } from '../kernel/configuration/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { RequestHeaders } from '../kernel/http/index.ts';
import { type JsonDocument, spliceJson } from '../kernel/json/index.ts';
import { matchesGlob, type SecurityInfo } from '../kernel/model/index.ts';
import { runInSlices } from '../kernel/tasks/index.ts';
import {
  checkParamHeaders,
  isServed,
  isServerFault,
  McpError,
  type McpMessage,
  type McpServers,
  type McpTool,
  stateOf,
  toMcpCall,
} from '../translation/index.ts';
import { Admission } from './admit.ts';
import { addFailure, finishRequest } from './finish-request.ts';
import { inspectMcpCall, inspectServerText, trustedPolicy } from './inspect-mcp.ts';
import { depsUnder, type PipelineDeps } from './pipeline-deps.ts';
import { placeholderScope } from './request-context.ts';
import { type ToolNotices, withoutNames } from './request-events.ts';
import { askingRequest, type RunningRequest, recordingUnder, securityInfo } from './request-outcome.ts';
import { RequestSums } from './request-sums.ts';
import { joinSession } from './session-past.ts';

/** Dependencies of requests to MCP servers. */
export interface McpDeps extends PipelineDeps {
  readonly mcp: Pick<McpServers, 'find' | 'tools' | 'send'>;
  readonly toolNotices: ToolNotices;
}

/** A message of a client to an MCP server. */
export interface McpRequestToRun {
  readonly server: StoredMcpServer;
  readonly message: McpMessage & { readonly id: NonNullable<McpMessage['id']> };
  readonly document: JsonDocument;
  readonly headers: RequestHeaders;
}

/**
 * Handles `tools/list` or `tools/call`: admit, inspect, call the server, inspect what it returns, finish. Yields the messages of the
 * response, each when it may be sent; `outcome.asked.stream` says whether they are events. Throws a GatewayError.
 */
export async function* runMcp(
  request: RunningRequest,
  asked: McpRequestToRun,
  gatewayDeps: McpDeps,
): AsyncGenerator<string[], void> {
  const { context, outcome } = request;
  const sharedLimits = [...context.sharedLimits, ...limitsOfCall(context, asked)];
  const admission = new Admission({ ...context, sharedLimits }, outcome, gatewayDeps);
  outcome.admission = admission;
  try {
    const policy = policyOf(context.key.policy);
    const recording = recordingUnder(policy);
    outcome.recording = recording;
    const { mcp, toolNotices } = gatewayDeps;
    const deps = { ...depsUnder(policy, context.key.id, recording.shadow, gatewayDeps), mcp, toolNotices };
    const joined = joinSession(context, outcome, deps);
    const past = outcome.joins(joined);
    const stage = {
      policy,
      past,
      memory: joined.then(({ memory }) => memory),
      redaction: new Redaction(placeholderScope(context)),
    };
    await admission.during(NO_NEED, () => {});
    if (asked.message.method === 'tools/list') yield [await listTools(request, asked, stage, deps)];
    else yield* callTool(request, asked, stage, deps);
    await past;
    if (outcome.ending === 'failed') outcome.endsAs('completed');
  } catch (thrown) {
    throw addFailure(request, thrown);
  } finally {
    finishRequest(request, admission, gatewayDeps);
  }
}

/** The limits of tools that a request takes from. */
function limitsOfCall({ key }: RunningRequest['context'], { server, message }: McpRequestToRun) {
  const { name } = message.params;
  return message.method === 'tools/call' && typeof name === 'string' ? toolLimitsOf(key.id, server, name) : [];
}

/** How a request is inspected. */
interface Stage extends Pick<Parameters<typeof inspectServerText>[2], 'policy' | 'past' | 'redaction'> {
  readonly memory: ConstructorParameters<typeof CallInspector>[2]['memory'];
}

/** Whether a key and its team may use a tool. */
function mayUse({ context: { key } }: RunningRequest, tool: string): boolean {
  const lists = [key.allowedTools ?? [], key.team?.allowedTools ?? []];
  return lists.every((globs) => globs.length === 0 || globs.some((glob) => matchesGlob(glob, tool)));
}

/** How long clients may believe a list: an approval is in force within this time. */
const LIST_TTL_MS = 10_000;

/** The list of the tools that the key may use. A definition that no administrator approved is inspected; one that the policy blocks is withheld. */
async function listTools(
  request: RunningRequest,
  { server, message }: McpRequestToRun,
  stage: Stage,
  deps: McpDeps,
): Promise<string> {
  const { tools } = await callServer(request, server, deps, () => deps.mcp.tools(server));
  noteRemoved(request, server, tools, deps);
  const listed: unknown[] = [];
  for (const tool of tools.values()) {
    if (!mayUse(request, `${server.name}/${tool.name}`)) continue;
    const shown = await shownDefinition(request, server, tool, stage, deps);
    if (shown !== undefined) listed.push(shown);
  }
  const more = { resultType: 'complete', ttlMs: LIST_TTL_MS, cacheScope: 'private' };
  return JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { tools: listed, ...(message.isModern && more) } });
}

/** A definition as clients may see it; undefined if it is withheld. */
async function shownDefinition(
  request: RunningRequest,
  server: StoredMcpServer,
  tool: McpTool,
  stage: Stage,
  deps: McpDeps,
): Promise<unknown> {
  const { outcome } = request;
  const { state, fields } = knownState(request, server, tool, deps);
  if (!isServed(state, server)) return undefined;
  if (state === 'approved') return tool.definition;
  if (state === 'changed' && server.onChange === 'flag')
    definitionReport(stage.policy, outcome.inspection).changed([{ tool: { field: 'result.tools' }, fields }], 'flag');
  const value = { definition: tool.definition };
  const document = { text: JSON.stringify(value), value };
  const text = { document, member: 'definition' } as const;
  const shown = await inspectServerText(outcome, text, stage, askingRequest(request), deps);
  return shown === undefined ? undefined : (JSON.parse(shown) as typeof value).definition;
}

/** The state of a definition. A change that this process has not reported yet is reported by the request. */
function knownState(
  { outcome }: RunningRequest,
  server: StoredMcpServer,
  tool: McpTool,
  { toolNotices }: McpDeps,
): ReturnType<typeof stateOf> {
  const found = stateOf(tool, server);
  const { digest } = tool.version;
  const change = `${server.name}/${tool.name} ${digest}`;
  if (found.state === 'changed' && server.onChange !== 'off' && !toolNotices.has(change)) {
    const approvedDigest = server.approved[tool.name]?.digest as string;
    const data = { server: server.name, tool: tool.name, digest, approvedDigest, fields: found.fields };
    outcome.changedTool = { data, published: () => toolNotices.add(change) };
  }
  return found;
}

/** The first request that finds an approved tool gone reports it. */
function noteRemoved(
  { outcome }: RunningRequest,
  { name: server, approved, onChange }: StoredMcpServer,
  tools: ReadonlyMap<string, McpTool>,
  { toolNotices }: McpDeps,
): void {
  if (onChange === 'off') return;
  for (const [tool, { digest: approvedDigest }] of Object.entries(approved)) {
    const removal = `${server}/${tool} removed ${approvedDigest}`;
    if (tools.has(tool) || toolNotices.has(removal)) continue;
    const data = { server, tool, digest: null, approvedDigest, fields: [] };
    outcome.changedTool = { data, published: () => toolNotices.add(removal) };
    return;
  }
}

/** Calls a tool, and yields what its server returns. */
async function* callTool(
  request: RunningRequest,
  asked: McpRequestToRun,
  stage: Stage,
  deps: McpDeps,
): AsyncGenerator<string[], void> {
  const { context, lifetime, outcome } = request;
  const { server, message, document, headers } = asked;
  const tool = await findTool(request, asked, deps);
  const name = `${server.name}/${tool.name}`;
  outcome.tool = name;
  if (message.isModern) checkParamHeaders(tool, message.params.arguments, headers);
  const sums = new RequestSums(context, outcome, deps);
  outcome.sums = sums;
  const policy = server.trust === 'trusted' ? trustedPolicy(context.key.policy) : stage.policy;
  const call = { sender: context.key.id, policy, memory: stage.memory, sums };
  const { calls, blocked } = await inspectMcpCall(outcome, { tool: name, message }, call, deps, lifetime.signal);
  outcome.toolCalls = calls;
  if (blocked !== undefined) {
    yield [refusal(request, asked, blocked)];
    return;
  }
  const answer = await callServer(request, server, deps, () =>
    deps.mcp.send(server, toMcpCall(tool, message, document), lifetime.signal),
  );
  // A list may be from before.
  deps.breaker.succeeded(targetOf(server));
  outcome.asked = { model: '', stream: answer.isStream };
  for await (const received of counted(request, server, answer.messages, deps)) {
    const filtered = await withoutKeys(received.document, deps);
    const sent = received.isResponse
      ? await inspectResult(request, asked, { document: filtered, name, calls, isModern: answer.isModern }, stage, deps)
      : await inspectServerText(outcome, { document: filtered, member: 'params' }, stage, askingRequest(request), deps);
    outcome.times.firstPieceSent();
    if (sent !== undefined) yield [sent];
  }
}

/** @throws McpError for a tool that the key may not use, or that is withheld */
async function findTool(
  request: RunningRequest,
  { server, message }: McpRequestToRun,
  deps: McpDeps,
): Promise<McpTool> {
  const { name, arguments: args } = message.params;
  const isCall =
    typeof name === 'string' &&
    (args === undefined || (typeof args === 'object' && args !== null && !Array.isArray(args)));
  if (!isCall)
    throw new McpError('invalidParams', "'params' must have the name of a tool, and its arguments as an object.", {
      param: 'params',
    });
  const { tools } = await callServer(request, server, deps, () => deps.mcp.tools(server));
  noteRemoved(request, server, tools, deps);
  const tool = tools.get(name);
  if (tool === undefined || !mayUse(request, `${server.name}/${name}`))
    throw new McpError('invalidParams', 'Unknown tool.', { param: 'params.name', isUnknown: true });
  const { state } = knownState(request, server, tool, deps);
  if (isServed(state, server)) return tool;
  const why = state === 'new' ? 'was not approved yet' : 'has changed since it was approved';
  throw new McpError('invalidParams', `The tool is withheld: its definition ${why}.`, {
    param: 'params.name',
    isUnknown: true,
  });
}

/** Runs a call of a server, under its circuit breaker. @throws GatewayError */
async function callServer<T>(
  { outcome }: RunningRequest,
  server: StoredMcpServer,
  { breaker, clock }: McpDeps,
  call: () => Promise<T>,
): Promise<T> {
  const target = targetOf(server);
  if (breaker.decide(target) === 'skip')
    throw new GatewayError(
      'provider_error',
      `The MCP server ${server.name} failed several times: it is not called now.`,
      {
        headers: { 'retry-after': '15' },
        internal: `mcp server ${server.name}: circuit open`,
      },
    );
  outcome.times.providerCalled();
  const startedAt = clock.monotonic();
  try {
    return await call();
  } catch (error) {
    if (isServerFault(error)) breaker.failed(target, startedAt);
    throw error;
  }
}

/** The messages of a server. One that breaks off counts against it. */
async function* counted<T>(
  { lifetime }: RunningRequest,
  server: StoredMcpServer,
  messages: AsyncIterable<T>,
  { breaker, clock }: McpDeps,
): AsyncGenerator<T, void> {
  const startedAt = clock.monotonic();
  try {
    yield* messages;
  } catch (error) {
    if (isServerFault(error) && !lifetime.signal.aborted) breaker.failed(targetOf(server), startedAt);
    throw error;
  }
}

function targetOf({ name }: StoredMcpServer) {
  return { provider: `${MCP_TARGET}${name}`, model: name };
}

/** A message without the operator's keys. */
async function withoutKeys(document: JsonDocument, { providerKeys, scheduler }: McpDeps): Promise<JsonDocument> {
  const keys = providerKeys?.();
  if (keys === undefined) return document;
  const text = await runInSlices(keys.inJson(document.text), scheduler);
  return text === document.text ? document : { text, value: JSON.parse(text) };
}

interface Result {
  readonly document: JsonDocument;
  readonly name: string;
  readonly calls: CallInspector;
  /** Whether the server is of the revision 2026-07-28. */
  readonly isModern: boolean;
}

/** The response of a server as the client may have it: inspected, in the client's revision. */
async function inspectResult(
  request: RunningRequest,
  asked: McpRequestToRun,
  { document, name, calls, isModern }: Result,
  stage: Stage,
  deps: McpDeps,
): Promise<string> {
  const { outcome } = request;
  const { result } = document.value as { readonly result?: Readonly<Record<string, unknown>> };
  const { resultType = 'complete' } = result ?? {};
  if (result !== undefined && !asked.message.isModern && resultType !== 'complete')
    return refusal(
      request,
      asked,
      'The tool asks for more input, which clients of this revision of MCP cannot give through the gateway.',
    );
  const member = result === undefined ? 'error' : 'result';
  const text = { document, member, isCaptured: true } as const;
  const shown = await inspectServerText(outcome, text, stage, askingRequest(request), deps);
  outcome.inspection.inspectedInput([member]);
  await learn(request, name, document, calls, stage, deps);
  if (shown === undefined)
    return refusal(request, asked, 'The security policy of this API key blocks the result of this tool.');
  const lacksType = asked.message.isModern && !isModern && result !== undefined && result.resultType === undefined;
  return lacksType
    ? spliceJson(shown, [{ kind: 'insert', path: ['result'], key: 'resultType', json: '"complete"' }])
    : shown;
}

/** Remembers for later requests of the session what the result names, and which call was made. */
async function learn(
  { context, outcome }: RunningRequest,
  name: string,
  { text }: JsonDocument,
  calls: CallInspector,
  { policy, memory }: Stage,
  { inspector, scheduler }: McpDeps,
): Promise<void> {
  await outcome.learns(async () => {
    const messages = [
      { role: 'assistant', parts: [], toolCalls: [{ id: 'call', name, arguments: '{}' }] },
      { role: 'tool', parts: [{ type: 'text', text }], toolCallId: 'call' },
    ] as const;
    const deps = { sender: context.key.id, policy, report: outcome.inspection, scheduler, inspector, memory };
    const [made, read] = await Promise.all([calls.learn(), new CallInspector({ messages }, true, deps).learn()]);
    return { ...read, occurred: [...made.occurred, ...read.occurred] };
  });
}

/** The report without names of members, in which a server could write to the model. */
function withoutTexts({ detected_threats: threats, ...svc }: SecurityInfo): SecurityInfo {
  return { ...svc, detected_threats: threats.map(withoutNames) };
}

/** The response to a call that is blocked: an error in the form of a tool's result, so that the agent goes on. */
function refusal({ context, outcome }: RunningRequest, { message }: McpRequestToRun, text: string): string {
  outcome.endsAs('blocked', 'content_filter');
  const result = {
    ...(message.isModern && { resultType: 'complete' }),
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { 'svc/report': withoutTexts(securityInfo(context, outcome)) },
  };
  return JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
}
