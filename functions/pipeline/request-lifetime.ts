import { GatewayError } from '../kernel/errors/index.ts';

/** Why a request was stopped: its caller disconnected or cancelled it, its key is no longer valid, or it reached a time limit. */
export type StopReason = 'cancelled' | 'expired';

/** The lifetime of a request, with the signal that ends its calls. */
export class RequestLifetime {
  private readonly controller = new AbortController();
  private reason: StopReason | undefined;
  private explanation: string | undefined;
  private hasEnded = false;
  private readonly callbacks: (() => void)[] = [];

  /** Aborted to end the provider's call early: the caller disconnected, a block, a failure. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Undefined for a request that was not stopped. */
  get stopped(): StopReason | undefined {
    return this.reason;
  }

  /** Why it was stopped, for its caller; undefined for the general message. */
  get stopMessage(): string | undefined {
    return this.explanation;
  }

  /** Stops the request; the first reason counts. */
  stop(reason: StopReason, message?: string): void {
    if (this.reason === undefined) this.explanation = message;
    this.reason ??= reason;
    this.controller.abort();
  }

  /** Ends the provider's call. */
  abort(): void {
    this.controller.abort();
  }

  /** Calls `run` once the request has ended; at once if it already has. */
  onEnd(run: () => void): void {
    if (this.hasEnded) run();
    else this.callbacks.push(run);
  }

  end(): void {
    this.hasEnded = true;
    for (const run of this.callbacks.splice(0)) run();
  }
}

/** The error of a stopped request; undefined for others. */
export function stopFailure({ stopped, stopMessage }: RequestLifetime): GatewayError | undefined {
  if (stopped === undefined) return undefined;
  if (stopped === 'cancelled')
    return new GatewayError('request_cancelled', stopMessage ?? 'The request was cancelled.');
  const message = stopMessage ?? 'The response took longer than the gateway allows and was ended.';
  return new GatewayError('provider_timeout', message, {
    headers: { 'x-should-retry': 'false' },
  });
}
