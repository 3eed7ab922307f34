import { countScores } from '../../core/analytics/count-scores.ts';
import { audit, auditVoid, type Caller, changedFields } from '../../core/audit/audit-change.ts';
import { GatewayError } from '../../core/base/errors.ts';
import { toValidationError } from '../../core/base/first-fault.ts';
import { readPageQuery } from '../../core/http/request-body.ts';
import { jsonResponse, type OutgoingResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { FLAG_FROM } from '../../core/inspect/policy.ts';
import type { DeploymentPolicy } from '../../core/model/deployment-policy.ts';
import type { PolicySettings } from '../../core/model/policy.ts';
import { checkPolicy } from '../../core/policy/check-policy.ts';
import { type PolicyVersion, type PolicyVersionView, putPolicySchema } from '../../core/policy/effective-policy.ts';
import { explainPolicy } from '../../core/policy/explain-policy.ts';
import { type AdminDeps, readChange, requireAdmin, requireAdminOfRecords } from '../admin-deps.ts';
import {
  type EffectivePolicy,
  type KeyPolicy,
  type PolicyScores,
  type PolicyVersionList,
  rollbackPolicySchema,
} from '../contract.ts';
import { effectiveQuerySchema, listRange, readQuery, scoresQuerySchema } from './query.ts';

/** Concurrent policy changes by administrators are few. */
const MAX_CONFLICTS = 5;
const bodySchema = putPolicySchema
  .transform(({ object: _o, version: _v, createdAt: _a, createdBy: _b, ...policy }): DeploymentPolicy => policy)
  .superRefine((policy, context) => checkPolicy(policy, context));
const VERSION = /^(?:0|[1-9]\d{0,14})$/;
const PATH = '/v1/admin/policy';
const WEEK_MS = 7 * 86_400_000;

/** `/v1/admin/policy`: the deployment's policy and its versions. */
export function policyRoutes(deps: AdminDeps): Route[] {
  return [
    getPolicyRoute(deps),
    putPolicyRoute(deps),
    rollbackPolicyRoute(deps),
    listPolicyVersionsRoute(deps),
    getPolicyVersionRoute(deps),
    keyPolicyRoute(deps),
    policyScoresRoute(deps),
  ];
}

/** `GET /v1/admin/policy?effective`: the deployment's policy, its version as the `ETag`; or every value in force. */
function getPolicyRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: PATH,
    async handle(routed) {
      await requireAdmin(routed, deps);
      const { effective } = readQuery(routed.request.url, effectiveQuerySchema);
      const current = await deps.policies.current();
      return effective ? jsonResponse(200, toEffective(current, {}, null)) : answer(current);
    },
  };
}

/** `GET /v1/admin/keys/{id}/policy?effective`: the key's own policy, or every value that is in force for its requests. */
function keyPolicyRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/keys/{id}/policy',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const { effective } = readQuery(routed.request.url, effectiveQuerySchema);
      const keyId = routed.params.id as string;
      const stored = await deps.keys.get(keyId);
      if (!stored) throw new GatewayError('not_found', 'There is no such key.');
      const { policy } = stored.key;
      if (effective) return jsonResponse(200, toEffective(await deps.policies.current(), policy, keyId));
      const own: KeyPolicy = { object: 'key.policy', keyId, policy };
      return jsonResponse(200, own);
    },
  };
}

function toEffective({ version, settings }: PolicyVersion, own: PolicySettings, keyId: string | null): EffectivePolicy {
  return { object: 'policy.effective', keyId, version, flagFrom: FLAG_FROM, ...explainPolicy(settings, own) };
}

/** `GET /v1/admin/policy/scores?from&to&keyId`: how many recorded findings have which score, by default of the last week. */
function policyScoresRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: `${PATH}/scores`,
    async handle(routed) {
      await requireAdminOfRecords(routed, deps);
      const { keyId, ...range } = readQuery(routed.request.url, scoresQuerySchema);
      const now = deps.clock.now();
      const { from, to } = listRange({ from: range.from ?? now - WEEK_MS, to: range.to ?? now });
      const counts = await countScores({ from, to, keyId }, deps);
      const scores: PolicyScores = { object: 'policy.scores', from: from as string, to: to as string, ...counts };
      return jsonResponse(200, scores);
    },
  };
}

/** `PUT /v1/admin/policy`: replaces the policy; with `If-Match` only that version (otherwise 412). */
function putPolicyRoute(deps: AdminDeps): Route {
  return {
    method: 'PUT',
    path: PATH,
    async handle(routed) {
      const { fields, caller } = await readChange(routed, bodySchema, deps);
      const ifMatch = routed.request.headers.get('if-match');
      return answer(await putPolicy(fields, ifMatch, caller, deps));
    },
  };
}

/** `POST /v1/admin/policy/rollback`: a new version with the settings of an old one; with `If-Match` only over that version. */
function rollbackPolicyRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: `${PATH}/rollback`,
    async handle(routed) {
      const { fields, caller } = await readChange(routed, rollbackPolicySchema, deps);
      const settings = validSettings(await readVersion(fields.version, deps));
      return answer(await putPolicy(settings, routed.request.headers.get('if-match'), caller, deps));
    },
  };
}

/** The settings of a version, which an earlier release may have checked by other rules. @throws GatewayError `invalid_value` */
function validSettings({ version, settings }: PolicyVersion): DeploymentPolicy {
  const checked = bodySchema.safeParse(settings);
  if (checked.success) return checked.data;
  const { message } = toValidationError(checked.error, settings);
  throw new GatewayError(
    'invalid_value',
    `Version ${version} is no longer a valid policy: ${message} Read it, correct it, and save it with PUT.`,
    { param: 'version' },
  );
}

/** @throws GatewayError `not_found` */
async function readVersion(version: number, deps: AdminDeps): Promise<PolicyVersion> {
  const found = await deps.policies.get(version);
  if (found === undefined) throw noSuchVersion();
  return found;
}

function noSuchVersion(): GatewayError {
  return new GatewayError('not_found', 'There is no such version of the policy.', { param: 'version' });
}

/** `GET /v1/admin/policy/versions/{version}`: one version; 0 is the initial policy. */
function getPolicyVersionRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: `${PATH}/versions/{version}`,
    async handle(routed) {
      await requireAdmin(routed, deps);
      const version = routed.params.version as string;
      if (!VERSION.test(version)) throw noSuchVersion();
      return jsonResponse(200, toView(await readVersion(Number(version), deps)));
    },
  };
}

/** `GET /v1/admin/policy/versions?limit&cursor`: newest first, including the current one. */
function listPolicyVersionsRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: `${PATH}/versions`,
    async handle(routed) {
      await requireAdmin(routed, deps);
      const { limit, cursor } = readPageQuery(routed.request.url);
      const page = await deps.policies.list(limit, cursor);
      const list: PolicyVersionList = {
        object: 'list',
        data: page.versions.map(toView),
        nextCursor: page.nextCursor ?? null,
      };
      return jsonResponse(200, list);
    },
  };
}

async function putPolicy(
  settings: DeploymentPolicy,
  ifMatch: string | null,
  caller: Caller,
  deps: AdminDeps,
): Promise<PolicyVersion> {
  for (let attempt = 1; attempt <= MAX_CONFLICTS; attempt += 1) {
    const read = await deps.policies.current();
    if (ifMatch !== null && ifMatch !== '*' && ifMatch !== etagOf(read)) throw overtaken(read);
    const version = read.version + 1;
    const createdBy = nameOf(caller.actor);
    const next = { version, settings, createdAt: new Date(deps.clock.now()).toISOString(), createdBy };
    const target = { type: 'policy', id: String(version) } as const;
    const difference = changedFields(read.settings, settings);
    const entry = await audit(caller, { action: 'policy.updated', target, ...difference }, deps);
    if (await deps.policies.replace(read, next)) return next;
    await auditVoid(caller, entry, deps);
  }
  throw new GatewayError('conflict', 'The policy is being changed by others. Try again.');
}

function nameOf(actor: Caller['actor']): string | null {
  if (actor.type === 'operator') return null;
  return actor.type === 'key' ? actor.id : (actor.email ?? actor.subject);
}

function overtaken({ version }: PolicyVersion): GatewayError {
  const message = `The policy has changed: the current version is ${version}. Read it again before you change it.`;
  return new GatewayError('version_conflict', message, { param: 'If-Match' });
}

function answer(version: PolicyVersion): OutgoingResponse {
  return jsonResponse(200, toView(version), { etag: etagOf(version) });
}

function etagOf({ version }: PolicyVersion): string {
  return `"${version}"`;
}

function toView({ settings, version, createdAt, createdBy }: PolicyVersion): PolicyVersionView {
  return { ...settings, object: 'policy', version, createdAt, createdBy };
}
