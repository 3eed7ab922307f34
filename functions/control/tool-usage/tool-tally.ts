import type { RecordedToolCall, RequestRecord } from '../../kernel/model/index.ts';

type Author = RecordedToolCall['arguments'][number]['from'];

/** Further tools are not counted: a client may make up any number of names. */
const MAX_TOOLS = 500;
/** Arguments of a tool, and places of an argument. */
const MAX_PLACES = 200;
/** The least trusted first. */
const AUTHORS: readonly Author[] = ['prose', 'none', 'field', 'user'];

/** Values by author. */
export type AuthorCounts = Record<Author, number>;

export interface ValuePlace {
  readonly tool: string | null;
  readonly field: string;
  readonly as: 'field' | 'prose';
}

/** An argument of a tool, over all calls. */
export interface ArgumentTally {
  calls: number;
  readonly from: AuthorCounts;
  /** Calls with a value that is only a part of a field, or of the argument. */
  parts: number;
  /** Calls by the JSON of a place. */
  readonly places: Map<string, number>;
  /** Those of calls that were allowed. Others may be an attacker's. */
  readonly allowedPlaces: Set<string>;
}

/** The calls of a tool. */
export interface ToolTally {
  readonly tool: string;
  effect: RecordedToolCall['effect'];
  calls: number;
  flagged: number;
  asked: number;
  blocked: number;
  fromProse: number;
  readonly from: AuthorCounts;
  readonly arguments: Map<string, ArgumentTally>;
  readonly callsByKey: Map<string, number>;
  firstAt: string;
  lastAt: string;
}

/** Sums up the tool calls of records, in any order. */
export class ToolTallies {
  readonly tools = new Map<string, ToolTally>();

  add({ time, keyId, toolCalls = [] }: RequestRecord): void {
    for (const call of toolCalls) {
      const tally = this.tools.get(call.tool) ?? this.create(call, time);
      if (tally !== undefined) addCall(tally, call, time, keyId);
    }
  }

  private create({ tool, effect }: RecordedToolCall, time: string): ToolTally | undefined {
    if (this.tools.size >= MAX_TOOLS) return undefined;
    const tally: ToolTally = {
      ...{ tool, effect, calls: 0, flagged: 0, asked: 0, blocked: 0, fromProse: 0, from: noAuthors() },
      ...{ arguments: new Map(), callsByKey: new Map(), firstAt: time, lastAt: time },
    };
    this.tools.set(tool, tally);
    return tally;
  }
}

function addCall(tally: ToolTally, call: RecordedToolCall, time: string, keyId: string): void {
  tally.calls += 1;
  if (call.action === 'flag') tally.flagged += 1;
  if (call.action === 'ask') tally.asked += 1;
  if (call.action === 'block') tally.blocked += 1;
  if (call.arguments.some(({ from }) => from === 'prose')) tally.fromProse += 1;
  tally.callsByKey.set(keyId, (tally.callsByKey.get(keyId) ?? 0) + 1);
  if (time < tally.firstAt) tally.firstAt = time;
  if (time >= tally.lastAt) {
    tally.lastAt = time;
    tally.effect = call.effect;
  }
  for (const { from } of call.arguments) tally.from[from] += 1;
  const byPath = Map.groupBy(call.arguments, ({ argument }) => pathOf(argument));
  for (const [path, values] of byPath) addArgument(tally.arguments, path, values, call.action === 'allow');
}

/** Adds the values that an argument has in one call. */
function addArgument(
  all: Map<string, ArgumentTally>,
  path: string,
  values: RecordedToolCall['arguments'],
  isAllowed: boolean,
): void {
  if (!all.has(path) && all.size >= MAX_PLACES) return;
  const tally = all.get(path) ?? {
    calls: 0,
    from: noAuthors(),
    parts: 0,
    places: new Map(),
    allowedPlaces: new Set<string>(),
  };
  all.set(path, tally);
  tally.calls += 1;
  if (values.some(({ isPart }) => isPart)) tally.parts += 1;
  tally.from[AUTHORS.find((author) => values.some(({ from }) => from === author)) ?? 'none'] += 1;
  const places = new Set(values.flatMap(placeOf));
  for (const place of places) {
    if (isAllowed && tally.allowedPlaces.size < MAX_PLACES) tally.allowedPlaces.add(place);
    if (tally.places.has(place) || tally.places.size < MAX_PLACES)
      tally.places.set(place, (tally.places.get(place) ?? 0) + 1);
  }
}

/** The place of a value as JSON, if it is in third-party text. */
function placeOf({ from, tool = null, field = '' }: RecordedToolCall['arguments'][number]): string[] {
  if (from !== 'field' && from !== 'prose') return [];
  const place: ValuePlace = { tool, field: pathOf(field), as: from };
  return [JSON.stringify(place)];
}

/** A name with six or more digits is a value that a model or a third party used as a name: an account, a phone number. */
const VALUE_AS_NAME = /[^.[\]]*\d(?:[^.[\]\d]*\d){5}[^.[\]]*/g;

/** The path for each item of its lists, without names that are values. */
function pathOf(path: string): string {
  return path.replace(/\[\d+\]/g, '[*]').replace(VALUE_AS_NAME, '*');
}

function noAuthors(): AuthorCounts {
  return { user: 0, field: 0, prose: 0, none: 0 };
}

/** Entries with the highest numbers first, then by name. */
export function mostFirst(counts: Iterable<readonly [string, number]>): (readonly [string, number])[] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
