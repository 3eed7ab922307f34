import { StandardRetryStrategy } from '@smithy/core/retry';
import type { RetryErrorInfo, StandardRetryToken } from '@smithy/types';
import { HttpFailure } from '../../core/base/http-client.ts';

const FIRST_BACKOFF_MS = 50;
const LONGEST_BACKOFF_MS = 1_000;
/** Refusals beside the SDK's own that pass, and say that nothing was done. */
const REFUSED_FOR_NOW = 'TransactionConflictException';

/** How often a call is tried. */
export interface RetryRule {
  readonly attempts: number;
  /** Whether it may be done twice: where not, an attempt that may have been done after all is the last one. */
  readonly repeatable: boolean;
}

/** The SDK's own strategy and quota, with pauses of at most a second, and by what our HTTP client says of a failure. */
export class CallRetries extends StandardRetryStrategy {
  private readonly repeatable: boolean;

  constructor({ attempts, repeatable }: RetryRule) {
    const computeNextBackoffDelay = (retries: number) =>
      Math.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retries);
    super({
      maxAttempts: attempts,
      baseDelay: FIRST_BACKOFF_MS,
      backoff: { computeNextBackoffDelay, setDelayBase() {} },
    });
    this.repeatable = repeatable;
  }

  override refreshRetryTokenForRetry(token: StandardRetryToken, info: RetryErrorInfo) {
    return super.refreshRetryTokenForRetry(token, { ...info, errorType: this.typeOf(info) });
  }

  private typeOf({ error, errorType }: RetryErrorInfo): RetryErrorInfo['errorType'] {
    if (error instanceof HttpFailure)
      return error.reason !== 'aborted' && (this.repeatable || !error.sent) ? 'TRANSIENT' : 'CLIENT_ERROR';
    if (errorType === 'THROTTLING' || error?.name === REFUSED_FOR_NOW) return 'THROTTLING';
    // A response that cannot be read is as good as none.
    const isFailing = errorType !== 'CLIENT_ERROR' || error?.name === 'SyntaxError';
    return isFailing && this.repeatable ? 'TRANSIENT' : 'CLIENT_ERROR';
  }
}
