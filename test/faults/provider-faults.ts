import type { Behaviour, Failure } from '../support/mock-upstream/behaviour.ts';

/** How a request must end where nothing else was interfered with. */
export interface Ending {
  /** The status; of a stream that had begun 200. */
  readonly status: number;
  /** The error's code; undefined for a complete response. */
  readonly code?: string;
  readonly state: 'completed' | 'failed';
}

export interface ProviderFault {
  /** What each of a request's attempts meets; the last of them again where there are more. */
  readonly attempts: readonly Behaviour[];
  readonly whole: Ending;
  readonly streamed: Ending;
  /**
   * The usage that counts: what the provider reported, nothing after a refusal, or an estimate from the texts if the provider
   * may have served a response that did not arrive.
   */
  readonly counts: 'told' | 'nothing' | 'estimate';
}

const DONE: Ending = { status: 200, state: 'completed' };
const BAD_GATEWAY: Ending = { status: 502, code: 'provider_error', state: 'failed' };
const TIMED_OUT: Ending = { status: 504, code: 'provider_timeout', state: 'failed' };
const BROKEN_OFF: Ending = { status: 200, code: 'provider_error', state: 'failed' };
const FELL_SILENT: Ending = { status: 200, code: 'provider_timeout', state: 'failed' };
const LIMITED: Ending = { status: 429, code: 'rate_limit_exceeded', state: 'failed' };

const AT_ONCE = { 'retry-after': '0' };
const fine: Behaviour = {};
const breaking = (failure: Failure): ProviderFault => ({
  attempts: [{ failure, afterChunks: 4 }],
  whole: BAD_GATEWAY,
  streamed: BROKEN_OFF,
  counts: 'estimate',
});

/** Every way in which the soak's provider fails, and what caller and record must show of it. */
export const PROVIDER_FAULTS = {
  none: { attempts: [fine], whole: DONE, streamed: DONE, counts: 'told' },
  'slow drip': { attempts: [{ delayMs: 25 }], whole: DONE, streamed: DONE, counts: 'told' },
  'late head': { attempts: [{ headDelayMs: 400 }], whole: DONE, streamed: DONE, counts: 'told' },
  'split UTF-8': { attempts: [{ bytesPerWrite: 3 }], whole: DONE, streamed: DONE, counts: 'told' },
  'every byte alone': { attempts: [{ bytesPerWrite: 1 }], whole: DONE, streamed: DONE, counts: 'told' },
  'reset once': {
    attempts: [{ failure: 'reset-before-head' }, fine],
    whole: DONE,
    streamed: DONE,
    counts: 'told',
  },
  '503 twice': {
    attempts: [{ status: 503, headers: AT_ONCE }, { status: 503, headers: AT_ONCE }, fine],
    whole: DONE,
    streamed: DONE,
    counts: 'told',
  },
  '429 once': { attempts: [{ status: 429, headers: AT_ONCE }, fine], whole: DONE, streamed: DONE, counts: 'told' },
  '429 storm': {
    attempts: [{ status: 429, headers: AT_ONCE }],
    whole: LIMITED,
    streamed: LIMITED,
    counts: 'nothing',
  },
  '500 for good': {
    attempts: [{ status: 500, headers: AT_ONCE }],
    whole: BAD_GATEWAY,
    streamed: BAD_GATEWAY,
    counts: 'nothing',
  },
  'resets for good': {
    attempts: [{ failure: 'reset-before-head' }],
    whole: BAD_GATEWAY,
    streamed: BAD_GATEWAY,
    counts: 'nothing',
  },
  'stall before head': {
    attempts: [{ failure: 'stall-before-head' }],
    whole: TIMED_OUT,
    streamed: TIMED_OUT,
    counts: 'estimate',
  },
  'stall in the response': {
    attempts: [{ failure: 'stall-mid-stream', afterChunks: 4 }],
    whole: TIMED_OUT,
    streamed: FELL_SILENT,
    counts: 'estimate',
  },
  'reset in the response': breaking('reset-mid-stream'),
  'end in the response': breaking('end-mid-stream'),
  'connection closed in the response': breaking('fin-mid-stream'),
  'half an event': breaking('half-event'),
  garbage: breaking('garbage'),
  'error event': breaking('error-event'),
} as const satisfies Record<string, ProviderFault>;

export type FaultName = keyof typeof PROVIDER_FAULTS;
export const FAULT_NAMES = Object.keys(PROVIDER_FAULTS) as FaultName[];

/** Those after which it is known to the token what a request used. */
export const EXACT_FAULTS = FAULT_NAMES.filter((name) => PROVIDER_FAULTS[name].counts !== 'estimate');
/** Those that no circuit opens for. */
export const HARMLESS_FAULTS = FAULT_NAMES.filter((name) => PROVIDER_FAULTS[name].whole.state === 'completed');
