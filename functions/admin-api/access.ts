import type { Operation } from '../contract/index.ts';
import type { Caller } from '../control/audit/index.ts';
import {
  type Authenticator,
  authenticate,
  authenticateHolder,
  authorize,
  type KeyStore,
  presentsKey,
} from '../control/keys/index.ts';
import type { LiveTeams } from '../control/teams/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { IncomingRequest, RequestHeaders, RoutedRequest } from '../kernel/http/index.ts';
import { type ApiKey, type Grants, isPermitted, PERMISSIONS, type Permission } from '../kernel/model/index.ts';
import type { Team } from '../kernel/teams/index.ts';
import type { Authority } from './authority.ts';
import { isCsrfToken, type Session, type Sessions } from './sign-in.ts';

export interface AccessDeps {
  readonly authenticator: Authenticator & { readonly teams: LiveTeams };
  readonly keys: Pick<KeyStore, 'get'>;
  readonly sessions: Sessions;
}

/** What a caller may do with their current permissions, and in their team. */
export interface Rights extends Authority {
  /** The team of a key, an identity or a person; `role` is absent for a key, which has its permissions alone. */
  readonly member: { readonly team: Pick<Team, 'id' | 'name'>; readonly role?: ApiKey['teamRole'] } | undefined;
  /** Permissions that are for the whole deployment. */
  readonly everywhere: Grants;
}

/** The signed-in user. */
export interface SignedIn extends Rights {
  readonly actor: Caller['actor'];
  readonly keyId: string | null;
  readonly name: string;
}

/** Who makes a change, and what they may give. */
export interface AuthorizedCaller extends Caller {
  readonly authority: Authority;
  /** The team whose data they may use; undefined: those of all. */
  readonly teamId: string | undefined;
}

/** What an operation requires. */
interface Required extends Pick<Operation, 'access' | 'scope'> {
  readonly access: Exclude<Operation['access'], 'session' | 'none'>;
}

/** Requires what an operation does, from the request's key or else from its dashboard session. @throws GatewayError 401 or 403 */
export async function requirePermission(
  { request, context, requestId }: RoutedRequest,
  required: Required,
  deps: AccessDeps,
): Promise<AuthorizedCaller> {
  const { clientAddress } = context;
  const from = { address: clientAddress, requestId };
  const session = await sessionOf(request, deps);
  if (session !== undefined) {
    checkCsrf(request, session);
    const signedIn = await signedInUser(session, deps);
    return { actor: signedIn.actor, from, ...grantedTo(signedIn, required, clientAddress) };
  }
  const key = await authenticate(request.headers, clientAddress, deps.authenticator);
  return { actor: { type: 'key', id: key.id }, from, ...grantedTo(rightsOfKey(key), required, clientAddress) };
}

/** The permissions of `access`, each needed. */
function permissionsFor({ access }: Required): readonly Permission[] {
  return access === 'records' ? ['analytics', 'security'] : [access];
}

/** Of a key with a team, `analytics` and `approvals` are for its team alone. */
const OF_TEAM: ReadonlySet<Permission> = new Set(['analytics', 'approvals']);
/** The highest first: a role has what lower ones have. */
const ROLES = ['owner', 'member', 'viewer'] as const;
/** What owners can give to keys of their team. */
const GIVEN_BY_OWNERS = PERMISSIONS.filter((one) => !['approvals', 'security', 'operator', 'admin'].includes(one));

function grantedTo(
  rights: Rights,
  required: Required,
  address: string,
): Pick<AuthorizedCaller, 'authority' | 'teamId'> {
  authorize(rights, undefined, address);
  const data = dataFor(rights, required);
  if (data === 'all') return { authority: rights, teamId: undefined };
  if (data !== undefined) return { authority: { ...rights, permissions: GIVEN_BY_OWNERS }, teamId: data.teamId };
  for (const one of permissionsFor(required)) authorize({ ...rights.everywhere, ipWhitelist: [] }, one, address);
  throw new GatewayError('insufficient_permissions', 'This caller may not use this endpoint.');
}

/** Whose data an operation may use; undefined: it is refused. */
function dataFor(
  { everywhere, member, ...grants }: Rights,
  required: Required,
): 'all' | { teamId: string } | undefined {
  const permissions = permissionsFor(required);
  if (permissions.every((one) => isPermitted(everywhere, one))) return 'all';
  if (member === undefined || required.scope === 'deployment') return undefined;
  const { team, role } = member;
  const isByRole = role !== undefined && ROLES.indexOf(role) <= ROLES.indexOf(required.scope);
  const isByPermission = permissions.every((one) => OF_TEAM.has(one) && isPermitted(grants, one));
  return isByRole || isByPermission ? { teamId: team.id } : undefined;
}

/** Whether the user may call an operation, for the data of all teams or of one. */
export function mayCall(rights: Rights, { access, scope }: Pick<Operation, 'access' | 'scope'>): boolean {
  return access === 'session' || access === 'none' || dataFor(rights, { access, scope }) !== undefined;
}

/** The rights of a key, or of the caller of a token. */
function rightsOfKey(key: ApiKey): Rights {
  const { permissions, excludePermissions, team, teamRole: role } = key;
  const everywhere = {
    permissions: permissions.filter((one) => team === undefined || !OF_TEAM.has(one)),
    excludePermissions,
  };
  return { ...key, member: team && { team, role }, everywhere };
}

/** The session of a request. A request with a key uses the key, whatever cookies it has. */
export async function sessionOf({ headers }: IncomingRequest, { sessions }: AccessDeps): Promise<Session | undefined> {
  return presentsKey(headers) ? undefined : sessions.read(headers);
}

/**
 * A browser sends the cookie with every request, also from other sites: a change must come from the dashboard. @throws GatewayError
 * `insufficient_permissions`
 */
export function checkCsrf({ method, headers }: IncomingRequest, session: Session): void {
  if (method === 'GET' || method === 'HEAD') return;
  if (isSameOrigin(headers) && isCsrfToken(session, headers.get('x-svc-csrf') ?? '')) return;
  const message = "A change in a session needs its 'csrfToken' in the header X-Svc-Csrf, and a page of this origin.";
  throw new GatewayError('insufficient_permissions', message);
}

/** The user of a session; a key is looked up each time. @throws GatewayError `invalid_api_key` if that key is no longer valid */
export async function signedInUser({ holder }: Session, { keys, authenticator }: AccessDeps): Promise<SignedIn> {
  if (holder.type === 'person') {
    const { subject, email, permissions, claims } = holder;
    const everywhere = { permissions, excludePermissions: [] };
    const authority = { ...everywhere, allowedModels: [], allowedTools: [], ipWhitelist: [], expiresAt: null };
    // Read each time: who is removed from a team loses access at once.
    const member = claims && (await authenticator.teams.memberOf(claims));
    const rights = { ...authority, member, everywhere };
    return { ...rights, actor: { type: 'person', subject, email }, keyId: null, name: email ?? subject };
  }
  const key = await authenticateHolder(holder, keys, authenticator);
  const { id, name } = key;
  return { ...rightsOfKey(key), actor: { type: 'key', id }, keyId: id, name };
}

/**
 * Whether a request comes from the dashboard, according to its browser: `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/), or
 * `Origin` if the browser does not send that. Every browser sends one of them with a change; programs send a key instead of a cookie.
 */
export function isSameOrigin(headers: RequestHeaders): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  return origin !== null && URL.canParse(origin) && new URL(origin).host === headers.get('host');
}
