import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type {
  Aggregate,
  AggregateKey,
  AggregateReader,
  AggregateRow,
  AggregateStore,
  VersionedAggregate,
} from './aggregate-store.ts';

/**
 * Aggregates in memory, with a pause between any two calls; a write may fail as `fails` decides, before or after it is
 * applied.
 */
export class MemoryAggregates implements AggregateStore, AggregateReader {
  readonly kept = new Map<string, VersionedAggregate & { readonly aggregate: Aggregate }>();
  fails: () => 'before' | 'after' | undefined = () => undefined;

  async read(keys: readonly AggregateKey[]): Promise<(VersionedAggregate | undefined)[]> {
    await pause();
    return keys.map((key) => this.kept.get(nameOf(key)));
  }

  async replace(aggregate: Aggregate, version: number | undefined): Promise<boolean> {
    await pause();
    const failure = this.fails();
    if (failure === 'before') throw new StoreUnavailable('aggregates table: TimeoutError');
    const name = nameOf(aggregate.key);
    if (this.kept.get(name)?.version !== version) return false;
    const value = JSON.parse(JSON.stringify(aggregate.value));
    this.kept.set(name, { aggregate, value, version: (version ?? 0) + 1, expiresAt: aggregate.expiresAt });
    if (failure === 'after') throw new StoreUnavailable('aggregates table: TimeoutError');
    return true;
  }

  async range(pk: string, from: string, to: string): Promise<AggregateRow[]> {
    return [...this.kept.values()]
      .filter(({ aggregate: { key } }) => key.pk === pk && key.sk >= from && key.sk < to)
      .map(({ aggregate, value }) => ({ sk: aggregate.key.sk, value }))
      .sort((a, b) => (a.sk < b.sk ? -1 : 1));
  }
}

function nameOf({ pk, sk }: AggregateKey): string {
  return `${pk} ${sk}`;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
