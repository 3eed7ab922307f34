import { type CachedRequest, type CacheScope, MAX_CACHED_BYTES } from '../control/stored-items/index.ts';
import { ResponseSealer } from '../kernel/crypto/index.ts';
import { identityOf } from '../kernel/json/index.ts';
import type { ChatCompletion, ChatDelta, Warning } from '../kernel/model/index.ts';
import { giveWayFor } from '../kernel/tasks/index.ts';
import type { Protocol, Target, Targets } from '../translation/index.ts';
import type { TranslatedAnswer } from './ask-provider.ts';
import type { TextResponse } from './call-provider.ts';
import type { Outgoing } from './inspect-chat.ts';
import type { Parsed } from './parse-request.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { type RequestContext, refOf } from './request-context.ts';
import { errorName } from './session-past.ts';

type CacheDeps = Pick<
  PipelineDeps,
  'responseCache' | 'targetIdentity' | 'digestKeys' | 'backgroundTasks' | 'log' | 'scheduler'
>;

/** The call that a stored response would replace. */
interface Asked<Body> {
  readonly outgoing: Outgoing<Body>;
  readonly targets: Targets;
  readonly maxOutputTokens?: number | undefined;
}

/** What a request may do with the cache of responses. */
export interface CacheTurn {
  /** The provider's stored response; undefined if the provider must be called. */
  readonly hit: TranslatedAnswer | undefined;
  /** The provider's response, of which a copy is made while it is read. */
  copy(answer: TranslatedAnswer): TranslatedAnswer;
  /** Stores the copy of a completed response, as a background task. */
  keep(): void;
}

/**
 * Looks for the provider's response to the same request. It takes the place of the provider's call: the request has passed the limits and
 * its inspection, and the response is inspected like a new one. Undefined if the request does not ask for that, or may not. Never throws: a
 * cache that cannot be read is not used.
 */
export async function openCache<Body>(
  context: RequestContext,
  note: (note: string) => void,
  parsed: Parsed<Body>,
  asked: Asked<Body>,
  protocol: Protocol<Body>,
  deps: CacheDeps,
): Promise<CacheTurn | undefined> {
  const { cacheSeconds } = context;
  if (cacheSeconds === undefined || !isRepeatable(parsed, protocol)) return undefined;
  try {
    const scope = await scopeOf(context, deps);
    if (scope === undefined) return undefined;
    const request = await deps.responseCache.nameOf(scope, await identityIn(context, asked, protocol, deps));
    const stored = await deps.responseCache.find(request, cacheSeconds * 1000);
    if (stored === undefined) return missed(request, asked.targets[0], context, deps);
    await giveWayFor({ text: stored }, deps.scheduler);
    return { hit: toAnswer(JSON.parse(stored), asked.targets[0]), copy: (answer) => answer, keep: () => {} };
  } catch (error) {
    note(`cached response not read: ${errorName(error)}`);
    return undefined;
  }
}

/** Whether the same request may get the same response: it refers to nothing that a provider keeps, and adds nothing to that. */
function isRepeatable<Body>(
  { body, document, named, members, policy, request }: Parsed<Body>,
  protocol: Pick<Protocol<Body>, 'items' | 'responseKind'>,
): boolean {
  const isStateful =
    named.length > 0 || members.keepsState || request.isInBackground === true || protocol.items?.isKept(body) === true;
  // Each request with a canary is another one.
  return !isStateful && !policy.canary && protocol.responseKind(document.value) !== 'bytes';
}

/** Who shares the response; undefined if the policy allows no cache, or nothing encrypts it. */
async function scopeOf(
  { key: { id, teamId, policy }, sealerFor }: RequestContext,
  { digestKeys }: Pick<CacheDeps, 'digestKeys'>,
): Promise<CacheScope | undefined> {
  if (policy.cache === undefined || policy.cache === false) return undefined;
  if (policy.cache === true || teamId == null) return sealerFor && { id, sealerFor };
  // The keys of a team have no secret in common.
  const [secret] = await digestKeys.hashes(`svc response cache ${teamId}`);
  return secret === undefined
    ? undefined
    : { id: teamId, sealerFor: (name, salt) => new ResponseSealer(secret, name, salt) };
}

/** All that decides which response the provider gives. */
async function identityIn<Body>(
  { key, strictTranslation }: RequestContext,
  { outgoing, targets, maxOutputTokens }: Asked<Body>,
  { operation, headers = {}, query = '' }: Protocol<Body>,
  { targetIdentity }: Pick<CacheDeps, 'targetIdentity'>,
): Promise<string> {
  const { provider, model } = targets[0];
  const { stream } = outgoing.request;
  const call = [operation, provider, model, headers, query, stream, maxOutputTokens ?? null, strictTranslation];
  const head = JSON.stringify([...call, await targetIdentity(provider, key), key.policy]);
  return `${head}\n${identityOf(outgoing.document)}`;
}

/** The stored form of a provider's response. `parts`: of a stream, what arrived together. */
type Stored = { readonly warnings: readonly Warning[] } & (
  | { readonly kind: 'native'; readonly body: string }
  | { readonly kind: 'translated'; readonly completion: ChatCompletion }
  | { readonly kind: 'native-stream'; readonly parts: readonly (readonly string[])[] }
  | { readonly kind: 'translated-stream'; readonly parts: readonly (readonly ChatDelta[])[] }
);

function toAnswer(stored: Stored, target: Target): TranslatedAnswer {
  return { target, response: toResponse(stored), warnings: () => stored.warnings };
}

function toResponse(stored: Stored): TextResponse {
  switch (stored.kind) {
    case 'native-stream':
      return { kind: stored.kind, chunks: replay(stored.parts) };
    case 'translated-stream':
      return { kind: stored.kind, deltas: replay(stored.parts) };
    default:
      return stored;
  }
}

async function* replay<Part>(parts: readonly Part[]): AsyncGenerator<Part, void> {
  yield* parts;
}

function missed(
  request: CachedRequest,
  target: Target,
  context: RequestContext,
  { responseCache, backgroundTasks, log }: CacheDeps,
): CacheTurn {
  let copied: Copy | undefined;
  let warnings: TranslatedAnswer['warnings'] = () => [];
  return {
    hit: undefined,
    copy(answer) {
      const { response } = answer;
      // The name has the first target: a fallback returned another response.
      const isNamed = answer.target.provider === target.provider && answer.target.model === target.model;
      if (!isNamed || response.kind === 'media') return answer;
      copied = new Copy();
      warnings = answer.warnings;
      return { ...answer, response: copied.of(response) };
    },
    keep() {
      const text = copied?.text(warnings());
      if (text === undefined) return;
      const { tracking, key, cacheSeconds = 0 } = context;
      const endUserId = tracking.endUserId ?? (key.identity === undefined ? null : key.id);
      const kept = responseCache.keep(request, text, { ttlMs: cacheSeconds * 1000, endUserId });
      backgroundTasks.add(kept.catch((error) => log.lost(refOf(context), 'cached response', error)));
    },
  };
}

/** A copy of a response in JSON, made while it is read. */
class Copy {
  private fields: readonly string[] = [];
  private readonly parts: string[] = [];
  private length = 0;
  private isWhole = false;

  /** The response, which is copied while it is read. */
  of(response: TextResponse): TextResponse {
    switch (response.kind) {
      case 'native':
        if (response.body.length <= MAX_CACHED_BYTES)
          this.took([`"kind":"native"`, `"body":${JSON.stringify(response.body)}`]);
        return response;
      case 'translated':
        this.took([`"kind":"translated"`, `"completion":${JSON.stringify(response.completion)}`]);
        return response;
      case 'native-stream':
        return { kind: response.kind, chunks: this.reading(response.kind, response.chunks) };
      case 'translated-stream':
        return { kind: response.kind, deltas: this.reading(response.kind, response.deltas) };
    }
  }

  /** The whole response; undefined if it was not read to its end, or is too large. */
  text(warnings: readonly Warning[]): string | undefined {
    if (!this.isWhole || this.length > MAX_CACHED_BYTES) return undefined;
    const parts = this.parts.length === 0 ? [] : [`"parts":[${this.parts.join(',')}]`];
    return `{${[...this.fields, ...parts, `"warnings":${JSON.stringify(warnings)}`].join(',')}}`;
  }

  private took(fields: readonly string[]): void {
    this.fields = fields;
    this.length = fields.reduce((sum, { length }) => sum + length, 0);
    this.isWhole = true;
  }

  private async *reading<Part>(kind: string, source: AsyncIterable<Part>): AsyncGenerator<Part, void> {
    for await (const part of source) {
      if (this.length <= MAX_CACHED_BYTES) {
        const json = JSON.stringify(part);
        this.length += json.length;
        if (this.length <= MAX_CACHED_BYTES) this.parts.push(json);
        else this.parts.length = 0;
      }
      yield part;
    }
    this.fields = [`"kind":"${kind}"`];
    this.isWhole = true;
  }
}
