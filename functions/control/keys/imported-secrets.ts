import { createHash } from 'node:crypto';
import { GatewayError } from '../../kernel/errors/index.ts';
import { networkOf } from '../../kernel/http/index.ts';
import { type ApiKey, acceptedSecrets } from '../../kernel/model/index.ts';
import { type Clock, NamedBudget } from '../../kernel/tasks/index.ts';
import type { DocumentStore } from '../documents/index.ts';
import type { KeyHasher } from './key-store.ts';

/**
 * Digests of the secrets that were imported from other gateways, with the time until which a rotated one is valid. A digest is a part of the
 * stored hash: without the pepper a guess cannot be tested.
 */
export interface ImportedSecretsDocument {
  readonly digests: Readonly<Record<string, string | null>>;
}

type Hashes = readonly [string, ...string[]];
export type ImportedSecretsStore = Pick<DocumentStore<ImportedSecretsDocument>, 'current' | 'replace'>;

/** Of 20,000 digests one in 14 billion invented secrets causes a look-up. */
const DIGEST_CHARS = 12;
/** They fit in an item of the table. */
const MAX_DIGESTS = 20_000;
const MAX_CONFLICTS = 20;
const MOVED_MS = 86_400_000;
/** Wrong secrets in another format, by network: 100 at once, and 10 a second. Imported secrets may have been chosen by people. */
const FAILURES = { atOnce: 100, perSecond: 10 };

interface ImportedSecretsDeps {
  readonly document: { settings(): Promise<ImportedSecretsDocument> };
  readonly hasher: Pick<KeyHasher, 'hashes'>;
  readonly clock: Clock;
}

/** Recognizes secrets of keys that were imported. Others cause no look-up of a key. */
export class ImportedSecrets {
  private readonly deps: ImportedSecretsDeps;
  private readonly failures: NamedBudget;

  constructor(deps: ImportedSecretsDeps) {
    this.deps = deps;
    this.failures = new NamedBudget(FAILURES.atOnce, FAILURES.perSecond, deps.clock);
  }

  /** The hashes under which the key of such a secret is stored. */
  hashes(secret: string): Promise<Hashes> {
    return this.deps.hasher.hashes(createHash('sha256').update(secret).digest('hex'));
  }

  /** Whether a key may have one of these hashes. @param address of the client, whose wrong secrets are counted. @throws StoreUnavailable */
  async mayHold(hashes: Hashes, address: string): Promise<boolean> {
    const network = networkOf(address);
    if (!this.failures.has(network)) return false;
    const { digests } = await this.deps.document.settings();
    const now = this.deps.clock.now();
    if (hashes.some((hash) => isValid(digests[digestOf(hash)], now))) return true;
    this.failures.take(network);
    return false;
  }
}

/** Adds the secret of an imported key, before the key is stored. @throws GatewayError `conflict` beyond 20,000 of them; StoreUnavailable */
export async function addImportedSecret(hash: string, store: ImportedSecretsStore, clock: Clock): Promise<void> {
  await change(store, clock, (digests) => ({ ...digests, [digestOf(hash)]: null }));
}

/** Takes out what the key of the secret no longer accepts, after it was rotated or revoked. @throws as addImportedSecret */
export async function endImportedSecrets(
  before: ApiKey,
  after: ApiKey,
  store: ImportedSecretsStore,
  clock: Clock,
): Promise<void> {
  const retired = acceptedSecrets(after, clock.now());
  const old = [before.secretHash, ...(before.retiredSecrets ?? []).map(({ hash }) => hash)];
  const ended = old.filter((hash) => after.state === 'revoked' || hash !== after.secretHash);
  await change(store, clock, (digests) => {
    const imported = ended.filter((hash) => Object.hasOwn(digests, digestOf(hash)));
    if (imported.length === 0) return digests;
    const until = imported.map((hash) => [digestOf(hash), validUntil(hash, retired)] as const);
    return { ...digests, ...Object.fromEntries(until) };
  });
}

function validUntil(hash: string, retired: ReturnType<typeof acceptedSecrets>): string {
  return retired.find((secret) => secret.hash === hash)?.validUntil ?? new Date(0).toISOString();
}

/** Adds the hashes to which keys are about to move, where the earlier one is of an imported secret. @throws as addImportedSecret */
export async function moveImportedSecrets(
  moves: readonly { readonly from: string; readonly to: string }[],
  store: ImportedSecretsStore,
  clock: Clock,
): Promise<void> {
  // Processes that have not read the new pepper yet know the earlier digest only.
  const until = new Date(clock.now() + MOVED_MS).toISOString();
  await change(store, clock, (digests) => {
    const imported = moves.filter(({ from }) => Object.hasOwn(digests, digestOf(from)));
    if (imported.length === 0) return digests;
    const moved = imported.flatMap(({ from, to }) => [[digestOf(from), until] as const, [digestOf(to), null] as const]);
    return { ...digests, ...Object.fromEntries(moved) };
  });
}

async function change(
  store: ImportedSecretsStore,
  clock: Clock,
  make: (digests: ImportedSecretsDocument['digests']) => ImportedSecretsDocument['digests'],
): Promise<void> {
  for (let attempt = 1; attempt <= MAX_CONFLICTS; attempt += 1) {
    const read = await store.current();
    const made = make(read.settings.digests);
    if (made === read.settings.digests) return;
    const now = clock.now();
    const digests = Object.fromEntries(Object.entries(made).filter(([, until]) => isValid(until, now)));
    if (Object.keys(digests).length > MAX_DIGESTS)
      throw new GatewayError('conflict', `At most ${MAX_DIGESTS} keys can have imported secrets.`);
    const next = {
      version: read.version + 1,
      settings: { digests },
      createdAt: new Date(now).toISOString(),
      createdBy: null,
    };
    if (await store.replace(read, next)) return;
  }
  throw new GatewayError('conflict', 'Others are importing keys now. Try again.');
}

/** @param until null: without an end; undefined: there is no such digest */
function isValid(until: string | null | undefined, nowMs: number): boolean {
  return until === null || (until !== undefined && nowMs < Date.parse(until));
}

function digestOf(hash: string): string {
  const hmac = hash.slice(hash.indexOf('.') + 1);
  return hmac.slice(0, DIGEST_CHARS);
}
