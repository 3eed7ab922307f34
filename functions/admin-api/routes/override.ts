import type { policyOperations, ResponseOf } from '../../contract/index.ts';
import type { DocumentVersion } from '../../control/documents/index.ts';
import { type Override, overrideAt } from '../../control/override/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { newEventId } from '../../kernel/model/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { changeDocument, type DocumentKind } from '../documents.ts';
import type { Handlers } from '../operation-routes.ts';

const OVERRIDE: DocumentKind<Override> = {
  name: 'override',
  hasChanged: 'The override has changed',
  target: 'override',
  updated: 'override.updated',
  store: ({ override }) => override,
  eventOf: ({ settings, createdAt }) => ({
    id: newEventId(),
    type: 'override.changed',
    created: createdAt as string,
    data: { mode: settings.mode, until: settings.mode === 'none' ? null : settings.until },
  }),
};
/** One that is left in force ends. */
const LONGEST_MS = 86_400_000;

/** The emergency switch of the deployment. */
export const OVERRIDE_HANDLERS: Handlers<Pick<typeof policyOperations, 'getOverride' | 'putOverride'>, AdminDeps> = {
  async getOverride(_, deps) {
    return toView(await deps.override.current(), deps);
  },
  async putOverride({ body: { mode, until }, caller }, deps) {
    const override = mode === 'none' ? { mode } : { mode, ...lifeOf(until as string, deps.clock.now()) };
    return toView(await changeDocument(OVERRIDE, () => override, { ifMatch: undefined, caller }, deps), deps);
  },
};

/** @throws GatewayError `invalid_value` for a time that has passed or is too far away */
function lifeOf(until: string, nowMs: number): { readonly from: string; readonly until: string } {
  const untilMs = Date.parse(until);
  if (untilMs <= nowMs || untilMs > nowMs + LONGEST_MS) {
    const message = "'until' must be in the future, at most a day from now.";
    throw new GatewayError('invalid_value', message, { param: 'until' });
  }
  return { from: new Date(nowMs).toISOString(), until: new Date(untilMs).toISOString() };
}

function toView(
  { settings, version, createdAt, createdBy }: DocumentVersion<Override>,
  { clock }: Pick<AdminDeps, 'clock'>,
): ResponseOf<'getOverride'> {
  const { mode, until } = overrideAt(settings, clock.now()) ?? { mode: 'none' as const, until: null };
  return { object: 'override', mode, until, version, createdAt, createdBy };
}
