import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { audit, auditVoid, type Caller, changedFields } from '../control/audit/index.ts';
import type { DocumentStore, DocumentVersion } from '../control/documents/index.ts';
import { GatewayError, toValidationError } from '../kernel/errors/index.ts';
import type { AuditFact, GatewayEvent } from '../kernel/model/index.ts';
import type { AuthorizedCaller } from './access.ts';
import type { AdminDeps } from './admin-deps.ts';
import { ResponseWith } from './operation-routes.ts';

/** Simultaneous changes by administrators are few. */
const MAX_CONFLICTS = 5;
/** Of a version, and of the old and new values in an audit record: an item of DynamoDB has at most 400 KB. */
const MAX_BYTES = 390_000;
const VERSION = /^(?:0|[1-9]\d{0,14})$/;

/** A document with versions, as its operations name it. */
export interface DocumentKind<Content extends object, View> {
  /** In errors, and the type of its target in the audit trail. */
  readonly name:
    | 'policy'
    | 'routes'
    | 'prices'
    | 'providers'
    | 'identity'
    | 'override'
    | 'credentials'
    | 'teams'
    | 'alerts'
    | 'mcp_servers';
  /** Of its changes in the audit trail. Default: `<name>.updated`. The credentials, teams and alerts have a record of the changed one instead. */
  readonly action?: AuditFact['action'];
  /** The sentence for one that another caller has changed, without its end. */
  readonly hasChanged: string;
  store(deps: AdminDeps): DocumentStore<Content>;
  /** The event of a change; none without it. */
  readonly eventOf?: (next: DocumentVersion<Content>, read: DocumentVersion<Content>) => GatewayEvent;
  /** Refuses a content that the caller may not write. @throws GatewayError */
  check?(content: Content, caller: AuthorizedCaller, deps: AdminDeps): Promise<void>;
  /** How a version is shown. */
  toView(version: DocumentVersion<Content>): View;
  /** The form of its content, by the rules of this release. */
  readonly schema: z.ZodType<Content>;
}

/** Who writes over which version: the header `If-Match`, and the caller. */
export interface Write {
  readonly headers: { readonly 'If-Match'?: string | undefined };
  readonly caller: AuthorizedCaller;
  /** Where the request names the version. Default: `If-Match`. */
  readonly versionField?: 'version';
}

/** What documents have in common: a write, and the operations on versions. */
export function documentHandlers<Content extends object, View>(kind: DocumentKind<Content, View>) {
  const change = async (make: (current: Content) => Content, write: Write, deps: AdminDeps) => {
    const version = await changeDocument(kind, make, write, deps);
    return withETag(kind.toView(version), version);
  };
  return {
    /** Writes what `make` makes of the current version. */
    change,
    read: async (deps: AdminDeps) => {
      const current = await kind.store(deps).current();
      return withETag(kind.toView(current), current);
    },
    rollback: async ({ body, ...write }: Write & { readonly body: { readonly version: number } }, deps: AdminDeps) => {
      const settings = validContent(kind, await readVersion(kind, body.version, deps));
      return change(() => settings, write, deps);
    },
    /** The current one included. */
    versions: async (
      { query }: { readonly query: { readonly limit: number; readonly cursor?: string | undefined } },
      deps: AdminDeps,
    ) => {
      const page = await kind.store(deps).list(query.limit, query.cursor);
      const data = page.versions.map((version) => kind.toView(version));
      return { object: 'list' as const, data, nextCursor: page.nextCursor ?? null };
    },
    version: async ({ params }: { readonly params: { readonly version: string } }, deps: AdminDeps) =>
      kind.toView(await readVersion(kind, params.version, deps)),
  };
}

/** The content of a version, which an earlier release may have checked by other rules. @throws GatewayError `invalid_value` */
export function validContent<Content extends object>(
  { schema }: Pick<DocumentKind<Content, unknown>, 'schema'>,
  { version, settings }: DocumentVersion<Content>,
): Content {
  const checked = schema.safeParse(settings);
  if (checked.success) return checked.data;
  const { message } = toValidationError(checked.error, settings);
  throw new GatewayError(
    'invalid_value',
    `Version ${version} is no longer valid: ${message} Read it, correct it, and save it with PUT.`,
    { param: 'version' },
  );
}

/** What a write is in the audit trail. */
type Fact = Parameters<typeof audit>[1];

interface Recorded<Content> {
  readonly factOf?: (before: Content, after: Content) => Fact;
}

/**
 * Writes what `change` makes of the current version, as a new version with a record in the audit trail. Another change in between is
 * tried again, unless `ifMatch` names the version. A change that returns the same object writes nothing. `factOf`: the record of the change of a part; by default that of the whole document.
 * @throws GatewayError `version_conflict`, `conflict`, `invalid_value` for what no item can hold; what `change` throws
 */
export async function changeDocument<Content extends object>(
  kind: Omit<DocumentKind<Content, unknown>, 'toView' | 'schema'>,
  change: (current: Content) => Content | Promise<Content>,
  { headers: { 'If-Match': ifMatch }, caller, factOf, versionField }: Write & Recorded<Content>,
  deps: AdminDeps,
): Promise<DocumentVersion<Content>> {
  const { name } = kind;
  const store = kind.store(deps);
  for (let attempt = 1; attempt <= MAX_CONFLICTS; attempt += 1) {
    const read = await store.current();
    if (ifMatch !== undefined && !names(ifMatch, read)) throw overtaken(kind.hasChanged, read, versionField);
    const settings = await change(read.settings);
    if (settings === read.settings) return read;
    await kind.check?.(settings, caller, deps);
    const version = read.version + 1;
    const fact = factOf?.(read.settings, settings) ?? {
      action: kind.action ?? (`${name}.updated` as AuditFact['action']),
      target: { type: name as AuditFact['target']['type'], id: String(version) },
      ...changedFields(read.settings, settings),
    };
    refuseTooLarge(name, settings);
    const createdBy = nameOf(caller.actor);
    const next = { version, settings, createdAt: new Date(deps.clock.now()).toISOString(), createdBy };
    const entry = await audit(caller, fitting(fact, read, next), deps);
    if (await store.replace(read, next, kind.eventOf?.(next, read))) return next;
    await auditVoid(caller, entry, deps);
  }
  throw new GatewayError('conflict', `Others are changing the ${name} now. Try again.`);
}

function refuseTooLarge(name: string, settings: object): void {
  const bytes = bytesOf(settings);
  if (bytes <= MAX_BYTES) return;
  const message = `This change of the ${name} is too large: the new version has ${bytes} bytes as JSON, and at most ${MAX_BYTES} can be stored.`;
  throw new GatewayError('invalid_value', message, { param: name });
}

function bytesOf(content: object): number {
  return Buffer.byteLength(JSON.stringify(content));
}

/** The record of a change. Where the old and new values together are too large, it names both versions with their digests. */
function fitting(fact: Fact, read: DocumentVersion<object>, next: DocumentVersion<object>): Fact {
  if (bytesOf(fact) <= MAX_BYTES) return fact;
  return { ...fact, before: digestOf(read), after: digestOf(next) };
}

function digestOf({ version, settings }: DocumentVersion<object>) {
  return { version, sha256: createHash('sha256').update(JSON.stringify(settings)).digest('hex') };
}

/** The version of a path or a body. @throws GatewayError `not_found` */
export async function readVersion<Content extends object>(
  kind: DocumentKind<Content, unknown>,
  version: string | number,
  deps: AdminDeps,
): Promise<DocumentVersion<Content>> {
  const found = VERSION.test(String(version)) ? await kind.store(deps).get(Number(version)) : undefined;
  if (found !== undefined) return found;
  throw new GatewayError('not_found', `There is no such version of the ${kind.name}.`, { param: 'version' });
}

/** A response with the version as its `ETag`. */
export function withETag<View>(view: View, version: DocumentVersion<object>): ResponseWith<View> {
  return new ResponseWith(view, { etag: etagOf(version) });
}

function etagOf({ version }: DocumentVersion<object>): string {
  return `"${version}"`;
}

/** Whether `If-Match` names the version: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1. No weak tag does. */
function names(ifMatch: string, version: DocumentVersion<object>): boolean {
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return (tags.length === 1 && tags[0] === '*') || tags.includes(etagOf(version));
}

/** How versions and views name who saved them; null for the operator. */
export function nameOf(actor: Caller['actor']): string | null {
  if (actor.type === 'operator' || actor.type === 'system') return null;
  return actor.type === 'key' ? actor.id : (actor.email ?? actor.subject);
}

function overtaken(hasChanged: string, { version }: DocumentVersion<object>, param = 'If-Match'): GatewayError {
  const message = `${hasChanged}: the current version is ${version}. Read it again before you change it.`;
  return new GatewayError('version_conflict', message, { param });
}
