import { DynamoAggregates } from '../../functions/adapters/dynamo/dynamo-aggregates.ts';
import { DynamoIdentityStore } from '../../functions/adapters/dynamo/dynamo-identity-store.ts';
import { DynamoCaptureStore, DynamoRequestRecords } from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import { singleSignOn } from '../../functions/admin-api/sign-in.ts';
import { countRecords } from '../../functions/control/analytics/count-records.ts';
import { recordOf } from '../../functions/control/analytics/record.fixture.ts';
import { identityId as identityIdOf } from '../../functions/control/identities/identities.ts';
import { newRequestIdText } from '../../functions/kernel/http/request-id.ts';
import type { RequestRecord } from '../../functions/kernel/model/index.ts';
import { type AdminCall, type AdminResponse, startAdminApp } from './admin-app.ts';
import { CLIENT, Issuer } from './issuer.ts';

const LIMIT_WINDOW_MS = 60_000;
const RULE = 'everyone';

/** Whom a request comes from. */
export type Call = (method: string, path: string, body?: unknown) => Promise<AdminResponse>;

/** A team with one object of each kind. */
export type TeamData = Awaited<ReturnType<Awaited<ReturnType<typeof startTwoTeams>>['newTeam']>>;

/** The admin API with an identity provider; teams with keys, requests, sessions, captures and approvals. */
export async function startTwoTeams() {
  let now = () => 0;
  const issuer = new Issuer(() => now());
  await issuer.start();
  const service = await startAdminApp((deps) => {
    now = () => deps.clock.now();
    const settings = {
      oidcIssuer: issuer.url,
      oidcClientId: CLIENT.id,
      oidcLabel: 'Example Inc.',
      oidcAdminGroups: ['platform'],
      oidcAnalyticsGroups: [],
      oidcRoles: { security: ['security'], operator: ['operators'], viewer: ['everybody'] },
      oidcGroupsClaim: 'groups',
      dashboardUrl: 'https://svc.example.com',
    };
    const secret = async () => 's'.repeat(64);
    return { ...deps, singleSignOn: singleSignOn(settings, async () => CLIENT.secret, secret, true, deps.clock) };
  });
  const clients = { together: service.dynamo, alone: service.dynamo };
  const records = new DynamoRequestRecords(clients, 'records', { keptDays: 30, lingerMs: 0, pendingIndex: false });
  const captures = new DynamoCaptureStore(service.dynamo, 'captures', service.clock, 7);
  const store = new DynamoAggregates(service.dynamo, 'aggregates', service.clock);
  const identities = new DynamoIdentityStore(service.dynamo, 'keys', service.clock);
  const rules = [{ id: RULE, match: { sub: ['*'] } }];
  const body = { issuers: [{ issuer: 'https://login.example.com', audience: ['svc'], rules }] };
  await service.call('PUT', '/identity', { body, headers: { 'if-match': '*' } });
  let position = 0;
  // Not the first hour of a month.
  service.clock.time += 7_200_000;

  /** Stores and counts a request. */
  const addRequest = async (fields: Partial<RequestRecord>): Promise<RequestRecord> => {
    const at = service.clock.time - 3_600_000;
    const record = recordOf({ id: newRequestIdText(at), time: new Date(at).toISOString(), ...fields });
    position += 1;
    await records.write(record);
    const days = { aggregateDays: 400, sessionDays: 30 };
    const batch = { source: 'test', deliveries: [{ position: String(position), record }] };
    await countRecords(batch, { store, now: () => service.clock.time, ...days });
    return record;
  };

  const newKey = async (body: object): Promise<{ readonly id: string; readonly key: string }> =>
    (await service.call('POST', '/keys', { body: { name: 'Key', ...body } })).json;

  /** @param name also its end user, tag, model and session */
  const newTeam = async (name: string) => {
    const members = (['owner', 'member', 'viewer'] as const).map((role) => ({
      match: { email: [`${role}@${name}.example`] },
      role,
    }));
    const team = (await service.call('POST', '/teams', { body: { name, members } })).json;
    const { id: keyId } = await newKey({ name: `Key of ${name}`, teamId: team.id });
    const finding = {
      ...{ type: 'prompt_injection', category: 'c', score: 0.9, severity: 'high', action: 'flag', rule: 'r' },
      location: { part: 'input', field: 'messages[0].content', start: 0, end: 4 },
    } as unknown as RequestRecord['findings'][number];
    const record = await addRequest({
      ...{ keyId, teamId: team.id, endUserId: name, sessionId: name, model: name, requestTags: { feature: name } },
      ...{ findings: [finding], threats: { prompt_injection: 0.9 }, action: 'flag' },
    });
    await captures.write(record.id, { mode: 'full', request: name, answer: [], truncated: false, teamId: team.id });
    const asked = await service.approvals.request({
      ...{ keyId, teamId: team.id, environment: 'Production', sessionId: name, endUserId: name, requestId: record.id },
      field: 'choices[0].message.tool_calls[0].function.arguments.iban',
      origin: { call: `tool_${name}`, argument: 'iban', user: false, sources: [], ordered: true },
      ...{ value: 'x', policyRule: undefined, reason: 'Doubtful.' },
      call: { id: 'call_1', name: `tool_${name}`, arguments: '{}' },
    });
    const approvalId = 'id' in asked ? asked.id : '';
    const threatId = `thr_${Date.parse(record.time).toString(36)}_${record.id.slice('req_'.length)}_0`;
    const issuer = { issuer: `https://${name}.example`, subject: name };
    const identityId = identityIdOf(issuer);
    const seen = { id: identityId, ...issuer, ruleId: RULE, teamId: team.id };
    await identities.add({ ...seen, lastSeenAt: new Date(service.clock.time).toISOString() });
    return {
      name,
      identityId,
      id: team.id as string,
      keyId,
      requestId: record.id,
      approvalId,
      threatId,
      sessionId: name,
    };
  };

  /** Signs a person in. @returns undefined if they are refused */
  const signIn = async (claims: Record<string, unknown>): Promise<Call | undefined> => {
    issuer.claims = { groups: [], email: 'x@example.com', email_verified: true, ...claims };
    service.clock.time += LIMIT_WINDOW_MS;
    const started = await service.raw('GET', '/v1/admin/session/oidc/start', {});
    const [attempt = ''] = started.headers.getSetCookie();
    const parameters = issuer.authorize(started.headers.get('location') as string);
    const path = `/v1/admin/session/oidc/callback?${parameters}`;
    const finished = await service.raw('GET', path, { cookie: attempt.split(';')[0] as string });
    const cookie = finished.headers.getSetCookie().find((one) => one.startsWith('__Host-svc_session='));
    if (cookie === undefined) return undefined;
    const headers = { cookie: cookie.split(';')[0] as string };
    const { json } = await service.callAt('GET', '/v1/admin/session', { key: null, headers });
    const sent = { ...headers, 'sec-fetch-site': 'same-origin', 'x-svc-csrf': json.csrfToken };
    return asCaller({ key: null, headers: sent });
  };

  const asCaller =
    (caller: AdminCall): Call =>
    (method, path, body) =>
      service.callAt(method, path, { ...caller, ...(body !== undefined && { body }) });

  return {
    service,
    /** Of the sign-ins. */
    issuerUrl: issuer.url,
    newTeam,
    newKey,
    addRequest,
    signIn,
    withKey: (key: string) => asCaller({ key }),
    stop: async () => {
      await service.stop();
      issuer.stop();
    },
  };
}
