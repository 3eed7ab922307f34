import { Checkbox, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import type { CreateWebhook, UpdateWebhook, WebhookView } from '../../api/client.ts';
import { call, pathTo } from '../../api/operations.ts';
import { ConfirmDialog, DEFAULT_GRACE_SECONDS, GraceSelect, SecretDialog } from '../../components/dialogs.tsx';
import { FieldControl, type FieldControlProps } from '../../components/field-control.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { choicesOf } from '../../components/labels.ts';
import {
  changeableFields,
  fieldsOf,
  newWebhookForm,
  toWebhookBody,
  toWebhookChanges,
  toWebhookForm,
} from './webhook-form.ts';
import classes from './webhooks.module.css';

const ADVICE = 'Your endpoint needs it to verify the signature of each request.';

/** Reloads webhooks on every page. */
export function useWebhooksChanged(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(pathTo('listWebhooks')) }),
    [client],
  );
}

interface DialogProps {
  onClose(): void;
}
type OneProps = DialogProps & { readonly webhook: WebhookView };

export function CreateWebhookDialog({ onClose }: DialogProps) {
  const changed = useWebhooksChanged();
  const creating = useMutation({
    mutationFn: (body: CreateWebhook) => call('createWebhook', { body }),
    onSuccess: async ({ secret }) => {
      await changed();
      // Only our own format is signed.
      if (secret === undefined) onClose();
    },
  });
  if (creating.data?.secret !== undefined) {
    return <SecretDialog title="Webhook created" secret={creating.data.secret} advice={ADVICE} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="New webhook"
      submit="Create webhook"
      fields={fieldsOf}
      begin={newWebhookForm()}
      saving={creating}
      toBody={toWebhookBody}
      controlOf={controlOf}
      onClose={onClose}
    />
  );
}

export function EditWebhookDialog({ webhook, onClose }: OneProps) {
  const changed = useWebhooksChanged();
  const saving = useMutation({
    mutationFn: (body: UpdateWebhook) => call('updateWebhook', { params: { id: webhook.id }, body }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <FormDialog
      title="Edit webhook"
      submit="Save"
      fields={changeableFields(webhook)}
      begin={toWebhookForm(webhook)}
      saving={saving}
      toBody={(form) => toWebhookChanges(form, webhook)}
      controlOf={controlOf}
      onClose={onClose}
    />
  );
}

/** The checkboxes of events, and an address. */
function controlOf(at: string, control: FieldControlProps) {
  if (at === 'events') return <Events {...control} />;
  return at === 'url' ? <FieldControl {...control} type="url" isFirst /> : undefined;
}

/** A checkbox for each event, with when it is sent. */
function Events({ field, value, error, onChange }: FieldControlProps) {
  return (
    <Checkbox.Group label={field.label} value={[...(value as readonly string[])]} onChange={onChange} error={error}>
      <div className={classes.events}>
        {choicesOf(field).map(({ value: type, label: when }) => (
          <Checkbox key={type} value={type} label={type} description={when} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

export function RotateSecretDialog({ webhook, onClose }: OneProps) {
  const [graceSeconds, setGraceSeconds] = useState(DEFAULT_GRACE_SECONDS);
  const changed = useWebhooksChanged();
  const rotating = useMutation({
    mutationFn: () => call('rotateWebhookSecret', { params: { id: webhook.id }, body: { graceSeconds } }),
    onSuccess: changed,
  });
  if (rotating.data?.secret !== undefined) {
    return <SecretDialog title="New signing secret" secret={rotating.data.secret} advice={ADVICE} onClose={onClose} />;
  }
  return (
    <ConfirmDialog
      title="Rotate signing secret"
      confirm="Rotate"
      isPending={rotating.isPending}
      error={rotating.error}
      onConfirm={() => rotating.mutate()}
      onClose={onClose}
    >
      <Stack gap="md">
        <p>Until the old secret expires, requests are signed with both secrets.</p>
        <GraceSelect seconds={graceSeconds} onChange={setGraceSeconds} />
      </Stack>
    </ConfirmDialog>
  );
}

export function WebhookStateDialog({ webhook, onClose }: OneProps) {
  const enables = webhook.state === 'disabled';
  const changed = useWebhooksChanged();
  const changing = useMutation({
    mutationFn: () =>
      call('updateWebhook', { params: { id: webhook.id }, body: { state: enables ? 'active' : 'disabled' } }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={enables ? 'Enable webhook' : 'Disable webhook'}
      confirm={enables ? 'Enable' : 'Disable'}
      isPending={changing.isPending}
      error={changing.error}
      onConfirm={() => changing.mutate()}
      onClose={onClose}
    >
      {enables
        ? 'The endpoint receives events from now on. Earlier failures no longer count.'
        : 'The endpoint receives no events until you enable it again. Events in between are not sent later.'}
    </ConfirmDialog>
  );
}

export function DeleteWebhookDialog({ webhook, onClose }: OneProps) {
  const [, go] = useLocation();
  const changed = useWebhooksChanged();
  const deleting = useMutation({
    mutationFn: () => call('deleteWebhook', { params: { id: webhook.id } }),
    onSuccess: async () => {
      go('/webhooks');
      await changed();
    },
  });
  return (
    <ConfirmDialog
      title="Delete webhook"
      confirm="Delete webhook"
      danger
      typed="delete"
      isPending={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      <p>
        Deliveries to <code>{webhook.url}</code> stop, and its secret is deleted. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
