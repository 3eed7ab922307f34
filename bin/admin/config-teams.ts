import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { ResponseOf } from '../../functions/contract/index.ts';
import { createTeamSchema } from '../../functions/kernel/teams/index.ts';

export type TeamView = ResponseOf<'getTeam'>;

/** A team in a file, by its name. Absent settings have their default. */
export const teamEntrySchema = createTeamSchema;
export type TeamEntry = z.infer<typeof teamEntrySchema>;

/** In a file, keys and credentials may name a team instead of its id, which each deployment makes anew. */
export const teamReference = z.string().min(1).max(128).nullable().optional();

export type TeamStep =
  | { readonly do: 'create team'; readonly entry: TeamEntry }
  | {
      readonly do: 'update team';
      readonly id: string;
      readonly name: string;
      readonly before: Partial<TeamEntry>;
      readonly after: Partial<TeamEntry>;
    };

/**
 * The steps that make the teams match the entries, and teams that are not in the file. None is deleted: their keys and credentials would be in
 * the way. @param report throws for an entry that no step can make true
 */
export function planTeams(
  entries: readonly TeamEntry[] | undefined,
  deployed: readonly TeamView[],
  report: (message: string) => never,
): { readonly steps: readonly TeamStep[]; readonly others: readonly TeamView[] } {
  if (entries === undefined) return { steps: [], others: [] };
  const steps = entries.flatMap((entry): TeamStep[] => {
    const [team, twin] = deployed.filter(({ name }) => name === entry.name);
    if (team === undefined) return [{ do: 'create team', entry }];
    if (twin !== undefined) report(`Two teams are named '${entry.name}', ${team.id} and ${twin.id}: rename one.`);
    const changed = difference(toTeamEntry(team), entry, []);
    return changed === undefined ? [] : [{ do: 'update team', id: team.id, name: team.name, ...changed }];
  });
  const named = new Set(entries.map(({ name }) => name));
  return { steps, others: deployed.filter(({ name }) => !named.has(name)) };
}

/** The settings of a team for a file. */
export function toTeamEntry(team: TeamView): TeamEntry {
  const names = Object.keys(teamEntrySchema.shape) as (keyof TeamEntry)[];
  return Object.fromEntries(names.map((name) => [name, team[name]])) as unknown as TeamEntry;
}

/** A key or a credential with the id, or the name, of the team that it names. */
export function withTeam<Entry extends object>(entry: Entry, names: ReadonlyMap<string, string>): Entry {
  const { teamId } = entry as { readonly teamId?: string | null };
  const other = typeof teamId === 'string' ? names.get(teamId) : undefined;
  return other === undefined ? entry : { ...entry, teamId: other };
}

/** The members of an entry that differ, before and after; undefined if none differ. */
export function difference<T extends object>(
  now: T,
  entry: T,
  untold: readonly (keyof T)[],
): { before: Partial<T>; after: Partial<T> } | undefined {
  const names = (Object.keys(entry) as (keyof T)[]).filter(
    (name) => !untold.includes(name) && !isDeepStrictEqual(now[name], entry[name]),
  );
  if (names.length === 0) return undefined;
  const pick = (from: T) => Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<T>;
  return { before: pick(now), after: pick(entry) };
}
