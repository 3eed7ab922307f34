import { EMPTY_LEDGER, type KeyUse, type Ledger, type Limits } from '../../control/limits/index.ts';

/** The shortest time over which writes are counted. */
const MEASURED_MS = 250;
/** What was seen longer ago says nothing about others. */
const RECENT_MS = 5_000;
/** From so many writes a second on, others write between two writes of this process. */
const SHARED_FROM = 20;

/** What this process knows of a key from the items that its writes returned. */
export class KnownKey {
  ledger: Ledger = EMPTY_LEDGER;
  use: KeyUse | undefined;
  /** Of the last admission. */
  limits: Limits | undefined;
  private seenAtMs = 0;
  /** The count of writes, and when it was that. */
  private counted = { writes: 0, atMs: 0 };

  /** Whether other processes write so often that what was seen is outdated when it is used. */
  get isShared(): boolean {
    return this.use !== undefined && this.use.writesASecond >= SHARED_FROM;
  }

  see(ledger: Ledger, writes: number, nowMs: number): void {
    // Responses may arrive out of order, but times at which a bucket is full never go back.
    const fullAtMicros = Math.max(this.ledger.fullAtMicros, ledger.fullAtMicros);
    const { tokensFullAt: before } = this.ledger;
    const tokensFullAt = before > ledger.tokensFullAt ? before : ledger.tokensFullAt;
    this.ledger = { ...ledger, fullAtMicros, tokensFullAt };
    this.seenAtMs = nowMs;
    const sinceMs = nowMs - this.counted.atMs;
    if (sinceMs < MEASURED_MS) return;
    const isRecent = sinceMs <= RECENT_MS && writes >= this.counted.writes;
    this.use = isRecent
      ? { writesASecond: ((writes - this.counted.writes) * 1_000) / sinceMs, atMs: nowMs }
      : undefined;
    this.counted = { writes, atMs: nowMs };
  }

  /** The probable ledger now: others have taken from the buckets of a shared key what was refilled. */
  expectedAt(nowMs: number): Ledger {
    const sinceMs = nowMs - this.seenAtMs;
    if (!this.isShared || sinceMs <= 0 || sinceMs > RECENT_MS) return this.ledger;
    return {
      ...this.ledger,
      fullAtMicros: this.ledger.fullAtMicros + sinceMs * 1_000,
      tokensFullAt: this.ledger.tokensFullAt + BigInt(sinceMs) * 1_000_000_000n,
    };
  }
}
