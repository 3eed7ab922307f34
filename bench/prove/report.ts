import { fargateSize, GATEWAY_MEMORY_MB } from '../../lib/settings/settings.ts';
import { LIST_PRICES, PRICES_NOTE } from '../lib/list-prices.ts';
import { table } from '../lib/table.ts';
import type { Home, Plan, Step } from './plan.ts';
import type { State } from './run.ts';
import { usageRows } from './usage.ts';

/** The report of a proof, finished or not. */
export function reportOf(plan: Plan, steps: readonly Step[], state: State, fault: string | undefined): string {
  const made = steps.filter(({ id }) => state.done[id] !== undefined);
  const result =
    fault === undefined
      ? 'All steps were made as expected.'
      : `**Stopped.** ${fault}\n\nRun the same command again to go on from this step.`;
  const left = made.flatMap(({ id, leaves }) =>
    leaves === undefined || isRemoved(id, state) ? [] : [`- ${leaves} (${id})`],
  );
  return `# Proof of the stage ${state.stage}

Begun ${state.startedAt}, in ${plan.region}. ${made.length} of ${steps.length} steps. Load is sent to the built-in model, whose streams do not wait as a provider's do.

${result}

${table(
  ['Step', 'What', 'Made', 'Seconds'],
  steps.map(({ id, what }) => {
    const { at = '', seconds = '' } = state.done[id] ?? {};
    return [id, what, at, String(seconds)];
  }),
)}

${plan.homes.map((home) => homeChapter(plan, home, state)).join('\n\n')}

## Left behind

${left.length === 0 ? 'Nothing.' : left.join('\n')}
`;
}

/** Whether a later step removed what this one left. */
function isRemoved(id: string, { done }: State): boolean {
  if (id.startsWith('incident-')) return true;
  if (id.startsWith('access-')) return done.keys !== undefined;
  return id.startsWith('deploy-') && done.remove !== undefined;
}

function homeChapter(plan: Plan, home: Home, { found }: State): string {
  const load = found.loads[home];
  if (load === undefined) return `## ${home}\n\nNo load yet.`;
  const { sent, whole, others, bytes, firstByteMs, startedAt, endedAt } = load;
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
  const { cpus, memoryMb: taskMb } = fargateSize(plan.settings);
  const { fargateCpuHour, fargateGbHour, publicAddressHour } = LIST_PRICES;
  const rows = usageRows(home, found.usage[home] ?? [], {
    seconds,
    memoryMb: plan.settings.memoryMb ?? GATEWAY_MEMORY_MB,
    taskDollarsAnHour: cpus * fargateCpuHour + (taskMb / 1_024) * fargateGbHour + publicAddressHour,
  });
  const total = rows.reduce((sum, { dollars }) => sum + (dollars ?? 0), 0);
  const million = (dollars: number) => ((dollars / sent) * 1e6).toFixed(2);
  const metrics = found.values['metrics of Web Functions'];
  return `## ${home}

${found.values[`${home} BaseUrl`]}: ${sent} streams from ${startedAt} to ${endedAt}, of which ${whole} ended as they should${Object.keys(others).length === 0 ? '' : ` (others: ${JSON.stringify(others)})`}.
First byte: p50 ${firstByteMs.p50} ms, p99 ${firstByteMs.p99} ms, from the machine that sent them. ${Math.round(bytes / Math.max(1, whole))} bytes a stream. Alarms on at the end: ${found.values[`${home} alarms`] ?? 'not read'}.

${table(
  ['CloudWatch, while the load ran', 'Amount', 'US dollars', 'a million requests'],
  [
    ...rows.map(({ name, unit, value, dollars }) =>
      value === null || dollars === null
        ? [name, 'no value', '', '']
        : [name, `${Number(value.toPrecision(4))} ${unit}`.trim(), dollars.toFixed(4), million(dollars)],
    ),
    ['**Total**', '', total.toFixed(4), million(total)],
  ],
)}

${PRICES_NOTE} Lambda's time is counted with the gateway's memory for all functions, and the stage's other traffic is included.${metrics === undefined ? '' : `\n\nMetrics in \`AWS/Lambda/Web\`: ${metrics}.`}`;
}
