import { mkdirSync } from 'node:fs';
import type { buildApp } from 'fauxqs';
// The package exports only an app whose queues are lost when it stops, and a server that listens on every interface.
import { PersistenceManager } from '../../node_modules/fauxqs/dist/persistence.js';
import { SnsStore } from '../../node_modules/fauxqs/dist/sns/snsStore.js';
import { SqsStore } from '../../node_modules/fauxqs/dist/sqs/sqsStore.js';

type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;

export interface KeptQueues {
  readonly stores: Stores;
  /** Nothing is kept of what comes later. */
  close(): void;
}

/** Queues whose messages are in a file of the folder as soon as they are taken; those of before are in them. */
export function openKeptQueues(folder: string): KeptQueues {
  mkdirSync(folder, { recursive: true });
  const file = new PersistenceManager(folder);
  const [sqsStore, snsStore] = [new SqsStore(), new SnsStore()];
  file.loadSqsAndSns(sqsStore, snsStore);
  sqsStore.persistence = file;
  for (const queue of sqsStore.allQueues()) queue.persistence = file;
  // The third, of files, it makes itself.
  return { stores: { sqsStore, snsStore } as Stores, close: () => file.close() };
}
