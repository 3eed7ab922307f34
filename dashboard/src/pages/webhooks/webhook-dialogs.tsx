import { Button, Checkbox, Fieldset, Group, Modal, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, type CreateWebhook, type WebhookView } from '../../api/client.ts';
import { call, type FormField, pathTo } from '../../api/operations.ts';
import { ConfirmDialog, DEFAULT_GRACE_SECONDS, GraceSelect, SecretDialog } from '../../components/dialogs.tsx';
import { FieldControl, messageAt } from '../../components/field-control.tsx';
import type { Entered, Form, FormFault } from '../../components/field-form.ts';
import { capitalised, choicesOf } from '../../components/labels.ts';
import { ActionError } from '../../components/page.tsx';
import { newWebhookForm, toWebhookBody, toWebhookForm, WEBHOOK_FIELDS } from './webhook-form.ts';
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
    onSuccess: changed,
  });
  if (creating.data !== undefined) {
    return <SecretDialog title="Webhook created" secret={creating.data.secret} advice={ADVICE} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="New webhook"
      submit="Create webhook"
      begin={newWebhookForm()}
      isPending={creating.isPending}
      error={creating.error}
      onBody={(body) => creating.mutate(body)}
      onClose={onClose}
    />
  );
}

export function EditWebhookDialog({ webhook, onClose }: OneProps) {
  const changed = useWebhooksChanged();
  const saving = useMutation({
    mutationFn: (body: CreateWebhook) => call('updateWebhook', { params: { id: webhook.id }, body }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <FormDialog
      title="Edit webhook"
      submit="Save"
      begin={toWebhookForm(webhook)}
      isPending={saving.isPending}
      error={saving.error}
      onBody={(body) => saving.mutate(body)}
      onClose={onClose}
    />
  );
}

interface FormDialogProps extends DialogProps {
  readonly title: string;
  readonly submit: string;
  readonly begin: Form;
  readonly isPending: boolean;
  readonly error: Error | null;
  onBody(body: CreateWebhook): void;
}

function FormDialog({ title, submit, begin, isPending, error, onBody, onClose }: FormDialogProps) {
  const [form, setForm] = useState(begin);
  const [fault, setFault] = useState<FormFault>();
  const serverFault = error instanceof ApiError ? { param: error.param ?? '', message: error.message } : undefined;

  function send(event: FormEvent) {
    event.preventDefault();
    const made = toWebhookBody(form);
    setFault('fault' in made ? made.fault : undefined);
    if ('body' in made) onBody(made.body);
  }

  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={send} noValidate>
        <Stack gap="md">
          <WebhookFields
            fields={WEBHOOK_FIELDS}
            form={form}
            fault={fault ?? serverFault}
            onChange={(changes) => setForm({ ...form, ...changes })}
          />
          <ActionError error={error} />
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

interface FieldsProps {
  readonly fields: readonly FormField[];
  /** Of the object with these fields, such as `filter.`. */
  readonly within?: string;
  readonly form: Form;
  readonly fault: FormFault | undefined;
  onChange(changes: Form): void;
}

function WebhookFields({ fields, within = '', ...rest }: FieldsProps) {
  return fields.map((field) => {
    const at = `${within}${field.name}`;
    if (field.kind === 'group') {
      return (
        <Fieldset key={at} legend={capitalised(field.name)}>
          <Stack gap="md">
            <WebhookFields {...rest} fields={field.fields ?? []} within={`${at}.`} />
          </Stack>
        </Fieldset>
      );
    }
    const { form, fault, onChange } = rest;
    const control = {
      ...{ field, value: form[at], error: messageAt(fault, at) },
      onChange: (value: Entered) => onChange({ [at]: value }),
    };
    if (at === 'events') return <Events key={at} {...control} />;
    return <FieldControl key={at} {...control} {...(at === 'url' && { type: 'url', isFirst: true })} />;
  });
}

interface EventsProps {
  readonly field: FormField;
  readonly value: Entered;
  readonly error: string | undefined;
  onChange(events: readonly string[]): void;
}

/** A checkbox for each event, with when it is sent. */
function Events({ field, value, error, onChange }: EventsProps) {
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
  if (rotating.data !== undefined) {
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
