import type { RequestRecord, Session } from '../../kernel/model/index.ts';
import { isRemembered, type SessionScore, withTurn } from '../sessions/index.ts';
import type { Aggregate, AggregateKey, AggregateReader, SessionList, SessionQuery } from './aggregate-store.ts';
import { DAY_MS } from './cells.ts';
import { type StoredTotals, Totals } from './totals.ts';

/** At most this many models and versions of a session are listed. */
const MAX_NAMES = 32;
const SESSION = 'session#';

/** A session in stored form. */
export interface SessionValue {
  readonly sessionId: string;
  readonly keyId: string;
  /** Of its latest request. */
  readonly teamId?: string | undefined;
  /** The end user named last. */
  readonly endUser: { readonly id: string; readonly at: number } | null;
  readonly environment: string;
  /** The position in lists: fixed at the first request, so that pages do not shift. */
  readonly sort: string;
  /** Milliseconds since 1970, as all times here. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly models: readonly string[];
  readonly appVersions: readonly string[];
  /** The highest score of its turns. */
  readonly highest: number;
  /** The accumulated score, as of the last suspicious turn. */
  readonly score: SessionScore | null;
  readonly totals: StoredTotals;
}

/** A session's key: its name first, since a reader may not know the key's id. */
export function sessionKey(sessionId: string, keyId: string): AggregateKey {
  return { pk: `${SESSION}${sessionId}`, sk: keyId };
}

/** The session's name in its partition's name. */
export function sessionIdIn(pk: string): string {
  return pk.slice(SESSION.length);
}

/** The session with more of its requests counted in; at least one in total. */
export function withTurns(
  known: SessionValue | undefined,
  records: readonly RequestRecord[],
  keptDays: number,
): Aggregate & { readonly value: SessionValue } {
  const turns = [...records].sort((a, b) => (a.time < b.time ? -1 : 1));
  const value = turns.reduce<SessionValue | undefined>(withOne, known) as SessionValue;
  const { sessionId, keyId, endUser, teamId, sort, lastAt } = value;
  return {
    key: sessionKey(sessionId, keyId),
    value,
    expiresAt: Math.ceil((lastAt + keptDays * DAY_MS) / 1000),
    listed: {
      key: keyId,
      ...(endUser !== null && { endUser: endUser.id }),
      ...(teamId !== undefined && { team: teamId }),
      sort,
    },
  };
}

function withOne(known: SessionValue | undefined, record: RequestRecord): SessionValue {
  const at = Date.parse(record.time);
  const sessionId = record.sessionId as string;
  const totals = Totals.from(known?.totals ?? {});
  totals.add(record);
  // A session's requests are few: latency sketches would be most of its size.
  const { latency: _, firstToken: __, ...sums } = totals.toJSON();
  const latest = at >= (known?.lastAt ?? 0);
  const score = known?.score ?? null;
  const namedBefore = known?.endUser ?? null;
  const named = record.endUserId !== null && at >= (namedBefore?.at ?? 0);
  return {
    sessionId,
    keyId: record.keyId,
    teamId: known === undefined || latest ? record.teamId : known.teamId,
    endUser: named ? { id: record.endUserId as string, at } : namedBefore,
    environment: known === undefined || latest ? record.environment : known.environment,
    sort: known?.sort ?? `${record.time}#${record.keyId}#${sessionId}`,
    firstAt: Math.min(at, known?.firstAt ?? at),
    lastAt: Math.max(at, known?.lastAt ?? at),
    models: withName(known?.models ?? [], record.model),
    appVersions: withName(known?.appVersions ?? [], record.appVersion),
    highest: Math.max(known?.highest ?? 0, record.turnScore, ...callScores(record)),
    score: isRemembered(record.turnScore) ? withTurn(score ?? undefined, record.turnScore, at) : score,
    totals: sums,
  };
}

/** Of the calls that the response makes: the score of a turn is that of what the request says. */
function callScores({ findings }: RequestRecord): number[] {
  return findings.flatMap(({ type, location, score }) =>
    type === 'tool_misuse' && location.part === 'output' ? [score] : [],
  );
}

function withName(names: readonly string[], name: string | null): readonly string[] {
  return name === null || names.includes(name) || names.length >= MAX_NAMES ? names : [...names, name];
}

/** A session in the API's form. */
export function toSession(value: SessionValue): Session {
  const { latencyMs: _, timeToFirstTokenMs: __, ...figures } = Totals.from(value.totals).toFigures();
  const round = (score: number) => Math.round(score * 10_000) / 10_000;
  return {
    id: value.sessionId,
    object: 'session',
    keyId: value.keyId,
    ...(value.teamId !== undefined && { teamId: value.teamId }),
    endUserId: value.endUser?.id ?? null,
    environment: value.environment,
    firstAt: new Date(value.firstAt).toISOString(),
    lastAt: new Date(value.lastAt).toISOString(),
    ...figures,
    models: [...value.models],
    appVersions: [...value.appVersions],
    threatScore: { highest: round(value.highest), accumulated: round(value.score?.accumulated ?? 0) },
  };
}

/** Which sessions to list. */
interface SessionFilter extends SessionQuery {
  readonly environment?: string | undefined;
  readonly model?: string | undefined;
}

/** A page reads at most this many sessions. */
const MAX_LOOKED_AT = 1_000;
const MIN_READ = 25;

/** Sessions, the latest start first; `next` is the end of the page, undefined on the last. */
export async function listSessions(
  filter: SessionFilter,
  limit: number,
  after: string | undefined,
  list: SessionList,
): Promise<{ items: Session[]; next: string | undefined }> {
  const items: Session[] = [];
  let from = after;
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT; ) {
    const size = Math.max(MIN_READ, limit - items.length + 1);
    const { values, next } = await list.listSessions(filter, size, from);
    const found = values as readonly SessionValue[];
    for (const [at, value] of found.entries()) {
      if (!fits(value, filter)) continue;
      items.push(toSession(value));
      if (items.length < limit) continue;
      const last = at === found.length - 1 && next === undefined;
      return { items, next: last ? undefined : value.sort };
    }
    if (next === undefined) return { items, next: undefined };
    lookedAt += size;
    from = next;
  }
  return { items, next: from };
}

/** The sessions of this name: several keys (`key_`) and identities (`idn_`) may each have one. */
export async function findSessions(sessionId: string, reader: AggregateReader): Promise<Session[]> {
  const { pk } = sessionKey(sessionId, '');
  const rows = await reader.range(pk, 'idn_', 'key_~');
  return rows.map(({ value }) => toSession(value as SessionValue));
}

function fits(value: SessionValue, { keyId, endUserId, environment, model, teamId }: SessionFilter): boolean {
  return (
    (keyId === undefined || value.keyId === keyId) &&
    // It stays in the end user's list when a later request names another.
    (endUserId === undefined || value.endUser?.id === endUserId) &&
    (environment === undefined || value.environment === environment) &&
    (teamId === undefined || value.teamId === teamId) &&
    (model === undefined || value.models.includes(model))
  );
}
