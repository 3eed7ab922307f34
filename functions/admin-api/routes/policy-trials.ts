import * as z from 'zod';
import { type BodyOf, type replayOperations, UNKNOWN_TO_REPLAYS } from '../../contract/index.ts';
import type { RecordPosition } from '../../control/analytics/index.ts';
import { audit } from '../../control/audit/index.ts';
import { effectivePolicy } from '../../control/policy/index.ts';
import { checkPolicy } from '../../inspection/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { arrivalOf } from '../../kernel/http/index.ts';
import type { Replay } from '../../replay/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import type { Handlers } from '../operation-routes.ts';
import { teamPolicyOf } from '../team-keys.ts';
import { cursorRequestId, isoTime, readCursor, writeCursor } from './query.ts';

const DAY_MS = 86_400_000;
const cursorSchema = z.tuple([isoTime, isoTime, isoTime, cursorRequestId]);

/** What a policy would have done to past requests. Changes nothing. */
export const REPLAY_HANDLERS: Handlers<typeof replayOperations, AdminDeps> = {
  replayPolicy: {
    check: ({ policy }, context) => checkPolicy(policy, context, ['policy']),
    async handle({ body, caller }, deps) {
      const { policy, as, keyId, requestId, texts } = body;
      const { from, to, after } = rangeOf(body, deps.clock.now());
      if (texts) {
        // Findings reveal something about the text, so a replay is in the audit log like a read of a text.
        const target = { type: 'capture', id: requestId ?? keyId ?? '*' } as const;
        await audit(
          caller,
          { action: 'capture.replayed', target, before: null, after: { from, to, as, policy } },
          deps,
        );
      }
      const [replayFor, { replayPast }] = await Promise.all([replaysFor(body, deps), import('../../replay/index.ts')]);
      const { report, next } = await replayPast({ from, to, keyId, requestId, texts }, after, { ...deps, replayFor });
      return {
        object: 'policy.replay',
        from,
        to,
        ...report,
        nextCursor: next === undefined ? null : writeCursor([from, to, next.time, next.id]),
        unknown: UNKNOWN_TO_REPLAYS,
      };
    },
  },
};

function rangeOf({ from, to, requestId, cursor }: BodyOf<'replayPolicy'>, nowMs: number) {
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
  { policy, as }: BodyOf<'replayPolicy'>,
  { keys, policies, teams, engine }: AdminDeps,
): Promise<(keyId: string) => Promise<Replay>> {
  const [{ Replay }, loaded] = await Promise.all([import('../../replay/index.ts'), engine()]);
  if (as === 'key') {
    const replay = new Replay(effectivePolicy((await policies.current()).settings, policy), loaded);
    return async () => replay;
  }
  const known = new Map<string, Promise<Replay>>();
  return (keyId) => {
    const make = async () => {
      const key = (await keys.get(keyId))?.key;
      return new Replay(effectivePolicy(policy, key?.policy ?? {}, await teamPolicyOf(key, { teams })), loaded);
    };
    const replay = known.get(keyId) ?? make();
    known.set(keyId, replay);
    return replay;
  };
}
