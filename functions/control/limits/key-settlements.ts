import { addSettlement, type LimitStore, type Settlement } from './limit-store.ts';

/** Called when a settlement could not be written; its reservation expires. */
export type OnUnsettled = (keyId: string, error: unknown) => void;

/** What one key's ended requests release and used: one write at a time, each with all that was added before it. */
export class KeySettlements {
  private readonly keyId: string;
  private readonly store: LimitStore;
  private readonly onUnsettled: OnUnsettled;
  private owed: Settlement | undefined;
  private writing: Promise<void> | undefined;
  /** The write after the present one. */
  private next: Promise<void> | undefined;

  constructor(keyId: string, store: LimitStore, onUnsettled: OnUnsettled) {
    this.keyId = keyId;
    this.store = store;
    this.onUnsettled = onUnsettled;
  }

  get isPending(): boolean {
    return this.owed !== undefined || this.writing !== undefined;
  }

  add(settlement: Settlement): void {
    this.owed = addSettlement(this.owed, settlement);
  }

  /** Resolves when all that was added is written; what is added later waits for another call. Never rejects. */
  write(): Promise<void> {
    if (this.owed === undefined) return this.writing ?? Promise.resolve();
    if (this.writing !== undefined) {
      this.next ??= this.writing.then(() => {
        this.next = undefined;
        return this.write();
      });
      return this.next;
    }
    this.writing = this.writeOwed(this.owed);
    return this.writing;
  }

  private async writeOwed(owed: Settlement): Promise<void> {
    this.owed = undefined;
    try {
      await this.store.settle(this.keyId, owed);
    } catch (error) {
      this.onUnsettled(this.keyId, error);
    }
    this.writing = undefined;
  }
}
