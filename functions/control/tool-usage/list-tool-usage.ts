import type { RowOf } from '../../contract/index.ts';
import { matchesGlob, type RequestRecord, type ToolSource } from '../../kernel/model/index.ts';
import { readSpread, type SpreadDeps, type SpreadRead, type TimeRange } from './read-spread.ts';
import { type ArgumentTally, mostFirst, ToolTallies, type ToolTally, type ValuePlace } from './tool-tally.ts';

type ToolUsage = RowOf<'listTools'>;

const MAX_KEYS = 20;
const MAX_ARGUMENTS = 20;
const MAX_SOURCES = 10;

/** Which calls to sum up. */
export interface ToolFilter extends TimeRange {
  readonly teamId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly endUserId?: string | undefined;
  readonly environment?: string | undefined;
  readonly model?: string | undefined;
  readonly tag?: readonly { readonly name: string; readonly value: string | undefined }[] | undefined;
  readonly tool?: string | undefined;
  readonly effect?: ToolUsage['effect'] | undefined;
}

/** The tools, those with the most calls first. @throws StoreUnavailable */
export async function listToolUsage(
  { tool, effect, environment, model, tag = [], ...query }: ToolFilter,
  deps: SpreadDeps,
): Promise<SpreadRead & { readonly tools: readonly ToolTally[] }> {
  const tallies = new ToolTallies();
  const fits = (record: RequestRecord) =>
    (query.keyId === undefined || record.keyId === query.keyId) &&
    (query.endUserId === undefined || record.endUserId === query.endUserId) &&
    (environment === undefined || record.environment === environment) &&
    (model === undefined || record.model === model) &&
    (query.teamId === undefined || record.teamId === query.teamId) &&
    tag.every(({ name, value }) => {
      const tags = { ...record.requestTags, ...record.tags };
      return Object.hasOwn(tags, name) && (value === undefined || tags[name] === value);
    });
  const read = await readSpread(query, (record) => (fits(record) ? tallies.add(record) : undefined), deps);
  const tools = [...tallies.tools.values()]
    .filter((one) => (tool === undefined || one.tool === tool) && (effect === undefined || one.effect === effect))
    .sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1));
  return { ...read, tools };
}

type Sources = readonly (readonly [glob: string, source: ToolSource])[];

/** A tool in the API's form. `sources`: who writes the results of tools, the closest glob first. */
export function toToolUsage(
  tally: ToolTally,
  { pins, waiting, sources }: Pick<ToolUsage, 'pins' | 'waiting'> & { readonly sources: Sources },
): ToolUsage {
  const { callsByKey, arguments: args, ...sums } = tally;
  const mostUsed = [...args].sort(([, a], [, b]) => b.calls - a.calls).slice(0, MAX_ARGUMENTS);
  return {
    object: 'tool',
    ...sums,
    arguments: mostUsed.map(([argument, one]) => ({
      argument,
      calls: one.calls,
      from: one.from,
      sources: sourcesOf(one, sources),
    })),
    keys: callsByKey.size,
    keyIds: mostFirst(callsByKey)
      .slice(0, MAX_KEYS)
      .map(([keyId]) => keyId),
    pins,
    waiting,
  };
}

function sourcesOf(
  { places, allowedPlaces }: ArgumentTally,
  sources: Sources,
): ToolUsage['arguments'][number]['sources'] {
  return mostFirst(places)
    .slice(0, MAX_SOURCES)
    .map(([written, calls]) => {
      const place = JSON.parse(written) as ValuePlace;
      const source = sources.find(([glob]) => place.tool !== null && matchesGlob(glob, place.tool))?.[1];
      const isFlagged = !allowedPlaces.has(written);
      return { ...place, calls, ...(isFlagged && { isOnlyFlagged: true }), ...(source && { source }) };
    });
}
