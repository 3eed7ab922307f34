import { Button, Group, Modal, Stack, Table } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, type ProviderView } from '../../api/client.ts';
import { type CallOptions, call, type FormField } from '../../api/operations.ts';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { FieldControl, messageAt } from '../../components/field-control.tsx';
import type { Form, FormFault } from '../../components/field-form.ts';
import { ActionError } from '../../components/page.tsx';
import {
  CHANGE_FIELDS,
  changesOf,
  type FieldChange,
  NEW_FIELDS,
  newProviderForm,
  toProviderBody,
  toProviderForm,
} from './provider-form.ts';

type CreateBody = CallOptions<'createProvider'>['body'];
type Body = Readonly<Record<string, unknown>>;

interface DialogProps {
  onClose(): void;
}
type OneProps = DialogProps & { readonly provider: ProviderView };

/** A change of the providers; the page is read again after it. */
function useChange<Input>(change: (input: Input) => Promise<unknown>, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await queries.invalidateQueries();
      onDone();
    },
  });
}

/** Adds a provider. */
export function AddProviderDialog({ onClose }: DialogProps) {
  const [form, setForm] = useState(newProviderForm());
  const [fault, setFault] = useState<FormFault>();
  const adding = useChange((body: Body) => call('createProvider', { body: body as CreateBody }), onClose);

  function send(event: FormEvent) {
    event.preventDefault();
    const made = toProviderBody(NEW_FIELDS, form);
    setFault('fault' in made ? made.fault : undefined);
    if ('body' in made) adding.mutate(made.body);
  }

  return (
    <Modal opened onClose={onClose} title="Add provider" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={send} noValidate>
        <Stack gap="md">
          <p>
            Requests for <code>name/model</code> go to it within 10 seconds. Without a credential it is called without a
            key.
          </p>
          <Fields fields={NEW_FIELDS} form={form} fault={fault ?? faultOf(adding.error)} onChange={setForm} />
          <ActionError error={adding.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={adding.isPending}>
              Add provider
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Changes a provider, after it has shown what differs. */
export function ChangeProviderDialog({ provider, onClose }: OneProps) {
  const { name } = provider;
  const [form, setForm] = useState(() => toProviderForm(provider));
  const [fault, setFault] = useState<FormFault>();
  const [reviewed, setReviewed] = useState<ReturnType<typeof changesOf>>();
  const saving = useChange((body: Body) => call('updateProvider', { params: { name }, body }), onClose);

  function next(event: FormEvent) {
    event.preventDefault();
    if (reviewed !== undefined) return saving.mutate(reviewed.body);
    const made = toProviderBody(CHANGE_FIELDS, form);
    setFault('fault' in made ? made.fault : undefined);
    if ('body' in made) setReviewed(changesOf(provider, made.body));
  }

  const isSame = reviewed?.shown.length === 0;
  return (
    <Modal opened onClose={onClose} title={`Change ${name}`} size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={next} noValidate>
        <Stack gap="md">
          {reviewed === undefined ? (
            <Fields fields={CHANGE_FIELDS} form={form} fault={fault} onChange={setForm} />
          ) : (
            <Changes changes={reviewed.shown} />
          )}
          <ActionError error={saving.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={reviewed === undefined ? onClose : () => setReviewed(undefined)}>
              {reviewed === undefined ? 'Cancel' : 'Back'}
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={isSame}>
              {reviewed === undefined ? 'Review changes' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Changes({ changes }: { readonly changes: readonly FieldChange[] }) {
  if (changes.length === 0) return <p>Nothing has changed.</p>;
  return (
    <Table aria-label="Changes">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Field</Table.Th>
          <Table.Th>Now</Table.Th>
          <Table.Th>After saving</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ label, before, after }) => (
          <Table.Tr key={label}>
            <Table.Td>{label}</Table.Td>
            <Table.Td>{before}</Table.Td>
            <Table.Td>{after}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface FieldsProps {
  readonly fields: readonly FormField[];
  readonly form: Form;
  readonly fault: FormFault | undefined;
  onChange(form: Form): void;
}

function Fields({ fields, form, fault, onChange }: FieldsProps) {
  return fields.map((field, at) => (
    <FieldControl
      key={field.name}
      field={field}
      value={form[field.name]}
      error={messageAt(fault, field.name)}
      isFirst={at === 0}
      onChange={(value) => onChange({ ...form, [field.name]: value })}
    />
  ));
}

function faultOf(error: Error | null): FormFault | undefined {
  return error instanceof ApiError ? { param: error.param ?? '', message: error.message } : undefined;
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
      onConfirm={() => switching.mutate(undefined)}
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
      onConfirm={() => removing.mutate(undefined)}
      onClose={onClose}
    >
      {isOverridden
        ? 'Within 10 seconds the provider is as in the settings again.'
        : 'Within 10 seconds requests for its models are refused. A roll back of the versions restores it.'}
    </ConfirmDialog>
  );
}
