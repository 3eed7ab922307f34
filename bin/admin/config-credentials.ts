import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { credentialOperations, type ResponseOf } from '../../functions/contract/index.ts';
import { teamReference } from './config-teams.ts';

export type CredentialView = ResponseOf<'getCredential'>;

const { schema } = credentialOperations.createCredential.body;
/** What can be changed. Absent, it stays as deployed: a file must not enable what an operator has disabled. */
const CHANGEABLE = ['keysOnly', 'state'] as const;

/** A credential in a file, by its name. A file never has the value of a sealed one. */
export const credentialEntrySchema = schema.omit({ value: true, skipTest: true }).extend({
  teamId: teamReference,
  keysOnly: schema.shape.keysOnly.removeDefault().optional(),
  state: schema.shape.state.removeDefault().optional(),
});
export type CredentialEntry = z.infer<typeof credentialEntrySchema>;

/** In a file, providers and keys may name a credential instead of its id, which each deployment makes anew. */
export const credentialReference = z.string().min(1).max(128);

export type CredentialStep =
  | { readonly do: 'create credential'; readonly entry: CredentialEntry }
  | {
      readonly do: 'update credential';
      readonly id: string;
      readonly name: string;
      readonly before: Partial<CredentialEntry>;
      readonly after: Partial<CredentialEntry>;
    }
  | { readonly do: 'delete credential'; readonly id: string; readonly name: string };

/** A sealed credential that only a person can add, because the file has no value. */
export interface MissingCredential {
  readonly name: string;
  readonly provider: string;
  /** Providers and keys of the file that name it. */
  readonly usedBy: readonly string[];
}

interface CredentialPlan {
  readonly steps: readonly CredentialStep[];
  readonly missing: readonly Omit<MissingCredential, 'usedBy'>[];
  /** Not in the file. */
  readonly others: readonly CredentialView[];
}

/**
 * The steps that make the credentials match the entries. With `prune`, those whose value is elsewhere are deleted if they are not in the file;
 * sealed ones stay, because their values would be lost.
 * @param report throws for an entry that no step can make true
 */
export function planCredentials(
  entries: readonly CredentialEntry[] | undefined,
  deployed: readonly CredentialView[],
  prune: boolean,
  report: (message: string) => never,
): CredentialPlan {
  if (entries === undefined) return { steps: [], missing: [], others: [] };
  const steps: CredentialStep[] = [];
  const missing: Omit<MissingCredential, 'usedBy'>[] = [];
  for (const entry of entries) {
    const { name, provider, type } = entry;
    const [found, twin] = deployed.filter((one) => one.name === name);
    if (twin !== undefined) report(`Two credentials are named '${name}', ${found?.id} and ${twin.id}: rename one.`);
    if (found !== undefined) steps.push(...changeOf(entry, found, report));
    else if (type === 'sealed') missing.push({ name, provider });
    else steps.push({ do: 'create credential', entry });
  }
  const named = new Set(entries.map(({ name }) => name));
  const others = deployed.filter(({ name }) => !named.has(name));
  const isPruned = ({ type }: CredentialView) => prune && type !== 'sealed';
  const deletions = others.filter(isPruned).map(({ id, name }) => ({ do: 'delete credential', id, name }) as const);
  return { steps: [...steps, ...deletions], missing, others: others.filter((one) => !isPruned(one)) };
}

function changeOf(entry: CredentialEntry, found: CredentialView, report: (message: string) => never): CredentialStep[] {
  const differing = (Object.keys(entry) as (keyof CredentialEntry)[]).filter(
    (name) => !agrees(entry[name], found[name as keyof CredentialView]),
  );
  const fixed = differing.find((name) => !CHANGEABLE.some((one) => one === name));
  if (fixed !== undefined) {
    report(`'${String(fixed)}' of the credential '${entry.name}' never changes: give the new credential another name.`);
  }
  if (differing.length === 0) return [];
  const pick = (from: object) =>
    Object.fromEntries(differing.map((name) => [name, (from as CredentialEntry)[name]])) as Partial<CredentialEntry>;
  const { id, name } = found;
  return [{ do: 'update credential', id, name, before: pick(found), after: pick(entry) }];
}

/** Whether the deployed value has what the file has; the deployment completes the members of an object. */
function agrees(wanted: unknown, deployed: unknown): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted))
    return isDeepStrictEqual(wanted, deployed);
  return Object.entries(wanted).every(([name, value]) => agrees(value, (deployed as Record<string, unknown>)?.[name]));
}

/** The credential for a file: what a deployment sets by itself is left out. */
export function toCredentialEntry(credential: CredentialView): CredentialEntry {
  const { teamId, keysOnly, state } = credential;
  const names = Object.keys(credentialEntrySchema.shape).filter((name) => ![...CHANGEABLE, 'teamId'].includes(name));
  return {
    ...Object.fromEntries(
      names.flatMap((name) => {
        const value = credential[name as keyof CredentialView];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    ...(teamId !== null && { teamId }),
    ...(keysOnly && { keysOnly }),
    ...(state === 'disabled' && { state }),
  } as CredentialEntry;
}

/** A provider or a key with the id, or the name, of the credential that it names. */
export function withCredential<Entry extends object>(entry: Entry, names: ReadonlyMap<string, string>): Entry {
  const { credentialId } = entry as { readonly credentialId?: string | null };
  const other = typeof credentialId === 'string' ? names.get(credentialId) : undefined;
  return other === undefined ? entry : { ...entry, credentialId: other };
}

/** An MCP server that names its credential by another name. */
export function withServerCredential<Server extends { readonly auth: object }>(
  server: Server,
  names: ReadonlyMap<string, string>,
): Server {
  return { ...server, auth: withCredential(server.auth, names) };
}
