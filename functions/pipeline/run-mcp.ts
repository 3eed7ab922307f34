import { NO_NEED, type SharedLimit, toolLimitsOf } from '../control/limits/index.ts';
import { CallInspector, policyOf, Redaction } from '../inspection/index.ts';
import type { StoredMcpServer } from '../kernel/configuration/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { RequestHeaders } from '../kernel/http/index.ts';
import { type JsonDocument, type JsonEdit, spliceJson } from '../kernel/json/index.ts';
import type { SecurityInfo } from '../kernel/model/index.ts';
import {
  asksTooMuch,
  checkParamHeaders,
  isServed,
  isServerFault,
  joinedName,
  listedBy,
  McpError,
  type McpItem,
  type McpMessage,
  type McpTarget,
  nameOf,
  readMcpTarget,
  recordedName,
  serverOf,
  servesKind,
  toMcpRequest,
} from '../translation/index.ts';
import { Admission } from './admit.ts';
import { addFailure, finishRequest } from './finish-request.ts';
import { inspectMcpCall, inspectServerText, trustedPolicy } from './inspect-mcp.ts';
import {
  callServer,
  hasToolLists,
  itemsOf,
  knownState,
  listMcp,
  type McpDeps,
  type McpStage,
  mayReach,
  mayUse,
  targetOf,
} from './list-mcp.ts';
import { depsUnder } from './pipeline-deps.ts';
import { placeholderScope } from './request-context.ts';
import { withoutNames } from './request-events.ts';
import { askingRequest, type RunningRequest, recordingUnder, securityInfo } from './request-outcome.ts';
import { RequestSums } from './request-sums.ts';
import { joinSession } from './session-past.ts';

/** A message of a client to an MCP server. */
export interface McpRequestToRun {
  /** Undefined for the tools of all servers. */
  readonly server: StoredMcpServer | undefined;
  readonly message: McpMessage & { readonly id: NonNullable<McpMessage['id']> };
  readonly document: JsonDocument;
  readonly headers: RequestHeaders;
}

/**
 * Handles a list or a call: admit, inspect, call the server, inspect what it returns, finish. Yields the messages of the response, each
 * when it may be sent; `outcome.asked.stream` says whether they are events. Throws a GatewayError.
 */
export async function* runMcp(
  request: RunningRequest,
  asked: McpRequestToRun,
  gatewayDeps: McpDeps,
): AsyncGenerator<string[], void> {
  const { context, outcome } = request;
  outcome.mcpServer = asked.server?.name;
  let failure: unknown;
  const ofTools = await limitsOfCall(request, asked, gatewayDeps).catch((thrown: unknown) => {
    failure = thrown;
    return [];
  });
  const sharedLimits = [...context.sharedLimits, ...ofTools];
  const admission = new Admission({ ...context, sharedLimits }, outcome, gatewayDeps);
  outcome.admission = admission;
  try {
    // Without its limits a call is not made.
    if (failure !== undefined) throw failure;
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
    const { message, server } = asked;
    const kind = listedBy(message.method);
    if (kind === undefined) yield* callMcp(request, asked, stage, deps);
    else {
      const result = await listMcp(request, { server, kind, isModern: message.isModern }, stage, deps);
      yield [`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result}}`];
    }
    await past;
    if (outcome.ending === 'failed') outcome.endsAs('completed');
  } catch (thrown) {
    throw addFailure(request, thrown);
  } finally {
    finishRequest(request, admission, gatewayDeps);
  }
}

/** The limits of tools that a request takes from. @throws GatewayError if the list of the server is needed, and fails */
async function limitsOfCall(
  request: RunningRequest,
  { server: named, message }: McpRequestToRun,
  deps: McpDeps,
): Promise<readonly SharedLimit[]> {
  const { name } = message.params;
  if (message.method !== 'tools/call' || typeof name !== 'string') return [];
  const { id: keyId } = request.context.key;
  if (named !== undefined) return toolLimitsOf(keyId, named, name);
  const server = (await deps.mcp.all()).find((one) => one.name === serverOf(name));
  if (!server?.toolLimits?.length || !mayReach(request, server)) return [];
  // The name of a tool among those of all servers may be shortened: only the list has the whole one.
  const items = await itemsOf(request, server, 'tool', deps);
  const tool = [...items.values()].find((one) => joinedName(server.name, one.id) === name)?.id;
  return tool === undefined ? [] : toolLimitsOf(keyId, server, tool);
}

/** How a request is inspected. */
interface Stage extends McpStage {
  readonly memory: ConstructorParameters<typeof CallInspector>[2]['memory'];
}

/** A call whose server is known. */
interface McpCall extends McpRequestToRun {
  readonly server: StoredMcpServer;
  readonly target: McpTarget;
  readonly item: Pick<McpItem, 'id' | 'mirrored'>;
  /** `server/tool`, as records and rules have it. */
  readonly name: string;
}

/** Calls a server, and yields what it returns. */
async function* callMcp(
  request: RunningRequest,
  asked: McpRequestToRun,
  stage: Stage,
  deps: McpDeps,
): AsyncGenerator<string[], void> {
  const { context, lifetime, outcome } = request;
  const call = await findCall(request, asked, deps);
  const { server, message, headers, item, name, target } = call;
  outcome.mcpServer = server.name;
  outcome.tool = name;
  if (message.isModern) checkParamHeaders(item, message.params.arguments, headers);
  const sums = new RequestSums(context, outcome, deps);
  outcome.sums = sums;
  const policy = server.trust === 'trusted' ? trustedPolicy(context.key.policy) : stage.policy;
  const sending = { sender: context.key.id, policy, memory: stage.memory, sums };
  const made = { tool: name, message, args: target.args };
  const { calls, blocked } = await inspectMcpCall(outcome, made, sending, deps, lifetime.signal);
  outcome.toolCalls = calls;
  if (blocked !== undefined) {
    yield [refusal(request, asked, blocked)];
    return;
  }
  const answer = await callServer(request, server, deps, () =>
    deps.mcp.send(server, toMcpRequest(item, message, call.document), lifetime.signal),
  );
  // A list may be from before.
  deps.breaker.succeeded(targetOf(server));
  outcome.asked = { model: '', stream: answer.isStream };
  for await (const { document, isResponse } of counted(request, server, answer.messages, deps)) {
    const sent = isResponse
      ? await inspectResult(request, call, { document, calls, isModern: answer.isModern }, stage, deps)
      : await inspectServerText(outcome, { document, member: 'params' }, stage, askingRequest(request), deps);
    outcome.times.firstPieceSent();
    const isError = isResponse && 'error' in (document.value as object);
    // Clients of older revisions read errors from a 200 only.
    if (isError && message.isModern && !answer.isStream && outcome.ending !== 'blocked')
      outcome.sentStatus(answer.status);
    if (sent !== undefined) yield [sent];
  }
}

const NOUNS = { tool: 'tool', prompt: 'prompt', template: 'resource template', resource: 'resource' } as const;

/** The server of a call, and what it names there. @throws McpError for what the key may not use, or what is withheld */
async function findCall(request: RunningRequest, asked: McpRequestToRun, deps: McpDeps): Promise<McpCall> {
  const target = readMcpTarget(asked.message);
  const { kind, id, field: param } = target;
  const noun = NOUNS[kind];
  const unknown = () => new McpError('invalidParams', `Unknown ${noun}.`, { param, isUnknown: true });
  const server = asked.server ?? (await deps.mcp.all()).find(({ name }) => name === serverOf(id));
  if (server === undefined || !mayReach(request, server) || !servesKind(server, kind)) throw unknown();
  if (kind === 'resource') {
    if (!mayUse(request, `${server.name}/${nameOf(kind, id)}`) || climbs(request, id)) throw unknown();
    return { ...asked, server, target, item: { id, mirrored: [] }, name: recordedName(server.name, target) };
  }
  const items = await itemsOf(request, server, kind, deps);
  const item =
    asked.server === undefined
      ? [...items.values()].find((one) => joinedName(server.name, one.id) === id)
      : items.get(id);
  if (item === undefined || !mayUse(request, `${server.name}/${item.name}`)) throw unknown();
  const { state } = knownState(request, server, item, deps);
  if (isServed(state, server)) return { ...asked, server, target, item, name: recordedName(server.name, item) };
  const why = state === 'new' ? 'was not approved yet' : 'has changed since it was approved';
  throw new McpError('invalidParams', `The ${noun} is withheld: its definition ${why}.`, { param, isUnknown: true });
}

/** Whether an address may leave the folder that `allowedTools` names: a server would resolve its dots. */
function climbs(request: RunningRequest, uri: string): boolean {
  return hasToolLists(request) && DOT_SEGMENT.test(uri);
}

const DOT_SEGMENT = /(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?=$|[/\\?#]|%2f|%5c)/i;

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

interface Result {
  readonly document: JsonDocument;
  readonly calls: CallInspector;
  /** Whether the server is of the revision 2026-07-28. */
  readonly isModern: boolean;
}

/** The response of a server as the client may have it: inspected, in the client's revision. */
async function inspectResult(
  request: RunningRequest,
  call: McpCall,
  { document, calls, isModern }: Result,
  stage: Stage,
  deps: McpDeps,
): Promise<string> {
  const { outcome } = request;
  const { message, server } = call;
  const { result } = document.value as { readonly result?: Readonly<Record<string, unknown>> };
  const { resultType = 'complete' } = result ?? {};
  const asksInput = result !== undefined && resultType !== 'complete';
  if (asksInput && !message.isModern)
    return refusal(
      request,
      call,
      'The server asks for more input, which clients of this revision of MCP cannot give through the gateway.',
    );
  const member = result === undefined ? 'error' : 'result';
  const text = { document, member, isCaptured: true } as const;
  const shown = await inspectServerText(outcome, text, stage, askingRequest(request), deps);
  outcome.inspection.inspectedInput([member]);
  await learn(request, call.name, document, calls, stage, deps);
  if (shown === undefined) {
    const noun = NOUNS[call.target.kind];
    return refusal(request, call, `The security policy of this API key blocks the result of this ${noun}.`);
  }
  if (asksInput && (message.method === 'completion/complete' || asksTooMuch(result, message)))
    throw new GatewayError(
      'provider_error',
      `The MCP server ${server.name} asks for input that the client cannot give.`,
      { internal: `mcp server ${server.name}: input that the client has not declared` },
    );
  return result === undefined || !message.isModern ? shown : spliceJson(shown, forModern(result, call, isModern));
}

/** What a result gets for a client of the revision 2026-07-28: members that older servers do not send, and no other client may have it. */
function forModern(
  { resultType, ttlMs, cacheScope }: Readonly<Record<string, unknown>>,
  { message }: McpCall,
  isModern: boolean,
): JsonEdit[] {
  const insert = (key: string, value: unknown): JsonEdit => ({
    ...{ kind: 'insert', path: ['result'], key, json: JSON.stringify(value) },
  });
  const edits: JsonEdit[] = isModern || resultType !== undefined ? [] : [insert('resultType', 'complete')];
  const isCacheable = message.method === 'resources/read';
  if (isCacheable && !isModern && ttlMs === undefined) edits.push(insert('ttlMs', 0));
  if (isCacheable && !isModern && cacheScope === undefined) edits.push(insert('cacheScope', 'private'));
  // The policy of another key may decide in another way.
  if (cacheScope === 'public') edits.push({ kind: 'replace', path: ['result', 'cacheScope'], json: '"private"' });
  return edits;
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

/** The response to what is blocked: of a tool, an error in the form of its result, so that the agent goes on. */
function refusal({ context, outcome }: RunningRequest, { message }: McpRequestToRun, text: string): string {
  outcome.endsAs('blocked', 'content_filter');
  const svc = withoutTexts(securityInfo(context, outcome));
  if (message.method !== 'tools/call')
    return JSON.stringify(context.errorShape(new GatewayError('content_filter', text, { svc }), context.requestId));
  const result = {
    ...(message.isModern && { resultType: 'complete' }),
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { 'svc/report': svc },
  };
  return JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
}
