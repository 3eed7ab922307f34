import { PasswordInput, Stack, Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BodyOf, RowOf } from '../../../../functions/contract/index.ts';
import { call, type FormField, OPERATIONS, pathTo } from '../../api/operations.ts';
import { ConfirmDialog, DEFAULT_GRACE_SECONDS, GraceSelect } from '../../components/dialogs.tsx';
import type { FieldControlProps } from '../../components/field-control.tsx';
import { defaultsOf, type Form, toBody, toForm } from '../../components/field-form.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { formatMs } from '../../components/format.ts';
import { StateTag } from '../../components/tag.tsx';
import { useChange } from './use-change.ts';

export type Credential = RowOf<'listCredentials'>;
export type CredentialAction = 'test' | 'rotate' | 'disable' | 'enable' | 'delete';

const FIELDS = OPERATIONS.createCredential.body;
/** The type of credential that each of these fields is for. */
const TYPE_OF: Readonly<Record<string, Credential['type']>> = {
  value: 'sealed',
  secretArn: 'secret',
  secretField: 'secret',
  federation: 'federation',
};
/** The kind of federation that each of these fields is for. */
const KIND_OF: Readonly<Record<string, NonNullable<Credential['federation']>['kind']>> = {
  identityProviderId: 'openai',
  serviceAccountId: 'openai',
  workloadProvider: 'google',
  serviceAccount: 'google',
  tenantId: 'azure',
  clientId: 'azure',
  scope: 'azure',
};
const KIND = 'federation.kind';
/** A select shows its first choice, so that is its value. */
const DEFAULTS = { ...defaultsOf(FIELDS), federation: { kind: 'openai', scope: 'https://ai.azure.com/.default' } };

/** The fields of a type and a kind. */
function fieldsOf(form: Form): readonly FormField[] {
  return FIELDS.filter(({ name }) => TYPE_OF[name] === undefined || TYPE_OF[name] === form.type).map((field) => {
    const isShown = ({ name }: FormField) => KIND_OF[name] === undefined || KIND_OF[name] === form[KIND];
    return field.fields === undefined ? field : { ...field, fields: field.fields.filter(isShown) };
  });
}

const MISSING = { name: 'Enter a name.', provider: 'Enter the name of a provider.' };

interface DialogProps {
  onClose(): void;
}
type OneProps = DialogProps & { readonly credential: Credential };

export function CreateCredentialDialog({ onClose }: DialogProps) {
  const creating = useChange((body: BodyOf<'createCredential'>) => call('createCredential', { body }), onClose);
  return (
    <FormDialog
      title="New credential"
      submit="Create credential"
      fields={fieldsOf}
      begin={toForm(FIELDS, DEFAULTS)}
      saving={creating}
      toBody={(form) => toBody<BodyOf<'createCredential'>>(fieldsOf(form), form, MISSING)}
      controlOf={controlOf}
      onClose={onClose}
    />
  );
}

function controlOf(at: string, { field: { label }, value, error, onChange }: FieldControlProps) {
  return at === 'value' ? <ValueInput {...{ label, error, onChange }} value={value as string} /> : undefined;
}

interface ValueProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  onChange(value: string): void;
}

/** No password manager should store it. */
function ValueInput({ onChange, ...props }: ValueProps) {
  return <PasswordInput {...props} autoComplete="off" onChange={(event) => onChange(event.currentTarget.value)} />;
}

/** The dialog of an action on a credential. */
export function CredentialDialog({ action, ...props }: OneProps & { readonly action: CredentialAction }) {
  switch (action) {
    case 'test':
      return <TestDialog {...props} />;
    case 'rotate':
      return <RotateDialog {...props} />;
    case 'delete':
      return <DeleteDialog {...props} />;
    default:
      return <StateDialog {...props} />;
  }
}

function TestDialog({ credential: { id, name, provider, type }, onClose }: OneProps) {
  const queries = useQueryClient();
  const testing = useMutation({
    mutationFn: () => call('testCredential', { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [pathTo('listAudit')] }),
  });
  const { data } = testing;
  return (
    <ConfirmDialog
      title={`Test “${name}”`}
      confirm="Send test"
      isPending={testing.isPending}
      error={testing.error}
      onConfirm={() => testing.mutate()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <p>
          The admin API {type === 'federation' ? 'gets a new access token, and ' : ''}reads the list of models of{' '}
          {provider} with this credential.
        </p>
        <div role="status">
          {data === undefined ? null : (
            <>
              <StateTag state={data.result === 'ok' ? 'works' : data.result} isFault={data.result === 'refused'} />{' '}
              {data.message} {formatMs(data.durationMs)}
            </>
          )}
        </div>
      </Stack>
    </ConfirmDialog>
  );
}

function RotateDialog({ credential: { id, name }, onClose }: OneProps) {
  const [value, setValue] = useState('');
  const [skipTest, setSkipTest] = useState(false);
  const [graceSeconds, setGraceSeconds] = useState(DEFAULT_GRACE_SECONDS);
  const rotating = useChange(
    () => call('rotateCredential', { params: { id }, body: { value, graceSeconds, skipTest } }),
    onClose,
  );
  return (
    <ConfirmDialog
      title={`Rotate “${name}”`}
      confirm="Rotate"
      isPending={rotating.isPending}
      error={rotating.error}
      onConfirm={() => rotating.mutate()}
      onClose={onClose}
    >
      <Stack gap="md">
        <p>The new value is used at once. The old one is used only if the provider refuses the new one.</p>
        <ValueInput label="New value" value={value} error={undefined} onChange={setValue} />
        <GraceSelect seconds={graceSeconds} onChange={setGraceSeconds} />
        <Switch
          label="Without a test"
          checked={skipTest}
          onChange={(event) => setSkipTest(event.currentTarget.checked)}
        />
      </Stack>
    </ConfirmDialog>
  );
}

function StateDialog({ credential: { id, name, provider, state }, onClose }: OneProps) {
  const enables = state === 'disabled';
  const changing = useChange(
    () => call('updateCredential', { params: { id }, body: { state: enables ? 'active' : 'disabled' } }),
    onClose,
  );
  return (
    <ConfirmDialog
      title={`${enables ? 'Enable' : 'Disable'} “${name}”`}
      confirm={enables ? 'Enable' : 'Disable'}
      isPending={changing.isPending}
      error={changing.error}
      onConfirm={() => changing.mutate()}
      onClose={onClose}
    >
      {enables
        ? 'The value is tested first. Requests use it within 10 seconds.'
        : `Within 10 seconds, requests to ${provider} use another credential or the key of the settings. Those of keys that name this credential fail.`}
    </ConfirmDialog>
  );
}

function DeleteDialog({ credential: { id, name, type }, onClose }: OneProps) {
  const deleting = useChange(() => call('deleteCredential', { params: { id } }), onClose);
  return (
    <ConfirmDialog
      title={`Delete “${name}”`}
      confirm="Delete credential"
      danger
      isPending={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      {type === 'federation' ? 'No new access token is made.' : 'The value is deleted.'} This cannot be undone.
    </ConfirmDialog>
  );
}
