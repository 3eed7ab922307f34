import type { keyToolOperations, RowOf } from '../../contract/index.ts';
import { audit, auditVoid } from '../../control/audit/index.ts';
import type { ToolPin } from '../../control/tool-pins/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { fieldsChanged } from '../../kernel/model/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import type { Handlers } from '../operation-routes.ts';

/** Lists, accepts and removes pinned tools of a key; each change is in the audit log. */
export const KEY_TOOL_HANDLERS: Handlers<typeof keyToolOperations, AdminDeps> = {
  async listKeyTools({ params: { id }, query: { limit, cursor = '' } }, deps) {
    if ((await deps.keys.get(id)) === undefined) throw notFound('There is no such key.');
    const { pins } = await deps.toolPins.read(id);
    const names = [...pins.keys()].sort().filter((name) => name > cursor);
    const shown = names.slice(0, limit);
    const data = shown.map((name) => toKeyTool(name, pins.get(name) as ToolPin));
    return { object: 'list', data, nextCursor: names.length > limit ? (shown.at(-1) as string) : null };
  },
  async approveKeyTool({ params: { id, tool }, body, caller }, deps) {
    const pin = await findPin(id, tool, deps);
    const { pending } = pin;
    if (pending === undefined) throw notFound('No other definition of this tool is pending.');
    if (body.digest !== undefined && body.digest !== pending.digest) throw conflict();
    const fact = { action: 'key.tool_approved', ...(await targetOf(id, deps)) } as const;
    const change = { before: { tool, digest: pin.digest }, after: { tool, digest: pending.digest } };
    const entry = await audit(caller, { ...fact, ...change }, deps);
    if (await deps.toolPins.accept(id, tool, pending)) return toKeyTool(tool, { ...pending, pending: undefined });
    await auditVoid(caller, entry, deps);
    throw conflict();
  },
  async unpinKeyTool({ params: { id, tool }, caller }, deps) {
    const { digest } = await findPin(id, tool, deps);
    const fact = { action: 'key.tool_unpinned', ...(await targetOf(id, deps)) } as const;
    const entry = await audit(caller, { ...fact, before: { tool, digest }, after: null }, deps);
    if (await deps.toolPins.remove(id, tool)) return { object: 'key.tool.deletion', tool, deleted: true };
    await auditVoid(caller, entry, deps);
    throw notPinned();
  },
};

async function targetOf(id: string, { keys }: AdminDeps) {
  return { target: { type: 'key', id }, teams: [(await keys.get(id))?.key.teamId] } as const;
}

async function findPin(keyId: string, tool: string, { toolPins }: Pick<AdminDeps, 'toolPins'>): Promise<ToolPin> {
  const pin = (await toolPins.read(keyId)).pins.get(tool);
  if (pin === undefined) throw notPinned();
  return pin;
}

function toKeyTool(tool: string, pin: ToolPin): RowOf<'listKeyTools'> {
  const { digest, pending } = pin;
  return {
    object: 'key.tool',
    tool,
    digest,
    firstSeenAt: new Date(pin.seenAtMs).toISOString(),
    pending: pending
      ? {
          digest: pending.digest,
          firstSeenAt: new Date(pending.seenAtMs).toISOString(),
          fields: fieldsChanged(pin, pending),
        }
      : null,
  };
}

function notPinned(): GatewayError {
  return notFound('This key has no pinned tool of this name.');
}

function notFound(message: string): GatewayError {
  return new GatewayError('not_found', message);
}

function conflict(): GatewayError {
  return new GatewayError('conflict', 'Another definition of this tool is pending by now. List the tools again.');
}
