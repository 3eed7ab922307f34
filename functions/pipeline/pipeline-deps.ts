import type { CaptureStore, RequestRecords } from '../control/analytics/index.ts';
import type { Approvals } from '../control/approvals/index.ts';
import type { LiveCredentials } from '../control/credentials/index.ts';
import type { CallTotals, LimitAlarm, Limiter } from '../control/limits/index.ts';
import type { IssuedIdStore, SessionMemory, SessionStore } from '../control/sessions/index.ts';
import type { ResponseCache, StoredItems } from '../control/stored-items/index.ts';
import type { ToolPins } from '../control/tool-pins/index.ts';
import {
  type DocumentReader,
  type FindingCache,
  type OutsideDetectors,
  type Policy,
  type ProviderKeys,
  type TextInspector,
  underPolicy,
} from '../inspection/index.ts';
import type { BackgroundTasks, Clock, Scheduler } from '../kernel/tasks/index.ts';
import type { CircuitBreaker, ModelRouter, Providers } from '../translation/index.ts';
import type { RefusalNotices } from './request-events.ts';
import type { RequestLog } from './request-log.ts';

/** The source of provider credentials, which may change while the gateway runs. */
export interface CredentialSource {
  /** Changes when the credentials change. */
  readonly version: number;
  /**
   * Reads them again after the provider rejected those of `version`, unless they have changed already or were just read without a change.
   * Returns whether they have changed. Never throws: an unreadable secret counts as unchanged.
   */
  renewedSince(version: number, provider: string): Promise<boolean>;
}

/** Dependencies of the stages of every request. */
export interface PipelineDeps {
  readonly limiter: Limiter;
  /** Sums of tool calls by session or day. */
  readonly callTotals: Pick<CallTotals, 'reserve'>;
  readonly alarm: LimitAlarm;
  /** Decides which refusals are published. */
  readonly refusals: RefusalNotices;
  readonly backgroundTasks: BackgroundTasks;
  readonly inspector: TextInspector;
  /** The same inspector with each key's earlier findings; `depsUnder` replaces `inspector` by it. */
  readonly knownTexts: FindingCache;
  /** Reads PDFs and office documents; absent if they are not read. */
  readonly documents?: DocumentReader | undefined;
  /** Absent if no outside detector is configured. */
  readonly outside?: OutsideDetectors | undefined;
  readonly providers: Providers;
  readonly router: Pick<ModelRouter, 'prepare' | 'route' | 'serving' | 'served' | 'isNative'>;
  readonly breaker: Pick<CircuitBreaker, 'prepare' | 'decide' | 'succeeded' | 'failed' | 'silent'>;
  /** Reads providers' credentials again; absent if they never change. */
  readonly credentials?: CredentialSource;
  /** The credentials that the gateway keeps; absent: only the settings have keys. */
  readonly storedCredentials?: Pick<LiveCredentials, 'forCall' | 'afterRefusal'>;
  /**
   * Another text where a call of the provider for this key would go to another address or use another credential, or another value of it.
   * @throws GatewayError for a credential that cannot be used, StoreUnavailable
   */
  readonly targetIdentity: (provider: string, key: Parameters<LiveCredentials['accountOf']>[1]) => Promise<string>;
  /** The operator's keys for providers, which no response may contain; absent or undefined if there are none. */
  readonly providerKeys?: (() => ProviderKeys | undefined) | undefined;
  /** Whether provider calls carry the request's trace context. */
  readonly propagatesTraces?: boolean;
  /** 0 to below 1. */
  readonly random: () => number;
  /** Resolves after the time, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: RequestLog;
  readonly records: RequestRecords;
  readonly captures: Pick<CaptureStore, 'write'>;
  readonly sessions: SessionStore;
  /** Hashes with a secret of the service, for the digests of sessions. */
  readonly digestKeys: Parameters<typeof SessionMemory.of>[2];
  readonly issuedIds: IssuedIdStore;
  /** Prefixes of ids that were created outside the gateway and that any key may name. */
  readonly foreignIds: readonly string[];
  /** Asks people for tool calls. */
  readonly approvals: Pick<Approvals, 'request' | 'redeem' | 'deny' | 'denials'>;
  readonly storedItems: Pick<StoredItems, 'keep' | 'find' | 'remove'>;
  readonly responseCache: Pick<ResponseCache, 'nameOf' | 'find' | 'keep'>;
  readonly toolPins: Pick<ToolPins, 'check'>;
  /** The size limit of a request, with the items that it refers to. */
  readonly maxBodyBytes: number;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** CPU time limit for the inspection of one request, and of one response. */
  readonly inspectionCpuMs: number;
}

/** The dependencies of a request under its policy: the inspector has the key's cache, the policy's rules and its shadow policy. */
export function depsUnder(
  policy: Policy,
  keyId: string,
  shadow: ReturnType<Policy['tallyShadow']>,
  deps: PipelineDeps,
): PipelineDeps {
  return { ...deps, inspector: underPolicy(deps.knownTexts.of(keyId), policy, shadow) };
}

/** What inspections of requests and responses need. */
export type InspectionDeps = Pick<
  PipelineDeps,
  'inspector' | 'documents' | 'outside' | 'providerKeys' | 'scheduler' | 'inspectionCpuMs'
>;
