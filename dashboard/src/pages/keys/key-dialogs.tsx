import { Alert, Button, Group, Modal, NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError, type CreatedKey, type CreateKey, type KeyView, type UpdateKey } from '../../api/client.ts';
import { call, pathTo } from '../../api/operations.ts';
import { reading } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { ConfirmDialog, DEFAULT_GRACE_SECONDS, GraceSelect, SecretDialog } from '../../components/dialogs.tsx';
import { changedFields, type Form, type FormFault } from '../../components/field-form.ts';
import { ActionError } from '../../components/page.tsx';
import { CopyField } from '../../components/text-box.tsx';
import { FirstCalls } from './first-calls.tsx';
import { KeyFields } from './key-fields.tsx';
import { newKeyForm, toKeyBody, toKeyForm } from './key-form.ts';
import { fromTemplate, KEY_TEMPLATES } from './key-templates.ts';

const ADVICE = 'Store it with the secrets of your application.';

/** Reloads keys on every page. */
export function useKeysChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () =>
    client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(pathTo('listKeys')) });
}

interface DialogProps {
  onClose(): void;
}

interface CreateKeyDialogProps extends DialogProps {
  onCreated?(created: CreatedKey): void;
}

export function CreateKeyDialog({ onCreated, onClose }: CreateKeyDialogProps) {
  const [template, setTemplate] = useState(KEY_TEMPLATES[0].id);
  const [form, setForm] = useState(() => newKeyForm());
  const settings = useQuery({ ...reading('getSettings', {}), enabled: useMay('getSettings') });
  const { maxConcurrent = settings.data && (settings.data.defaultMaxConcurrent ?? '') } = form;
  const changed = useKeysChanged();
  const creating = useMutation({
    mutationFn: (body: CreateKey) => call('createKey', { body }),
    onSuccess: (created) => {
      onCreated?.(created);
      return changed();
    },
  });
  if (creating.data !== undefined) {
    return (
      <SecretDialog
        title={`Key “${creating.data.name}” created`}
        secret={creating.data.key}
        advice={ADVICE}
        onClose={onClose}
      >
        <CopyField label="Base URL" text={`${window.location.origin}/v1`} />
        <FirstCalls secret={creating.data.key} />
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title="New key"
      start={
        <NativeSelect
          label="Start from"
          description={KEY_TEMPLATES.find(({ id }) => id === template)?.note}
          data={KEY_TEMPLATES.map(({ id, name }) => ({ value: id, label: name }))}
          value={template}
          onChange={(event) => {
            setTemplate(event.currentTarget.value);
            setForm(fromTemplate(event.currentTarget.value, form.name as string));
          }}
        />
      }
      submit="Create key"
      form={{ ...form, maxConcurrent }}
      onChange={setForm}
      isPending={creating.isPending}
      error={creating.error}
      onBody={(body) => creating.mutate(body)}
      onClose={onClose}
    />
  );
}

export function EditKeyDialog({ apiKey, onClose }: DialogProps & { readonly apiKey: KeyView }) {
  // The key when the dialog opened: only the user's changes are sent.
  const [before] = useState(() => toKeyForm(apiKey));
  const [form, setForm] = useState(before);
  const changed = useKeysChanged();
  const saving = useMutation({
    mutationFn: (body: UpdateKey) => call('updateKey', { params: { id: apiKey.id }, body }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Edit “${apiKey.name}”`}
      submit="Save"
      form={form}
      onChange={setForm}
      isPending={saving.isPending}
      error={saving.error}
      onBody={(body) => {
        const old = toKeyBody(before);
        saving.mutate('body' in old ? changedFields(old.body, body) : body);
      }}
      onClose={onClose}
    />
  );
}

interface FormDialogProps extends DialogProps {
  readonly title: string;
  readonly submit: string;
  /** Above the fields. */
  readonly start?: ReactNode;
  readonly form: Form;
  readonly isPending: boolean;
  readonly error: Error | null;
  onChange(form: Form): void;
  onBody(body: CreateKey): void;
}

function FormDialog({ title, submit, start, form, isPending, error, onChange, onBody, onClose }: FormDialogProps) {
  const [fault, setFault] = useState<FormFault>();
  const serverFault =
    error instanceof ApiError && error.param !== undefined ? { param: error.param, message: error.message } : undefined;

  function send(event: FormEvent) {
    event.preventDefault();
    const made = toKeyBody(form);
    setFault('fault' in made ? made.fault : undefined);
    if ('fault' in made && made.fault.param === 'name') {
      (event.currentTarget as HTMLFormElement).querySelector<HTMLInputElement>('[data-autofocus]')?.focus();
    }
    if ('body' in made) onBody(made.body);
  }

  return (
    <Modal opened onClose={onClose} title={title} size="xl" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={send} noValidate>
        <Stack gap="md">
          {start}
          <KeyFields
            isNew={start !== undefined}
            form={form}
            fault={fault ?? serverFault}
            onChange={(changes) => onChange({ ...form, ...changes })}
          />
          {fault === undefined ? (
            <ActionError error={error} />
          ) : (
            <Alert color="red" role="alert" title="Invalid input">
              {fault.message}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

export function RotateKeyDialog({ apiKey, onClose }: DialogProps & { readonly apiKey: KeyView }) {
  const [graceSeconds, setGraceSeconds] = useState(DEFAULT_GRACE_SECONDS);
  const changed = useKeysChanged();
  const rotating = useMutation({
    mutationFn: () => call('rotateKey', { params: { id: apiKey.id }, body: { graceSeconds } }),
    onSuccess: changed,
  });
  if (rotating.data !== undefined) {
    return (
      <SecretDialog
        title={`New secret of “${apiKey.name}”`}
        secret={rotating.data.key}
        advice={ADVICE}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title={`Rotate “${apiKey.name}”`}
      confirm="Rotate"
      isPending={rotating.isPending}
      error={rotating.error}
      onConfirm={() => rotating.mutate()}
      onClose={onClose}
    >
      <Stack gap="md">
        <p>The key gets a new secret and keeps its id, settings and limits.</p>
        <GraceSelect seconds={graceSeconds} onChange={setGraceSeconds} />
      </Stack>
    </ConfirmDialog>
  );
}

export function RevokeKeyDialog({ apiKey, onClose }: DialogProps & { readonly apiKey: KeyView }) {
  const changed = useKeysChanged();
  const revoking = useMutation({
    mutationFn: () => call('revokeKey', { params: { id: apiKey.id } }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke “${apiKey.name}”`}
      confirm="Revoke key"
      danger
      typed={apiKey.name}
      isPending={revoking.isPending}
      error={revoking.error}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    >
      <p>
        All secrets of this key stop working within 30 seconds. This cannot be undone. To stop the key temporarily,
        disable it.
      </p>
    </ConfirmDialog>
  );
}
