import { createHash } from 'node:crypto';
import { GatewayError } from '../../kernel/errors/index.ts';
import { networkOf } from '../../kernel/http/index.ts';
import { type ApiKey, acceptedSecrets } from '../../kernel/model/index.ts';
import { type Clock, NamedBudget } from '../../kernel/tasks/index.ts';
import type { DocumentStore } from '../documents/index.ts';
import type { KeyHasher } from './key-store.ts';

/**
 * Digests of the secrets that were imported from other gateways, one after the other, by the time until which they are valid, `''` without an
 * end. A digest is a part of the stored hash: without the pepper a guess cannot be tested. An item of the table has room for all.
 */
export interface ImportedSecretsDocument {
  readonly digests: Readonly<Record<string, string>>;
}

type Hashes = readonly [string, ...string[]];
export type ImportedSecretsStore = Pick<DocumentStore<ImportedSecretsDocument>, 'current' | 'replace'>;

/** Of 20,000 digests one in 14 billion invented secrets causes a look-up. */
const DIGEST_BYTES = 6;
const DIGEST_CHARS = 8;
const MAX_KEYS = 20_000;
/** Those of all keys, and those from which they were moved to another pepper: 368,000 bytes of an item's 400 KB. */
const MAX_DIGESTS = 46_000;
const NO_END = '';
const HOUR_MS = 3_600_000;
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
  private known: { readonly of: ImportedSecretsDocument; readonly digests: Digests } | undefined;

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
    const document = await this.deps.document.settings();
    if (this.known?.of !== document) this.known = { of: document, digests: unpack(document) };
    const { digests } = this.known;
    const now = this.deps.clock.now();
    if (hashes.some((hash) => isValid(digests.get(digestOf(hash)), now))) return true;
    this.failures.take(network);
    return false;
  }
}

/** Adds the secret of an imported key, before the key is stored. @throws GatewayError `conflict` beyond 20,000 of them; StoreUnavailable */
export async function addImportedSecret(hash: string, store: ImportedSecretsStore, clock: Clock): Promise<void> {
  await change(store, clock, (digests) => {
    digests.set(digestOf(hash), NO_END);
    return true;
  });
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
    const imported = ended.filter((hash) => digests.has(digestOf(hash)));
    for (const hash of imported) {
      const until = retired.find((secret) => secret.hash === hash)?.validUntil;
      if (until === undefined) digests.delete(digestOf(hash));
      else digests.set(digestOf(hash), hourAfter(Date.parse(until)));
    }
    return imported.length > 0;
  });
}

/**
 * Adds the hashes to which keys are about to move, where the earlier one is of an imported secret. Adding them again changes nothing.
 * @throws as addImportedSecret
 */
export async function moveImportedSecrets(
  moves: readonly { readonly from: string; readonly to: string }[],
  store: ImportedSecretsStore,
  clock: Clock,
): Promise<void> {
  // Processes that have not read the new pepper yet know the earlier digest only.
  const until = hourAfter(clock.now() + MOVED_MS);
  await change(store, clock, (digests) => {
    const imported = moves.filter(
      ({ from, to }) => digests.has(digestOf(from)) && digests.get(digestOf(to)) !== NO_END,
    );
    for (const { from, to } of imported) digests.set(digestOf(from), until).set(digestOf(to), NO_END);
    return imported.length > 0;
  });
}

async function change(store: ImportedSecretsStore, clock: Clock, make: (digests: Digests) => boolean): Promise<void> {
  for (let attempt = 1; attempt <= MAX_CONFLICTS; attempt += 1) {
    const read = await store.current();
    const digests = unpack(read.settings);
    if (!make(digests)) return;
    const now = clock.now();
    for (const [digest, until] of digests) if (!isValid(until, now)) digests.delete(digest);
    checkRoom(digests);
    const next = {
      version: read.version + 1,
      settings: pack(digests),
      createdAt: new Date(now).toISOString(),
      createdBy: null,
    };
    if (await store.replace(read, next)) return;
  }
  throw new GatewayError('conflict', 'Others are importing keys now. Try again.');
}

function checkRoom(digests: Digests): void {
  let keys = 0;
  for (const until of digests.values()) if (until === NO_END) keys += 1;
  if (keys > MAX_KEYS) throw new GatewayError('conflict', `At most ${MAX_KEYS} keys can have imported secrets.`);
  if (digests.size > MAX_DIGESTS)
    throw new GatewayError('conflict', 'Too many imported secrets were rotated or moved today. Try again in a day.');
}

/** @param until undefined: there is no such digest */
function isValid(until: string | undefined, nowMs: number): boolean {
  return until === NO_END || (until !== undefined && nowMs < Date.parse(until));
}

/** Times are full hours: a digest that stays longer only costs a look-up, and digests with the same time have it once. */
function hourAfter(timeMs: number): string {
  return new Date(Math.ceil(timeMs / HOUR_MS) * HOUR_MS).toISOString();
}

/** Until when each digest is valid. */
type Digests = Map<string, string>;

function unpack({ digests }: ImportedSecretsDocument): Digests {
  const unpacked: Digests = new Map();
  for (const [until, packed] of Object.entries(digests))
    for (let at = 0; at < packed.length; at += DIGEST_CHARS) unpacked.set(packed.slice(at, at + DIGEST_CHARS), until);
  return unpacked;
}

function pack(unpacked: Digests): ImportedSecretsDocument {
  const groups = Map.groupBy(unpacked, ([, until]) => until);
  const digests = [...groups].map(([until, all]) => [until, all.map(([digest]) => digest).join('')] as const);
  return { digests: Object.fromEntries(digests) };
}

function digestOf(hash: string): string {
  const hmac = Buffer.from(hash.slice(hash.indexOf('.') + 1), 'hex');
  return hmac.toString('base64url', 0, DIGEST_BYTES);
}
