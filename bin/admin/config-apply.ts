import { open } from 'node:fs/promises';
import type { BodyOf } from '../../functions/contract/index.ts';
import type { AdminClient } from './admin-client.ts';
import { withCredential, withServerCredential } from './config-credentials.ts';
import { putDocument } from './config-deployed.ts';
import type { DocumentName, PutDocument } from './config-documents.ts';
import type { KeyEntry, Plan, Step, WebhookEntry } from './config-file.ts';
import { linesOf } from './config-plan-text.ts';
import { withTeam } from './config-teams.ts';
import type { Output } from './output.ts';

/** Makes the changes of a plan. Each step is whole, and the rest is what a second call would do. @returns the new versions of documents */
export async function applyPlan(
  { steps }: Plan,
  client: AdminClient,
  secrets: string | undefined,
  out: Output,
): Promise<Partial<Record<DocumentName, number>>> {
  const makesSecrets = steps.some(
    (step) => (step.do === 'create key' && !step.entry.importedSecret) || step.do === 'create webhook',
  );
  // Before anything is changed: a secret that could not be written would be lost.
  const file = secrets !== undefined && makesSecrets ? await open(secrets, 'wx', 0o600) : undefined;
  const keep = async (secret: object) => {
    if (file === undefined) out.objects([secret]);
    else await file.write(`${JSON.stringify(secret)}\n`);
  };
  const versions: Partial<Record<DocumentName, number>> = {};
  /** The ids of new teams and credentials by their names. */
  const created = { teams: new Map<string, string>(), credentials: new Map<string, string>() };
  let done = 0;
  try {
    for (const planned of steps) {
      const step = withIds(planned, created);
      out.progress(`Applied ${done} of ${steps.length} changes`);
      if ('document' in step) versions[step.document] = await putDocument(step, client);
      else if (step.do === 'create team') {
        const { id } = await client.call('createTeam', { body: step.entry as BodyOf<'createTeam'> });
        created.teams.set(step.entry.name, id);
      } else if (step.do === 'create credential') {
        const { id } = await client.call('createCredential', { body: step.entry as BodyOf<'createCredential'> });
        created.credentials.set(step.entry.name, id);
      } else await applyStep(step, client, keep);
      done += 1;
    }
  } catch (error) {
    const names = steps.slice(0, done).map((step) => (linesOf(step)[0] ?? '').slice(2));
    const applied =
      done === 0 ? 'Nothing was applied.' : `Applied ${done} of ${steps.length} changes: ${names.join(', ')}.`;
    out.say(`${applied} Apply the file again for the rest.`);
    throw error;
  } finally {
    await file?.close();
  }
  if (steps.length > 0) out.line(`Applied: ${steps.length} ${steps.length === 1 ? 'change' : 'changes'}.`);
  return versions;
}

type Ids = ReadonlyMap<string, string>;

/** The step with the ids of teams and credentials that an earlier step has created. */
function withIds(step: Step, created: Readonly<Record<'teams' | 'credentials', Ids>>): Step {
  const { teams, credentials } = created;
  if ('document' in step) {
    if (step.document !== 'providers' && step.document !== 'mcpServers') return step;
    const named = (one: unknown) =>
      step.document === 'providers'
        ? withCredential(one as object, credentials)
        : withServerCredential(one as { readonly auth: object }, credentials);
    const after = Object.entries(step.after).map(([name, one]) => [name, named(one)]);
    return { ...step, after: Object.fromEntries(after) };
  }
  if (step.do === 'create credential') return { ...step, entry: withTeam(step.entry, teams) };
  if (step.do === 'update credential') return { ...step, after: withTeam(step.after, teams) };
  if (step.do === 'create key') return { ...step, entry: withTeam(withCredential(step.entry, credentials), teams) };
  return step.do === 'update key' ? { ...step, after: withTeam(withCredential(step.after, credentials), teams) } : step;
}

type OtherStep = Exclude<Step, PutDocument | { readonly do: 'create team' | 'create credential' }>;

async function applyStep(step: OtherStep, client: AdminClient, keep: KeepSecret): Promise<void> {
  switch (step.do) {
    case 'update team':
      await client.call('updateTeam', { params: { id: step.id }, body: step.after });
      break;
    case 'create key':
      await createKey(step.entry, client, keep);
      break;
    case 'update key':
      await client.call('updateKey', { params: { id: step.id }, body: step.after });
      break;
    case 'revoke key':
      await client.call('revokeKey', { params: { id: step.id } });
      break;
    case 'update credential':
      await client.call('updateCredential', { params: { id: step.id }, body: step.after });
      break;
    case 'delete credential':
      await client.call('deleteCredential', { params: { id: step.id } });
      break;
    case 'create webhook':
      await createWebhook(step.entry, client, keep);
      break;
    case 'update webhook':
      await client.call('updateWebhook', { params: { id: step.id }, body: step.after });
      break;
    case 'delete webhook':
      await client.call('deleteWebhook', { params: { id: step.id } });
      break;
  }
}

type KeepSecret = (secret: object) => Promise<void>;

async function createKey(entry: KeyEntry, client: AdminClient, keep: KeepSecret): Promise<void> {
  const { state, importedSecret, ...fields } = entry;
  if (importedSecret !== undefined) {
    await client.call('importKey', { body: { ...fields, importedSecret, state } as BodyOf<'importKey'> });
    return;
  }
  const { id, name, key } = await client.call('createKey', { body: fields as BodyOf<'createKey'> });
  await keep({ id, name, key });
  if (state === 'disabled') await client.call('updateKey', { params: { id }, body: { state } });
}

async function createWebhook({ state, ...fields }: WebhookEntry, client: AdminClient, keep: KeepSecret): Promise<void> {
  const { id, url, secret } = await client.call('createWebhook', { body: fields as BodyOf<'createWebhook'> });
  await keep({ id, url, secret });
  if (state === 'disabled') await client.call('updateWebhook', { params: { id }, body: { state } });
}
