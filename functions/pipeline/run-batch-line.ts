import { createHash } from 'node:crypto';
import type { StoredBatch } from '../control/batches/index.ts';
import { limitsOf, type Need, type Verdict } from '../control/limits/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { RequestDocument } from '../kernel/json/index.ts';
import type { ChatProvider, Protocol, Target } from '../translation/index.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext, Tracking } from './request-context.ts';
import { type RunningRequest, startRequest } from './request-outcome.ts';
import { runChat } from './run-chat.ts';
import type { LineOutcome } from './stored-batch.ts';

type ProviderResponse = Awaited<ReturnType<ChatProvider['complete']>>;

/** What came of the first run of a line. */
export type PreparedLine =
  /** `need`: what the line may use at most, which its batch reserves. */
  | { readonly kind: 'sent'; readonly target: Target; readonly body: string; readonly need: Need }
  /** The response needs no provider, such as the refusal of a blocked request. */
  | { readonly kind: 'answered'; readonly response: readonly string[] };

/** A line of a batch, as a request. */
export interface BatchLine<Body> {
  /** Under the same id in a repetition of a run. */
  readonly request: RunningRequest;
  readonly document: RequestDocument;
  readonly protocol: Protocol<Body>;
  /** The canary: letters that are secret and the same in both runs, since the result is compared with what was sent. */
  readonly marker: string;
}

/** The result that a provider has for a line, and where it was sent. */
export interface LineResult {
  readonly target: Target;
  /** Whether an earlier run has recorded it: then nothing is written about it again. */
  readonly isRecorded: boolean;
  /** @throws GatewayError of a line that failed */
  response(): Promise<ProviderResponse>;
  /** Called once with what the line used; the batch settles that. */
  used(used: Need): void;
}

/**
 * Runs a line of a batch up to the call of its provider. A line is a request whose provider responds hours later: it runs twice through the
 * same pipeline, and nothing but the line itself is stored in between. This run takes no limits, and writes nothing about a line that is
 * sent: its second run does. @param wanted the provider that it must go to; any if undefined
 * @throws GatewayError of a line that is blocked or refused, which is recorded
 */
export async function prepareLine<Body>(
  line: BatchLine<Body>,
  deps: PipelineDeps,
  wanted?: string,
): Promise<PreparedLine> {
  const { document, protocol } = line;
  const request = marked(line);
  let need: Need | undefined;
  let sent: Omit<Extract<PreparedLine, { kind: 'sent' }>, 'need' | 'kind'> | undefined;
  const take = (target: Target, body: string) => {
    sent = { target, body };
  };
  const { context } = request;
  const limiter = withoutLimits(context.key, deps, (asked) => {
    need ??= asked;
    return undefined;
  });
  const first = {
    ...storingUnless(() => sent !== undefined, deps),
    limiter,
    ...firstTarget(take, protocol, deps, wanted),
  };
  const response: string[] = [];
  try {
    for await (const batch of runChat(request, document, protocol, first)) response.push(...batch);
  } catch (error) {
    if (sent === undefined || need === undefined) throw error;
    return { kind: 'sent', ...sent, need };
  }
  return { kind: 'answered', response };
}

/**
 * Runs a line again, now with the provider's result as its response: input and output are inspected, and one record, event and capture is
 * written under the request's id. @throws GatewayError
 */
export function completeLine<Body>(
  line: BatchLine<Body>,
  { target, isRecorded, response, used }: LineResult,
  allDeps: PipelineDeps,
): AsyncGenerator<string[], void> {
  const { document, protocol } = line;
  const deps = isRecorded ? storingUnless(() => true, allDeps) : allDeps;
  const request = marked(line);
  const limiter = withoutLimits(request.context.key, deps, () => ({ settle: async (need) => used(need) }));
  const complete = async () => response();
  const providers = replacedProviders(deps, () => complete);
  const router: PipelineDeps['router'] = {
    ...routerOf(deps),
    route: async (...asked) => ({ ...(await deps.router.route(...asked)), targets: [target], route: undefined }),
  };
  return runChat(request, document, protocol, { ...deps, ...LATER, ...withoutCodes(deps), limiter, providers, router });
}

/** A code in a line releases no call: the second run would find that the first has used it. */
function withoutCodes({ approvals }: Pick<PipelineDeps, 'approvals'>): Pick<PipelineDeps, 'approvals'> {
  return {
    approvals: {
      request: (...of) => approvals.request(...of),
      redeem: async () => [],
      deny: async () => {},
      denials: (...of) => approvals.denials(...of),
    },
  };
}

function marked({ request, marker }: Pick<BatchLine<unknown>, 'request' | 'marker'>): RunningRequest {
  return { ...request, context: { ...request.context, marker } };
}

/** A result says nothing about how its provider is now. */
const LATER: Pick<PipelineDeps, 'breaker'> = {
  breaker: { prepare: () => {}, decide: () => 'call', succeeded: () => {}, failed: () => {}, silent: () => {} },
};

type Reserve = (need: Need) => Extract<Verdict, { admitted: true }>['reservation'];

/** Admits each request. `reserve` gets the need of the line; slots of targets are not taken. */
function withoutLimits(
  key: RunningRequest['context']['key'],
  { limiter }: Pick<PipelineDeps, 'limiter'>,
  reserve: Reserve,
): PipelineDeps['limiter'] {
  return {
    admit: async (id, _, need) => {
      const states = await limiter.peek(key.id, limitsOf(key));
      return { admitted: true, states, reservation: id === key.id ? reserve(need) : undefined };
    },
    peek: (...of) => limiter.peek(...of),
  };
}

/** Stores that take nothing of a request that was sent. */
function storingUnless(isSent: () => boolean, deps: PipelineDeps): PipelineDeps {
  const { records, captures, log, sessions, issuedIds } = deps;
  const unless =
    <Given extends readonly unknown[]>(write: (...given: Given) => Promise<void>) =>
    async (...given: Given) => {
      if (!isSent()) await write(...given);
    };
  return {
    ...deps,
    records: { write: unless((...of: Parameters<typeof records.write>) => records.write(...of)) },
    captures: { write: unless((...of: Parameters<typeof captures.write>) => captures.write(...of)) },
    log: { record: (summary) => isSent() || log.record(summary), lost: (...of) => log.lost(...of) },
    sessions: {
      read: (...of) => sessions.read(...of),
      join: (...of) => sessions.join(...of),
      update: unless((...of: Parameters<typeof sessions.update>) => sessions.update(...of)),
    },
    issuedIds: {
      find: (ids) => issuedIds.find(ids),
      keep: unless((...of: Parameters<typeof issuedIds.keep>) => issuedIds.keep(...of)),
      update: unless((...of: Parameters<typeof issuedIds.update>) => issuedIds.update(...of)),
      read: async (...of) => !isSent() && (await issuedIds.read(...of)),
    },
    ...withoutCodes(deps),
  };
}

/** The line's first target, which must have the line's protocol: a batch is not translated. Its call is taken and not made. */
function firstTarget<Body>(
  take: (target: Target, body: string) => void,
  { operation }: Pick<Protocol<Body>, 'operation'>,
  deps: PipelineDeps,
  wanted: string | undefined,
): Pick<PipelineDeps, 'router' | 'providers' | 'breaker'> {
  const route: PipelineDeps['router']['route'] = async (...asked) => {
    const routed = await deps.router.route(...asked);
    const [first] = routed.targets;
    const target = wanted === undefined ? first : routed.targets.find(({ provider }) => provider === wanted);
    if (target === undefined) throw notAtOneProvider(first, wanted);
    const hasBatches = deps.providers.get(target.provider)?.batches !== undefined;
    if (!hasBatches || !deps.router.isNative([target], operation)) throw notInBatches(target);
    return { ...routed, targets: [target], route: undefined };
  };
  const providers = replacedProviders(deps, (provider) => async (call) => {
    const { name } = provider;
    const body = provider.batchBody?.(call);
    if (body === undefined) throw notInBatches({ provider: name, model: call.model });
    take({ provider: name, model: call.model }, body);
    throw new GatewayError('internal_error', 'The request was sent in a batch.');
  });
  return { ...LATER, router: { ...routerOf(deps), route }, providers };
}

function routerOf({ router }: Pick<PipelineDeps, 'router'>): PipelineDeps['router'] {
  return {
    prepare: () => router.prepare(),
    route: (...of) => router.route(...of),
    serving: (...of) => router.serving(...of),
    isNative: (...of) => router.isNative(...of),
    served: () => {},
  };
}

/** The providers, whose calls are replaced. */
function replacedProviders(
  { providers }: Pick<PipelineDeps, 'providers'>,
  completeOf: (provider: ChatProvider) => ChatProvider['complete'],
): PipelineDeps['providers'] {
  const replaced = (provider: ChatProvider): ChatProvider =>
    Object.assign(Object.create(provider), { complete: completeOf(provider) });
  return {
    get: (name) => {
      const provider = providers.get(name);
      return provider && replaced(provider);
    },
    has: (name) => providers.has(name),
    values: () => providers.values(),
  };
}

function notAtOneProvider({ provider, model }: Target, wanted = ''): GatewayError {
  const message = `All requests of a batch need the same provider: ${provider}/${model} is not at ${wanted}, which has the first.`;
  return new GatewayError('invalid_value', message, { param: 'model' });
}

function notInBatches({ provider, model }: Pick<Target, 'provider' | 'model'>): GatewayError {
  const message = `${provider}/${model} serves no batches of this API. Use a model whose provider has the API of the request.`;
  return new GatewayError('invalid_value', message, { param: 'model' });
}

/** That of the record of each line. */
const ROUTE = '/v1/messages/batches';

/** Lines only show the state of the limits. */
export function readingLimitsOnce<Deps extends Pick<PipelineDeps, 'limiter'>>(deps: Deps): Deps {
  const { limiter } = deps;
  let states: ReturnType<typeof limiter.peek> | undefined;
  const peek: typeof limiter.peek = (...of) => {
    states ??= limiter.peek(...of);
    return states;
  };
  return { ...deps, limiter: { admit: (...of) => limiter.admit(...of), peek } };
}

export function erroredAs({ context }: RunningRequest, failure: GatewayError): LineOutcome {
  return { type: 'errored', error: context.errorShape(failure, context.requestId) };
}

export const TIME_DIGITS = 12;

/** A line as a request: its id has the time of the batch, and is the same in each of its runs, so that its record is written once. */
export function runningLine(
  context: RequestContext,
  { id, createdAt }: Pick<StoredBatch, 'id' | 'createdAt'>,
  at: number,
  tracking: Tracking,
  { clock }: Pick<PipelineDeps, 'clock'>,
): RunningRequest {
  const digits = createHash('sha256')
    .update(JSON.stringify([id, at]))
    .digest('hex')
    .slice(0, 20);
  const requestId = `req_${createdAt.toString(16).padStart(TIME_DIGITS, '0')}${digits}`;
  const line = { ...context, route: ROUTE, requestId, receivedAt: createdAt, tracking, cacheSeconds: undefined };
  return startRequest(line, clock, clock.monotonic());
}
