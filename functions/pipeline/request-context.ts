import type { SharedLimit } from '../control/limits/index.ts';
import type { SealerFor } from '../kernel/crypto/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import {
  arrivalOf,
  type ErrorShape,
  newTrace,
  openAiError,
  type RequestHeaders,
  type RequestRef,
  type RequestTrace,
} from '../kernel/http/index.ts';
import type { ApiKey } from '../kernel/model/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';
import type { ModelCatalog } from '../translation/index.ts';
import { type RequestTags, readRequestTags } from './request-tags.ts';

/** Headers by which a caller tags a request. */
export interface Tracking {
  readonly sessionId: string | null;
  readonly endUserId: string | null;
  readonly environment: string | null;
  readonly appVersion: string | null;
  /** Of `X-Svc-Tags`, without names that the key has. */
  readonly tags: Readonly<Record<string, string>>;
}

const NO_TRACKING: Tracking = { sessionId: null, endUserId: null, environment: null, appVersion: null, tags: {} };

/** What a request is, known once its key is. It does not change. */
export interface RequestContext {
  readonly requestId: string;
  /** The path of its route. */
  readonly route: string;
  readonly key: ApiKey;
  readonly trace: RequestTrace;
  readonly errorShape: ErrorShape;
  readonly tracking: Tracking;
  /** Encrypts what is stored for the caller, with the API key that they presented; absent without one. */
  readonly sealerFor?: SealerFor | undefined;
  /** How old a stored response to the same request may be; undefined if the caller wants none. */
  readonly cacheSeconds?: number | undefined;
  /** Whether a field without an equivalent at the provider is an error, and not dropped with a warning. */
  readonly strictTranslation: boolean;
  /** What its canary contains: the same in both runs of a line of a batch; undefined for a random marker. */
  readonly marker?: string | undefined;
  /** Limits that the key shares with others: of its team, of its tags. */
  readonly sharedLimits: readonly SharedLimit[];
  /** Whether an override reduces every action to `flag`. */
  readonly isObserved: boolean;
  /** The version of the policy whose roll-out took the request; undefined if none did. */
  readonly rollout: number | undefined;
  /** Prices and limits of models as of its arrival, under the key's policy. */
  readonly models: ModelCatalog;
  /** When the request arrived, milliseconds since 1970: the time in its id. */
  readonly receivedAt: number;
}

/** @param fields `startedAt`: when the request arrived, monotonic milliseconds; without `trace`, a new trace starts */
export function createRequestContext(fields: {
  readonly requestId: string;
  readonly route: string;
  readonly key: ApiKey;
  readonly clock: Clock;
  readonly startedAt: number;
  readonly errorShape?: ErrorShape | undefined;
  readonly trace?: RequestTrace;
  readonly tracking?: Tracking;
  readonly sharedLimits?: readonly SharedLimit[];
  readonly isObserved?: boolean;
  readonly rollout?: number | undefined;
  readonly models: ModelCatalog;
}): RequestContext {
  const { requestId, route, key, clock, startedAt, tracking = NO_TRACKING, sharedLimits = [], models } = fields;
  return {
    requestId,
    route,
    key,
    trace: fields.trace ?? newTrace(),
    errorShape: fields.errorShape ?? openAiError,
    tracking,
    strictTranslation: false,
    sharedLimits,
    isObserved: fields.isObserved ?? false,
    rollout: fields.rollout,
    models: models.under(key.policy.unknownPrice),
    receivedAt: arrivalOf(requestId) ?? Math.round(clock.now() - (clock.monotonic() - startedAt)),
  };
}

export function refOf({ requestId, trace }: RequestContext): RequestRef {
  return { requestId, traceId: trace.traceId };
}

/** The scope of placeholders: a session, or one end user's requests by this key. Secret like the key's hash. */
export function placeholderScope({ key, tracking: { sessionId, endUserId } }: RequestContext): string {
  return JSON.stringify([key.secretHash, sessionId, sessionId === null ? endUserId : null]);
}

/** What keeps its target, if a route says so. */
export function senderOf({ key, models, tracking: { sessionId, endUserId } }: RequestContext): {
  readonly keyId: string;
  readonly session: string | undefined;
  readonly models: ModelCatalog;
} {
  return { keyId: key.id, session: sessionId ?? endUserId ?? undefined, models };
}

/** At most 256 visible ASCII characters, spaces between them. */
const VISIBLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/;

/** What headers name. `fixedTags` are the key's. @throws GatewayError `invalid_value` with the name of the header */
export function readTracking(
  headers: RequestHeaders,
  fixedTags: Tracking['tags'],
): Tracking & Pick<RequestTags, 'warnings'> {
  return {
    sessionId: readNameHeader(headers, 'X-Session-ID'),
    endUserId: readNameHeader(headers, 'X-End-User-ID') ?? readNameHeader(headers, 'X-User-ID'),
    environment: readNameHeader(headers, 'X-Environment'),
    appVersion: readNameHeader(headers, 'X-App-Version'),
    ...readRequestTags(headers, fixedTags),
  };
}

/** Whether `X-Svc-Translation` is `strict`; `lenient` is the default. @throws GatewayError `invalid_value` for anything else */
export function readStrictTranslation(headers: RequestHeaders): boolean {
  const name = 'X-Svc-Translation';
  const value = headers.get(name)?.toLowerCase() || 'lenient';
  if (value === 'strict' || value === 'lenient') return value === 'strict';
  throw new GatewayError('invalid_value', `The header ${name} must be lenient or strict.`, { param: name });
}

const MAX_CACHE_SECONDS = 86_400;

/** The seconds of `X-Svc-Cache: ttl=N`; undefined without the header. @throws GatewayError `invalid_value` for anything else */
export function readCacheSeconds(headers: RequestHeaders): number | undefined {
  const name = 'X-Svc-Cache';
  const value = headers.get(name);
  if (!value) return undefined;
  const seconds = Number(/^ttl=([1-9]\d{0,4})$/.exec(value)?.[1]);
  if (seconds <= MAX_CACHE_SECONDS) return seconds;
  const message = `The header ${name} must be ttl= and a number of seconds from 1 to ${MAX_CACHE_SECONDS}.`;
  throw new GatewayError('invalid_value', message, { param: name });
}

/** A name in a header; null if it is absent or empty. @throws GatewayError `invalid_value` with the name of the header */
export function readNameHeader(headers: RequestHeaders, name: string): string | null {
  const value = headers.get(name);
  return value === null || value === '' ? null : checkName(`The header ${name}`, value, name);
}

/** Checks a name that a caller chose. @throws GatewayError `invalid_value` if it is too long or not visible ASCII */
export function checkName(what: string, value: string, param = what): string {
  if (VISIBLE.test(value)) return value;
  throw new GatewayError('invalid_value', `${what} must be at most 256 visible ASCII characters.`, { param });
}
