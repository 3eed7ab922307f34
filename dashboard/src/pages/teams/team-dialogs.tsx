import type { BodyOf } from '../../../../functions/contract/index.ts';
import { call } from '../../api/operations.ts';
import { reading } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { changedFields } from '../../components/field-form.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { LimitsDialog } from '../keys/key-limits.tsx';
import { useChange } from '../providers/use-change.ts';
import { FIELDS, type Team, toTeamBody, toTeamForm } from './team-form.ts';

interface DialogProps {
  onClose(): void;
}
type OneProps = DialogProps & { readonly team: Team };

/** What is used of a team's limits. */
export function TeamLimitsDialog({ team: { id, name, createdAt }, onClose }: OneProps) {
  return (
    <LimitsDialog
      name={name}
      read={reading('getTeamUsage', { params: { id } })}
      createdAt={createdAt}
      onClose={onClose}
    />
  );
}

/** Creates a team. */
export function CreateTeamDialog({ onClose }: DialogProps) {
  const creating = useChange((body: BodyOf<'createTeam'>) => call('createTeam', { body }), onClose);
  return (
    <FormDialog
      title="New team"
      submit="Create team"
      intro={<p>Its limits, models and policy bound all of its keys together.</p>}
      fields={FIELDS}
      begin={toTeamForm()}
      saving={creating}
      toBody={toTeamBody}
      onClose={onClose}
    />
  );
}

/** Changes a team. Only what was changed is sent. */
export function EditTeamDialog({ team, onClose }: OneProps) {
  const begin = toTeamForm(team);
  const before = toTeamBody(begin);
  const saving = useChange(
    (body: BodyOf<'createTeam'>) =>
      call('updateTeam', {
        params: { id: team.id },
        body: 'body' in before ? changedFields(before.body, body) : body,
      }),
    onClose,
  );
  return (
    <FormDialog
      title={`Edit “${team.name}”`}
      submit="Save"
      fields={FIELDS}
      begin={begin}
      saving={saving}
      toBody={toTeamBody}
      onClose={onClose}
    />
  );
}

/** Deletes a team. */
export function DeleteTeamDialog({ team: { id, name }, onClose }: OneProps) {
  const deleting = useChange(() => call('deleteTeam', { params: { id } }), onClose);
  return (
    <ConfirmDialog
      title={`Delete “${name}”`}
      confirm="Delete team"
      danger
      typed={name}
      isPending={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      A team with keys that are not revoked, or with credentials, is not deleted. Its records stay.
    </ConfirmDialog>
  );
}
