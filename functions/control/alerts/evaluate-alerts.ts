import type { Alert, AlertsDocument } from '../../kernel/alerts/index.ts';
import { type GatewayEvent, newEventId } from '../../kernel/model/index.ts';
import { type Clock, inParallel } from '../../kernel/tasks/index.ts';
import type { AggregateReader } from '../analytics/index.ts';
import type { DocumentStore } from '../documents/index.ts';
import { type AlertState, type AlertStates, type Measurement, type Step, stepOf } from './alert-state.ts';
import { type BudgetDeps, budgetShare } from './budget-share.ts';
import { measure, withSharedReads } from './measure.ts';

interface EvaluateDeps extends BudgetDeps {
  readonly alerts: Pick<DocumentStore<AlertsDocument>, 'current'>;
  readonly states: AlertStates;
  readonly aggregates: AggregateReader;
  readonly clock: Pick<Clock, 'now'>;
  /** An alert could not be evaluated: it keeps its state. */
  readonly onFailure: (alertId: string, error: unknown) => void;
}

const AT_ONCE = 8;

/**
 * Evaluates all alerts once. Several runs at a time notify once: a change is written on the condition that the state is the one that was
 * read, with its event. @returns how many changed
 * @throws StoreUnavailable if no alert could be read
 */
export async function evaluateAlerts(deps: EvaluateDeps): Promise<number> {
  const { alerts } = (await deps.alerts.current()).settings;
  if (alerts.length === 0) return 0;
  const states = await deps.states.read(alerts.map(({ id }) => id));
  const aggregates = withSharedReads(deps.aggregates);
  let changed = 0;
  const jobs = alerts.map((alert, at) => ({ alert, read: states[at] as AlertState }));
  await inParallel(jobs, AT_ONCE, async ({ alert, read }) => {
    try {
      if (await evaluate(alert, read, { ...deps, aggregates })) changed += 1;
    } catch (error) {
      deps.onFailure(alert.id, error);
    }
  });
  return changed;
}

async function evaluate(alert: Alert, read: AlertState, deps: EvaluateDeps): Promise<boolean> {
  const nowMs = deps.clock.now();
  const measured =
    alert.metric === 'budgetShare'
      ? await budgetShare(alert.scope, deps)
      : await measure(alert, deps.aggregates, nowMs);
  const step = stepOf(alert, read, measured, nowMs);
  if (step.next === undefined) return false;
  return deps.states.replace(alert.id, read, step.next, eventOf(alert, step, measured, nowMs));
}

/** The event of a change; it names the webhooks that get it besides those that select its type. */
function eventOf(
  { id, name, metric, compare, threshold, minutes, scope, targets }: Alert,
  { next, notifies }: Step,
  { value, requests }: Measurement,
  nowMs: number,
): GatewayEvent | undefined {
  if (notifies === undefined || next === undefined) return undefined;
  return {
    id: newEventId(),
    type: notifies,
    created: new Date(nowMs).toISOString(),
    data: {
      alertId: id,
      name,
      state: next.state,
      since: next.since,
      rule: { metric, compare, threshold, minutes, scope },
      value,
      requests,
      webhookIds: targets.flatMap((target) => ('webhookId' in target ? target.webhookId : [])),
      topicArns: targets.flatMap((target) => ('snsTopicArn' in target ? target.snsTopicArn : [])),
    },
  };
}
