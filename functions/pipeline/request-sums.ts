import type { CallTotals } from '../control/limits/index.ts';
import type { CallInspector } from '../inspection/index.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';
import { type Outcome, sessionIdOf } from './request-outcome.ts';

type ReservedAmount = Awaited<ReturnType<CallTotals['reserve']>>;
type CallSums = NonNullable<ConstructorParameters<typeof CallInspector>[2]['sums']>;
type Reserved = Awaited<ReturnType<CallSums['reserve']>>;

interface Held {
  readonly amount: ReservedAmount;
  isSent: boolean;
}

/** What the calls of one response take of the sums of rules: reserved before the client gets a call, settled when the response has ended. */
export class RequestSums implements CallSums {
  private readonly context: RequestContext;
  private readonly outcome: Pick<Outcome, 'session' | 'times' | 'note'>;
  private readonly deps: Pick<PipelineDeps, 'callTotals' | 'backgroundTasks'>;
  private readonly held = new Set<Held>();

  constructor(
    context: RequestContext,
    outcome: Pick<Outcome, 'session' | 'times' | 'note'>,
    deps: Pick<PipelineDeps, 'callTotals' | 'backgroundTasks'>,
  ) {
    this.context = context;
    this.outcome = outcome;
    this.deps = deps;
  }

  has(per: 'session' | 'day'): boolean {
    return per === 'day' || this.sessionId !== null;
  }

  async reserve({ rule, max, per, amount }: Parameters<CallSums['reserve']>[0]): Promise<Reserved> {
    const sessionId = per === 'day' ? null : this.sessionId;
    try {
      const total = { keyId: this.context.key.id, rule, max, sessionId };
      return this.hold(await this.deps.callTotals.reserve(total, amount));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      this.outcome.note(`sum of tool calls not reserved: ${error.message}`);
      return { state: 'unknown', sent: () => {}, release: () => {} };
    }
  }

  /** Counts the calls that the client has, and gives back the others, as a background task. */
  settle(): void {
    // A whole response that failed before it was sent has no first piece.
    const isDelivered = this.outcome.times.firstPieceMs !== null;
    for (const one of this.held) this.end(one, one.isSent && isDelivered);
  }

  private hold(amount: ReservedAmount): Reserved {
    const held: Held = { amount, isSent: false };
    this.held.add(held);
    return {
      state: amount.fits ? 'fits' : 'exceeded',
      sent: () => {
        held.isSent = true;
      },
      release: () => this.end(held, false),
    };
  }

  private end(held: Held, isMade: boolean): void {
    if (this.held.delete(held)) this.deps.backgroundTasks.add(held.amount.settle(isMade));
  }

  private get sessionId(): string | null {
    return sessionIdOf(this.context, this.outcome);
  }
}
