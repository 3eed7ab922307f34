import type { alertOperations, ResponseOf } from '../../contract/index.ts';
import { type AlertState, isSilenced } from '../../control/alerts/index.ts';
import { changedFields } from '../../control/audit/index.ts';
import { type Alert, type AlertsDocument, findAlertFault, MAX_ALERTS } from '../../kernel/alerts/index.ts';
import { randomHex } from '../../kernel/crypto/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { AuditFact } from '../../kernel/model/index.ts';
import type { AuthorizedCaller } from '../access.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { changeDocument, type DocumentKind } from '../documents.ts';
import type { Handlers } from '../operation-routes.ts';

const ALERTS: Omit<DocumentKind<AlertsDocument, never>, 'toView' | 'schema'> = {
  name: 'alerts',
  hasChanged: 'The alerts have changed',
  store: ({ alerts }) => alerts,
};
const ID_DIGITS = 32;
/** Of a team or a key, which are counted by hour, and of others. */
const HOUR_MINUTES = 60;
const DEFAULT_MINUTES = 5;

type View = ResponseOf<'getAlert'>;
type Change = (document: AlertsDocument) => AlertsDocument;

/** Alerts, their states and histories; each change is in the audit log. */
export const ALERT_HANDLERS: Handlers<typeof alertOperations, AdminDeps> = {
  async listAlerts(_, deps) {
    const { alerts } = (await deps.alerts.current()).settings;
    const states = await deps.alertStates.read(alerts.map(({ id }) => id));
    const data = alerts.map((alert, at) => toView(alert, states[at] as AlertState, deps));
    return { object: 'list', data, nextCursor: null };
  },
  async createAlert({ body, caller }, deps) {
    const { minutes = body.scope.teamId || body.scope.keyId ? HOUR_MINUTES : DEFAULT_MINUTES } = body;
    const createdAt = new Date(deps.clock.now()).toISOString();
    const created: Alert = { ...body, minutes, id: `alert_${randomHex(ID_DIGITS)}`, createdAt };
    await refuseFaults(created, deps);
    const add = ({ alerts }: AlertsDocument) => {
      if (alerts.length < MAX_ALERTS) return { alerts: [...alerts, created] };
      throw new GatewayError('conflict', `There are ${MAX_ALERTS} alerts already. Delete one first.`);
    };
    await change(created.id, 'alert.created', add, caller, deps);
    return viewOf(created, deps);
  },
  getAlert: async ({ params: { id } }, deps) => viewOf(await read(id, deps), deps),
  async updateAlert({ params: { id }, body, caller }, deps) {
    // An absent field is not in the parsed changes, so it stays unchanged.
    const changed = (alert: Alert): Alert => ({ ...alert, ...(body as Partial<Alert>) });
    await refuseFaults(changed(await read(id, deps)), deps);
    const replace = (document: AlertsDocument) => {
      refuseFault(changed(find(document, id)));
      return { alerts: document.alerts.map((alert) => (alert.id === id ? changed(alert) : alert)) };
    };
    return viewOf(find(await change(id, 'alert.updated', replace, caller, deps), id), deps);
  },
  async deleteAlert({ params: { id }, caller }, deps) {
    const remove = (document: AlertsDocument) => {
      find(document, id);
      return { alerts: document.alerts.filter((alert) => alert.id !== id) };
    };
    await change(id, 'alert.deleted', remove, caller, deps);
    await deps.alertStates.delete(id);
    return { object: 'alert.deletion', id, deleted: true };
  },
  async getAlertHistory({ params: { id } }, deps) {
    await read(id, deps);
    const [state] = await deps.alertStates.read([id]);
    return { object: 'list', data: [...(state as AlertState).history], nextCursor: null };
  },
};

/** @throws GatewayError `conflict` if an alert sends to the webhook */
export async function refuseAlertTarget(webhookId: string, deps: AdminDeps): Promise<void> {
  const { alerts } = (await deps.alerts.current()).settings;
  const using = alerts.find(({ targets }) => targets.some((one) => 'webhookId' in one && one.webhookId === webhookId));
  if (using === undefined) return;
  throw new GatewayError('conflict', `The alert ${using.id} sends to this webhook. Change its targets first.`);
}

async function read(id: string, deps: AdminDeps): Promise<Alert> {
  return find((await deps.alerts.current()).settings, id);
}

/** @throws GatewayError `not_found` */
function find({ alerts }: AlertsDocument, id: string): Alert {
  const found = alerts.find((alert) => alert.id === id);
  if (found === undefined) throw new GatewayError('not_found', 'There is no such alert.');
  return found;
}

function invalid(param: string, fault: string): GatewayError {
  return new GatewayError('invalid_value', `'${param}' ${fault}`, { param });
}

/** @throws GatewayError `invalid_value` for fields that do not fit each other */
function refuseFault(alert: Alert): void {
  const [param, fault] = findAlertFault(alert) ?? [];
  if (param !== undefined && fault !== undefined) throw invalid(param, fault);
}

/** The same, and for a target, a team or a key that does not exist: such an alert would never fire, or notify no one. */
async function refuseFaults(alert: Alert, deps: AdminDeps): Promise<void> {
  refuseFault(alert);
  const { teamId, keyId } = alert.scope;
  const hasTeam = async () => (await deps.teams.current()).settings.teams.some(({ id }) => id === teamId);
  if (teamId !== undefined && !(await hasTeam())) throw invalid('scope.teamId', 'is the id of no team.');
  const isIdentity = keyId?.startsWith('idn_') === true && alert.metric !== 'budgetShare';
  if (keyId !== undefined && !isIdentity && (await deps.keys.get(keyId)) === undefined) {
    throw invalid('scope.keyId', 'is the id of no key.');
  }
  for (const [at, target] of alert.targets.entries()) {
    if ('snsTopicArn' in target) {
      if (deps.alertTopicArns.includes(target.snsTopicArn)) continue;
      throw invalid(`targets[${at}].snsTopicArn`, "is not in the setting 'alertTopicArns' of this deployment.");
    }
    if ((await deps.webhooks.find(target.webhookId)) === undefined) {
      throw invalid(`targets[${at}].webhookId`, 'is the id of no webhook.');
    }
  }
}

async function change(
  id: string,
  action: AuditFact['action'],
  make: Change,
  caller: AuthorizedCaller,
  deps: AdminDeps,
): Promise<AlertsDocument> {
  const target = { type: 'alert', id } as const;
  const shown = ({ alerts }: AlertsDocument) => alerts.find((alert) => alert.id === id);
  const factOf = (before: AlertsDocument, after: AlertsDocument) => {
    const [was, is] = [shown(before), shown(after)];
    if (was !== undefined && is !== undefined) return { action, target, ...changedFields(was, is) };
    return { action, target, before: was ? { ...was } : null, after: is ? { ...is } : null };
  };
  return (await changeDocument(ALERTS, make, { headers: {}, caller, factOf }, deps)).settings;
}

async function viewOf(alert: Alert, deps: AdminDeps): Promise<View> {
  const [state] = await deps.alertStates.read([alert.id]);
  return toView(alert, state as AlertState, deps);
}

function toView(alert: Alert, { state, since }: AlertState, { clock }: AdminDeps): View {
  const silenced = isSilenced(alert, clock.now());
  return { object: 'alert', ...alert, state: silenced ? 'silenced' : state, since };
}
