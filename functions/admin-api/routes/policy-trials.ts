import * as z from 'zod';
import type { RecordPosition } from '../../core/analytics/request-records.ts';
import { audit } from '../../core/audit/audit-change.ts';
import { GatewayError } from '../../core/base/errors.ts';
import { arrivalOf } from '../../core/base/request-id.ts';
import { readJsonBody } from '../../core/http/request-body.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { checkPolicy } from '../../core/policy/check-policy.ts';
import { effectivePolicy } from '../../core/policy/effective-policy.ts';
import type { Replay } from '../../core/replay/replay.ts';
import { replayPast } from '../../core/replay/replay-past.ts';
import { type PolicyReplay, type ReplayRequest, UNKNOWN_TO_REPLAYS } from '../../core/replay/replay-report.ts';
import { type AdminDeps, readChange, requireAdmin, requireAdminOfRecords } from '../admin-deps.ts';
import { replayRequestSchema } from '../contract.ts';
import { cursorRequestId, isoTime, readCursor, readQuery, writeCursor } from './query.ts';

const bodySchema = replayRequestSchema.superRefine(({ policy }, context) => checkPolicy(policy, context, ['policy']));
const DAY_MS = 86_400_000;
/** Of the playground: its calls count toward no limit, so their length bounds the cost. */
const MAX_BODY_BYTES = 256 * 1024;
const playgroundQuerySchema = z.strictObject({ keyId: z.string().min(1).max(128).optional() });
const cursorSchema = z.tuple([isoTime, isoTime, isoTime, cursorRequestId]);

/** Effects of a policy on recorded requests, and on a text in the playground. Neither changes anything. */
export function policyTrialRoutes(deps: AdminDeps): Route[] {
  return [replayPolicyRoute(deps), playgroundGuardRoute(deps)];
}

/** `POST /v1/admin/policy/replay`: what a policy would have done to past requests. Changes nothing. */
function replayPolicyRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/policy/replay',
    async handle(routed) {
      const { fields, caller } = await readChange(routed, bodySchema, deps, { require: requireAdminOfRecords });
      const { policy, as, keyId, requestId, texts } = fields;
      const { from, to, after } = rangeOf(fields, deps.clock.now());
      if (texts) {
        // Findings reveal something about the text, so a replay is in the audit log like a read of a text.
        const target = { type: 'capture', id: requestId ?? keyId ?? '*' } as const;
        await audit(
          caller,
          { action: 'capture.replayed', target, before: null, after: { from, to, as, policy } },
          deps,
        );
      }
      const replayFor = await replaysFor(fields, deps);
      const { report, next } = await replayPast({ from, to, keyId, requestId, texts }, after, { ...deps, replayFor });
      const replay: PolicyReplay = {
        object: 'policy.replay',
        from,
        to,
        ...report,
        nextCursor: next === undefined ? null : writeCursor([from, to, next.time, next.id]),
        unknown: UNKNOWN_TO_REPLAYS,
      };
      return jsonResponse(200, replay);
    },
  };
}

function rangeOf({ from, to, requestId, cursor }: ReplayRequest, nowMs: number) {
  const arrivedAt = requestId === undefined ? undefined : arrivalOf(requestId);
  if (arrivedAt !== undefined) {
    const [start, end] = [arrivedAt, arrivedAt + 1].map((ms) => new Date(ms).toISOString()) as [string, string];
    return { from: start, to: end, after: undefined };
  }
  if (cursor !== undefined) {
    const [start, end, time, id] = readCursor(cursor, cursorSchema);
    const after: RecordPosition = { time, id };
    return { from: start, to: end, after };
  }
  const end = to ?? new Date(nowMs).toISOString();
  const start = from ?? new Date(Date.parse(end) - DAY_MS).toISOString();
  if (start >= end) throw new GatewayError('invalid_value', "'from' must be before 'to'.", { param: 'from' });
  return { from: start, to: end, after: undefined };
}

/** The policy of each key's requests, compiled once per key. */
async function replaysFor(
  { policy, as }: ReplayRequest,
  { keys, policies, engine }: AdminDeps,
): Promise<(keyId: string) => Promise<Replay>> {
  const [{ Replay }, loaded] = await Promise.all([import('../../core/replay/replay.ts'), engine()]);
  if (as === 'key') {
    const replay = new Replay(effectivePolicy((await policies.current()).settings, policy), loaded);
    return async () => replay;
  }
  const known = new Map<string, Promise<Replay>>();
  return (keyId) => {
    const replay =
      known.get(keyId) ??
      keys.get(keyId).then((stored) => new Replay(effectivePolicy(policy, stored?.key.policy ?? {}), loaded));
    known.set(keyId, replay);
    return replay;
  };
}

/** `POST /v1/admin/playground/guard?keyId=`: the guard's response under the deployment's policy, or a key's. Leaves no record. */
function playgroundGuardRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/playground/guard',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const { keyId } = readQuery(routed.request.url, playgroundQuerySchema);
      const document = await readJsonBody(routed.request, MAX_BODY_BYTES);
      // As in `readChange`.
      await requireAdmin(routed, deps);
      const [{ settings: defaults }, stored, { inspector }, { tryGuard }] = await Promise.all([
        deps.policies.current(),
        keyId === undefined ? undefined : deps.keys.get(keyId),
        deps.engine(),
        import('../../core/replay/try-guard.ts'),
      ]);
      if (keyId !== undefined && stored === undefined) throw new GatewayError('not_found', 'There is no such key.');
      const settings = stored === undefined ? defaults : effectivePolicy(defaults, stored.key.policy);
      const { requestId } = routed;
      return jsonResponse(200, tryGuard(document, settings, inspector, { requestId, clock: deps.clock }));
    },
  };
}
