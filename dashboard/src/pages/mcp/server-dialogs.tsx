import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { reading } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { changesOf } from '../../components/field-changes.ts';
import { toForm } from '../../components/field-form.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useChange } from '../providers/use-change.ts';
import {
  allServerFields,
  newServerForm,
  readForm,
  type Server,
  serverFields,
  storedFields,
  toCreateBody,
  toUpdateBody,
} from './server-form.ts';

interface DialogProps {
  onClose(): void;
}
export type ServerAction = 'change' | 'switch' | 'remove';
type OneProps = DialogProps & { readonly server: Server };
type Fields = ReturnType<typeof storedFields>;

/** The credentials to choose from; undefined while they are read, or for a person who may not see them. */
function useCredentials() {
  const mayRead = useMay('listCredentials');
  const { data } = useQuery({ ...reading('listCredentials', {}), enabled: mayRead });
  return data?.data;
}

/** Adds a server. */
export function AddServerDialog({ onClose }: DialogProps) {
  const fieldsOf = serverFields(true, useCredentials());
  const adding = useChange((fields: Fields) => call('createMcpServer', { body: toCreateBody(fields) }), onClose);
  return (
    <FormDialog
      title="Add MCP server"
      submit="Add server"
      intro={<p>Agents see its tools once you have approved their definitions.</p>}
      fields={fieldsOf}
      begin={newServerForm()}
      saving={adding}
      toBody={(form) => readForm(fieldsOf(form), form)}
      onClose={onClose}
    />
  );
}

/** The dialog of an action on a server. */
export function ServerDialog({ action, ...props }: OneProps & { readonly action: ServerAction }) {
  switch (action) {
    case 'change':
      return <ChangeServerDialog {...props} />;
    case 'switch':
      return <SwitchServerDialog {...props} />;
    case 'remove':
      return <RemoveServerDialog {...props} />;
  }
}

function ChangeServerDialog({ server, onClose }: OneProps) {
  const { name } = server;
  const credentials = useCredentials();
  const fieldsOf = serverFields(false, credentials);
  const all = allServerFields(credentials);
  const before = storedFields(server);
  const saving = useChange(
    (fields: Fields) => call('updateMcpServer', { params: { name }, body: toUpdateBody(before, fields) }),
    onClose,
  );
  return (
    <FormDialog
      title={`Change ${name}`}
      submit="Save"
      fields={fieldsOf}
      begin={toForm(all, before)}
      saving={saving}
      toBody={(form) => readForm(fieldsOf(form), form)}
      changesOf={(fields) => changesOf(all, before, fields)}
      onClose={onClose}
    />
  );
}

function SwitchServerDialog({ server: { name, state }, onClose }: OneProps) {
  const enables = state === 'disabled';
  const body = { state: enables ? 'active' : 'disabled' } as const;
  const switching = useChange(() => call('updateMcpServer', { params: { name }, body }), onClose);
  return (
    <ConfirmDialog
      title={`${enables ? 'Enable' : 'Disable'} ${name}`}
      confirm={`${enables ? 'Enable' : 'Disable'} server`}
      isPending={switching.isPending}
      error={switching.error}
      onConfirm={() => switching.mutate()}
      onClose={onClose}
    >
      {enables
        ? 'Agents reach it again within 10 seconds.'
        : 'Within 10 seconds, calls of its tools are refused with 404.'}
    </ConfirmDialog>
  );
}

function RemoveServerDialog({ server: { name }, onClose }: OneProps) {
  const removing = useChange(() => call('deleteMcpServer', { params: { name } }), onClose);
  return (
    <ConfirmDialog
      title={`Remove ${name}`}
      confirm="Remove server"
      danger
      isPending={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      Its approvals are removed too. A rollback of the versions restores both.
    </ConfirmDialog>
  );
}
