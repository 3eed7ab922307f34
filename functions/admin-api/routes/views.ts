import { createHash } from 'node:crypto';
import type { ResponseOf, viewOperations } from '../../contract/index.ts';
import type { SavedView, SavedViews } from '../../kernel/configuration/index.ts';
import { randomHex } from '../../kernel/crypto/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { RoutedRequest } from '../../kernel/http/index.ts';
import { type AuthorizedCaller, requirePermission } from '../access.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { nameOf } from '../documents.ts';
import type { Handlers } from '../operation-routes.ts';

const ID_DIGITS = 32;
const MAX_VIEWS = 50;
/** Simultaneous changes of the same views are few. */
const MAX_CONFLICTS = 5;
/** Of callers who see the data of all teams. */
const DEPLOYMENT = 'deployment';
/** Others' shared views are changed by owners of the team and administrators. */
const OF_OTHERS = { access: 'admin', scope: 'owner' } as const;

/** Saved filters, in two places: the caller's own, and that of their team or the deployment. No other place can be named. */
export const VIEW_HANDLERS: Handlers<typeof viewOperations, AdminDeps> = {
  async listViews({ caller }, deps) {
    const owner = ownPlace(caller);
    const [own, shared] = (await deps.views.read([owner, sharedPlace(caller)])) as [SavedViews, SavedViews];
    const data = [
      ...own.views.map((view) => toView(view, false, owner)),
      ...shared.views.map((view) => toView(view, true, owner)),
    ];
    return { object: 'list', data, nextCursor: null };
  },
  async createView({ body: { shared, ...fields }, caller, routed }, deps) {
    const owner = ownPlace(caller);
    const created: SavedView = {
      id: `view_${randomHex(ID_DIGITS)}`,
      ...fields,
      owner,
      savedBy: nameOf(caller.actor) ?? owner,
      createdAt: new Date(deps.clock.now()).toISOString(),
    };
    const isReplaced = ({ page, name }: SavedView) => page === created.page && name === created.name;
    await change(shared ? sharedPlace(caller) : owner, deps, async (views) => {
      await requireOwn(views.filter(isReplaced), owner, routed, deps);
      const others = views.filter((view) => !isReplaced(view));
      if (others.length < MAX_VIEWS) return [...others, created];
      throw new GatewayError('conflict', `There are ${MAX_VIEWS} views already. Delete one first.`);
    });
    return toView(created, shared, owner);
  },
  async deleteView({ params: { id }, caller, routed }, deps) {
    const owner = ownPlace(caller);
    const places = [owner, sharedPlace(caller)];
    const read = await deps.views.read(places);
    const at = read.findIndex(({ views }) => views.some((view) => view.id === id));
    if (at < 0) throw new GatewayError('not_found', 'There is no such view.');
    await change(places[at] as string, deps, async (views) => {
      const isThis = (view: SavedView) => view.id === id;
      await requireOwn(views.filter(isThis), owner, routed, deps);
      return views.filter((view) => !isThis(view));
    });
    return { object: 'view.deletion', id, deleted: true };
  },
};

/** By a digest for a person, whose subject may be longer than a key of the table. */
function ownPlace({ actor }: AuthorizedCaller): string {
  if (actor.type === 'key') return actor.id;
  const subject = actor.type === 'person' ? actor.subject : actor.type;
  return `person_${createHash('sha256').update(subject).digest('hex').slice(0, ID_DIGITS)}`;
}

function sharedPlace({ teamId }: AuthorizedCaller): string {
  return teamId ?? DEPLOYMENT;
}

/** @throws GatewayError `insufficient_permissions` for views of others, unless the caller may change these too */
async function requireOwn(
  views: readonly SavedView[],
  owner: string,
  routed: RoutedRequest,
  deps: AdminDeps,
): Promise<void> {
  if (views.some((view) => view.owner !== owner)) await requirePermission(routed, OF_OTHERS, deps);
}

async function change(
  place: string,
  { views: store }: AdminDeps,
  make: (views: readonly SavedView[]) => Promise<readonly SavedView[]>,
): Promise<void> {
  for (let attempt = 1; attempt <= MAX_CONFLICTS; attempt += 1) {
    const [read] = (await store.read([place])) as [SavedViews];
    const next = { version: read.version + 1, views: await make(read.views) };
    if (await store.replace(place, read, next, undefined)) return;
  }
  throw new GatewayError('conflict', 'Others are changing these views now. Try again.');
}

function toView({ owner, ...view }: SavedView, shared: boolean, caller: string): ResponseOf<'createView'> {
  return { object: 'view', ...view, shared, own: owner === caller };
}
