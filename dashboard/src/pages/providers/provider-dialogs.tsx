import type { ProviderView } from '../../api/client.ts';
import { type CallOptions, call } from '../../api/operations.ts';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { changesOf } from '../../components/field-changes.ts';
import { changedFields, toForm } from '../../components/field-form.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { CHANGE_FIELDS, NEW_FIELDS, newProviderForm, storedFields, toProviderBody } from './provider-form.ts';
import { useChange } from './use-change.ts';

type CreateBody = CallOptions<'createProvider'>['body'];
type Body = Readonly<Record<string, unknown>>;

interface DialogProps {
  onClose(): void;
}
type OneProps = DialogProps & { readonly provider: ProviderView };

/** Adds a provider. */
export function AddProviderDialog({ onClose }: DialogProps) {
  const adding = useChange((body: Body) => call('createProvider', { body: body as CreateBody }), onClose);
  return (
    <FormDialog
      title="Add provider"
      submit="Add provider"
      intro={
        <p>
          Requests for <code>name/model</code> go to it within 10 seconds. Without a credential it is called without a
          key.
        </p>
      }
      fields={NEW_FIELDS}
      begin={newProviderForm()}
      saving={adding}
      toBody={(form) => toProviderBody(NEW_FIELDS, form)}
      onClose={onClose}
    />
  );
}

/** Changes a provider, after it has shown what differs. */
export function ChangeProviderDialog({ provider, onClose }: OneProps) {
  const { name } = provider;
  const before = storedFields(provider);
  const saving = useChange(
    (body: Body) => call('updateProvider', { params: { name }, body: changedFields(before, body) }),
    onClose,
  );
  return (
    <FormDialog
      title={`Change ${name}`}
      submit="Save"
      fields={CHANGE_FIELDS}
      begin={toForm(CHANGE_FIELDS, before)}
      saving={saving}
      toBody={(form) => toProviderBody(CHANGE_FIELDS, form)}
      changesOf={(body) => changesOf(CHANGE_FIELDS, before, body)}
      onClose={onClose}
    />
  );
}

/** Disables or enables a provider. */
export function SwitchProviderDialog({ provider: { name, state }, onClose }: OneProps) {
  const enables = state === 'disabled';
  const body = { state: enables ? 'active' : 'disabled' } as const;
  const switching = useChange(() => call('updateProvider', { params: { name }, body }), onClose);
  return (
    <ConfirmDialog
      title={`${enables ? 'Enable' : 'Disable'} ${name}`}
      confirm={`${enables ? 'Enable' : 'Disable'} provider`}
      isPending={switching.isPending}
      error={switching.error}
      onConfirm={() => switching.mutate()}
      onClose={onClose}
    >
      {enables
        ? 'Requests go to it again within 10 seconds.'
        : 'Within 10 seconds no request goes to it. Fallbacks serve; requests without another target are refused with 404.'}
    </ConfirmDialog>
  );
}

/** Removes a stored provider. */
export function RemoveProviderDialog({ provider: { name, isOverridden }, onClose }: OneProps) {
  const removing = useChange(() => call('deleteProvider', { params: { name } }), onClose);
  return (
    <ConfirmDialog
      title={`Remove ${name}`}
      confirm="Remove provider"
      danger
      isPending={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      {isOverridden
        ? 'Within 10 seconds the provider is as in the settings again.'
        : 'Within 10 seconds requests for its models are refused. A roll back of the versions restores it.'}
    </ConfirmDialog>
  );
}
