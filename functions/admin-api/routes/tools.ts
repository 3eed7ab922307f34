import * as z from 'zod';
import type { analyticsOperations, RowOf } from '../../contract/index.ts';
import { DAY_MS } from '../../control/analytics/index.ts';
import { readWaiting } from '../../control/approvals/index.ts';
import type { KeyPins } from '../../control/tool-pins/index.ts';
import { listToolUsage, toToolUsage, unmatchedIn } from '../../control/tool-usage/index.ts';
import { closestFirst } from '../../kernel/model/index.ts';
import { inParallel } from '../../kernel/tasks/index.ts';
import type { AnalyticsDeps } from '../admin-deps.ts';
import { listRange, readCursor, writeCursor } from './query.ts';

/** Keys whose pins are read for a page. */
const MAX_PINNED_KEYS = 20;
const READS_AT_ONCE = 8;

type ToolsQuery = z.output<(typeof analyticsOperations.listTools)['query']>;
type ToolUsage = RowOf<'listTools'>;
type ToolTally = Parameters<typeof toToolUsage>[0];
type Waiting = ReadonlyMap<string, number>;

/** The last tool of a page, with the end of the range, which is the same for all pages. */
const cursorSchema = z.tuple([z.int(), z.int(), z.string().max(512)]);

/** The tools that agents called, those with the most calls first. */
export async function listTools({ limit, cursor, ...filter }: ToolsQuery, deps: AnalyticsDeps) {
  const last = cursor === undefined ? undefined : readCursor(cursor, cursorSchema);
  const toMs = last?.[0] ?? filter.to ?? deps.clock.now();
  const { from, to } = listRange({ from: filter.from ?? toMs - DAY_MS, to: toMs }) as { from: string; to: string };
  const { tools, requests, isCut } = await listToolUsage({ ...filter, from, to }, deps);
  const rest = last === undefined ? tools : tools.filter((one) => isBehind(one, last[1], last[2]));
  const shown = rest.slice(0, limit);
  const [waiting, pins, { settings }] = await Promise.all([
    countWaiting(filter, deps),
    readPins(shown, deps),
    deps.policies.current(),
  ]);
  const sources = closestFirst(settings.tools?.sources ?? {});
  const end = shown.at(-1);
  const data = shown.map((tally) =>
    toToolUsage(tally, { pins: pinsOf(tally, pins), waiting: waiting.get(tally.tool) ?? 0, sources }),
  );
  const nextCursor = end && rest.length > limit ? writeCursor([toMs, end.calls, end.tool]) : null;
  const unmatched = unmatchedIn(settings.tools ?? {}, isCut ? [] : tools);
  return {
    ...{ object: 'list' as const, data, nextCursor, from, to, requests, isCut },
    unmatchedRules: unmatched.rules,
    unmatchedArguments: unmatched.arguments,
  };
}

function isBehind(one: ToolTally, calls: number, tool: string): boolean {
  return one.calls < calls || (one.calls === calls && one.tool > tool);
}

async function countWaiting(
  { keyId, environment, endUserId }: Omit<ToolsQuery, 'limit' | 'cursor'>,
  { approvals, clock }: AnalyticsDeps,
): Promise<Waiting> {
  const waiting = new Map<string, number>();
  for (const approval of await readWaiting(approvals, clock.now())) {
    const isWanted =
      (keyId === undefined || approval.keyId === keyId) &&
      (environment === undefined || approval.environment === environment) &&
      (endUserId === undefined || approval.endUserId === endUserId);
    if (isWanted) waiting.set(approval.tool, (waiting.get(approval.tool) ?? 0) + 1);
  }
  return waiting;
}

async function readPins(tools: readonly ToolTally[], { toolPins }: AnalyticsDeps): Promise<Map<string, KeyPins>> {
  const keyIds = [...new Set(tools.flatMap(({ callsByKey }) => [...callsByKey.keys()]))].slice(0, MAX_PINNED_KEYS);
  const pins = new Map<string, KeyPins>();
  await inParallel(keyIds, READS_AT_ONCE, async (keyId) => pins.set(keyId, await toolPins.read(keyId)));
  return pins;
}

function pinsOf({ tool, callsByKey }: ToolTally, all: ReadonlyMap<string, KeyPins>): ToolUsage['pins'] {
  return [...all].flatMap(([keyId, { pins }]) => {
    const pin = callsByKey.has(keyId) ? pins.get(tool) : undefined;
    return pin === undefined ? [] : [{ keyId, isChanged: pin.pending !== undefined }];
  });
}
