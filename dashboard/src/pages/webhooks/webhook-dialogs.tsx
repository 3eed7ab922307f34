import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  Modal,
  MultiSelect,
  NumberInput,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, type CreatedWebhook, type CreateWebhook, call, type WebhookView } from '../../api/client.ts';
import { ConfirmDialog, DEFAULT_GRACE_SECONDS, GraceSelect, SecretDialog } from '../../components/dialogs.tsx';
import { THREAT_NAMES, THREAT_TYPES } from '../../components/labels.ts';
import { ActionError } from '../../components/page.tsx';
import type { FormFault } from '../keys/key-form.ts';
import { EVENTS, NEW_WEBHOOK, toWebhookBody, toWebhookForm, type WebhookForm } from './webhook-form.ts';
import classes from './webhooks.module.css';

export const WEBHOOKS_PATH = '/v1/admin/webhooks';
const ADVICE = 'Your endpoint needs it to verify the signature of each request.';

export function pathOf({ id }: Pick<WebhookView, 'id'>): string {
  return `${WEBHOOKS_PATH}/${encodeURIComponent(id)}`;
}

/** Reloads webhooks on every page. */
export function useWebhooksChanged(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    () => client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(WEBHOOKS_PATH) }),
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
    mutationFn: (body: CreateWebhook) => call<CreatedWebhook>('POST', WEBHOOKS_PATH, { body }),
    onSuccess: changed,
  });
  if (creating.data !== undefined) {
    return <SecretDialog title="Webhook created" secret={creating.data.secret} advice={ADVICE} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="New webhook"
      submit="Create webhook"
      begin={NEW_WEBHOOK}
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
    mutationFn: (body: CreateWebhook) => call<WebhookView>('PATCH', pathOf(webhook), { body }),
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
  readonly begin: WebhookForm;
  readonly isPending: boolean;
  readonly error: Error | null;
  onBody(body: CreateWebhook): void;
}

function FormDialog({ title, submit, begin, isPending, error, onBody, onClose }: FormDialogProps) {
  const [form, setForm] = useState(begin);
  const [fault, setFault] = useState<FormFault>();
  const told = error instanceof ApiError ? { param: error.param ?? '', message: error.message } : undefined;
  const errorOf = (param: string) => {
    const shown = fault ?? told;
    return shown?.param.startsWith(param) ? shown.message : undefined;
  };
  const change = (changes: Partial<WebhookForm>) => setForm({ ...form, ...changes });

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
          <WebhookFields form={form} errorOf={errorOf} onChange={change} />
          <FilterFields form={form} errorOf={errorOf} onChange={change} />
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
  readonly form: WebhookForm;
  /** The error's message if it is about this field. */
  errorOf(param: string): string | undefined;
  onChange(changes: Partial<WebhookForm>): void;
}

function WebhookFields({ form, errorOf, onChange }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Address"
        placeholder="https://alerts.example.com/svc"
        type="url"
        value={form.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
        error={errorOf('url')}
        required
        data-autofocus
      />
      <TextInput
        label="Description"
        value={form.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
        error={errorOf('description')}
      />
      <Checkbox.Group
        label="Events"
        value={[...form.events]}
        onChange={(events) => onChange({ events })}
        error={errorOf('events')}
      >
        <div className={classes.events}>
          {Object.entries(EVENTS).map(([type, when]) => (
            <Checkbox key={type} value={type} label={type} description={when} />
          ))}
        </div>
      </Checkbox.Group>
    </>
  );
}

function FilterFields({ form, errorOf, onChange }: FieldsProps) {
  return (
    <Fieldset legend="Filter">
      <Stack gap="md">
        <NumberInput
          label="Minimum threat score"
          description="0 to 1, for threat.detected and request.blocked"
          min={0}
          max={1}
          step={0.05}
          value={form.minThreatScore}
          onChange={(value) => onChange({ minThreatScore: typeof value === 'number' ? value : '' })}
          error={errorOf('filter.minThreatScore')}
        />
        <MultiSelect
          label="Threat types"
          description="Empty: all"
          data={THREAT_TYPES.map((value) => ({ value, label: THREAT_NAMES[value] }))}
          value={[...form.threatTypes]}
          onChange={(threatTypes) => onChange({ threatTypes })}
          error={errorOf('filter.threatTypes')}
        />
        <TagsInput
          label="Environments"
          description="Empty: all"
          value={[...form.environments]}
          onChange={(environments) => onChange({ environments })}
          error={errorOf('filter.environments')}
          acceptValueOnBlur
        />
      </Stack>
    </Fieldset>
  );
}

export function RotateSecretDialog({ webhook, onClose }: OneProps) {
  const [graceSeconds, setGraceSeconds] = useState(DEFAULT_GRACE_SECONDS);
  const changed = useWebhooksChanged();
  const rotating = useMutation({
    mutationFn: () => call<CreatedWebhook>('POST', `${pathOf(webhook)}/rotate-secret`, { body: { graceSeconds } }),
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
    mutationFn: () => call<WebhookView>('PATCH', pathOf(webhook), { body: { state: enables ? 'active' : 'disabled' } }),
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
    mutationFn: () => call('DELETE', pathOf(webhook)),
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
