import { Alert, Button, Menu } from '@mantine/core';
import { type InfiniteData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { DeliveryList, WebhookView } from '../../api/client.ts';
import { call, pathTo } from '../../api/operations.ts';
import { reading } from '../../api/queries.ts';
import { formatFullTime, formatTime, NOTHING } from '../../components/format.ts';
import { Icon } from '../../components/icons.tsx';
import { capitalised, threatName } from '../../components/labels.ts';
import { ActionError, ErrorState, Facts, Page, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { Deliveries } from './deliveries.tsx';
import { failingNote, pauseOf } from './delivery-words.ts';
import {
  DeleteWebhookDialog,
  EditWebhookDialog,
  RotateSecretDialog,
  useWebhooksChanged,
  WebhookStateDialog,
} from './webhook-dialogs.tsx';
import { WEBHOOK_FIELDS } from './webhook-form.ts';
import { WebhookState } from './webhook-state.tsx';

const REFRESH_FAILING_MS = 10_000;
const FOLLOW_TEST_MS = 20_000;

type Dialog = 'edit' | 'rotate' | 'state' | 'delete';

const DISABLED_BY: Readonly<Record<NonNullable<WebhookView['disabledReason']>, string>> = {
  admin: 'an administrator disabled it',
  gone: 'it returned 410 Gone',
  failing: 'every attempt failed for five days',
};

export default function WebhookPage({ id }: { readonly id: string }) {
  const query = useQuery({
    ...reading('getWebhook', { params: { id } }),
    // Pauses are short, and end unseen.
    refetchInterval: ({ state }) => (state.data?.failingSince == null ? false : REFRESH_FAILING_MS),
  });
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const webhook = query.data;
  const pausedUntil = webhook && pauseOf(webhook, Date.now());
  if (webhook === undefined) {
    return (
      <Page docs="webhooks.md" title="Webhook" intro={<Link href="/webhooks">All webhooks</Link>}>
        {query.error === null ? (
          <Placeholder label="Loading the webhook" lines={12} />
        ) : (
          <ErrorState error={query.error} retry={() => void query.refetch()} />
        )}
      </Page>
    );
  }
  return (
    <Page
      docs="webhooks.md"
      title={webhook.description ?? 'Webhook'}
      intro={<Link href="/webhooks">All webhooks</Link>}
      actions={<Actions webhook={webhook} onPick={setDialog} />}
    >
      {webhook.disabledReason === null ? null : (
        <Alert color="yellow" title="Disabled">
          No events are sent: {DISABLED_BY[webhook.disabledReason]}.
        </Alert>
      )}
      {webhook.failingSince === null || webhook.state === 'disabled' ? null : (
        <Alert color="red" role="alert" title={failingNote(webhook, Date.now())}>
          Every attempt since {formatFullTime(webhook.failingSince)} failed. Deliveries are tried again for 24 hours.
          After five days of failures the webhook is disabled.
          {pausedUntil === undefined ? null : (
            <p>
              <strong>Paused until {formatTime(pausedUntil)}.</strong> Nothing is sent before, test events included.
            </p>
          )}
        </Alert>
      )}
      <Panel title="Settings">
        <WebhookFacts webhook={webhook} />
      </Panel>
      <Deliveries webhook={webhook} />
      {dialog === 'edit' ? <EditWebhookDialog webhook={webhook} onClose={close} /> : null}
      {dialog === 'rotate' ? <RotateSecretDialog webhook={webhook} onClose={close} /> : null}
      {dialog === 'state' ? <WebhookStateDialog webhook={webhook} onClose={close} /> : null}
      {dialog === 'delete' ? <DeleteWebhookDialog webhook={webhook} onClose={close} /> : null}
    </Page>
  );
}

/** Reloads until the delivery of a test event has ended, or for 20 seconds. */
function useTestResult(webhook: WebhookView, eventId: string | undefined) {
  const client = useQueryClient();
  const changed = useWebhooksChanged();
  const path = pathTo('listDeliveries', { id: webhook.id });
  useEffect(() => {
    if (eventId === undefined) return;
    const endMs = Date.now() + FOLLOW_TEST_MS;
    const timer = setInterval(() => {
      const lists = client.getQueriesData<InfiniteData<DeliveryList>>({ queryKey: [path] });
      const isEnded = lists
        .flatMap(([, list]) => list?.pages.flatMap(({ data }) => data) ?? [])
        .some((delivery) => delivery.eventId === eventId && delivery.state !== 'pending');
      if (isEnded || Date.now() >= endMs) clearInterval(timer);
      // Also after the end: the webhook's own state may follow its delivery.
      void changed();
    }, 1_000);
    return () => clearInterval(timer);
  }, [client, changed, path, eventId]);
}

function Actions({ webhook, onPick }: { readonly webhook: WebhookView; readonly onPick: (dialog: Dialog) => void }) {
  const testing = useMutation({
    mutationFn: () => call('testWebhook', { params: { id: webhook.id } }),
    onSuccess: useWebhooksChanged(),
  });
  useTestResult(webhook, testing.data?.eventId);
  const pausedUntil = pauseOf(webhook, Date.now());
  return (
    <>
      <Button onClick={() => testing.mutate()} loading={testing.isPending} disabled={webhook.state === 'disabled'}>
        Send a test
      </Button>
      <Button variant="default" onClick={() => onPick('edit')}>
        Edit
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" aria-label="More actions" px="xs">
            <Icon name="more" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isSigned(webhook) ? <Menu.Item onClick={() => onPick('rotate')}>Rotate secret</Menu.Item> : null}
          <Menu.Item onClick={() => onPick('state')}>{webhook.state === 'disabled' ? 'Enable' : 'Disable'}</Menu.Item>
          <Menu.Item color="red" onClick={() => onPick('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <span role="status">
        {testing.data === undefined
          ? ''
          : pausedUntil === undefined
            ? 'Test event queued.'
            : `Test event queued. The webhook is paused until ${formatTime(pausedUntil)}.`}
      </span>
      <ActionError error={testing.error} />
    </>
  );
}

function formatName({ format = 'svc' }: WebhookView): string {
  return WEBHOOK_FIELDS.find(({ name }) => name === 'format')?.choiceLabels?.[format] ?? format;
}

/** The other formats are those of services that verify no signature. */
function isSigned({ format = 'svc' }: WebhookView): boolean {
  return format === 'svc';
}

function olderSecrets({ previousSecrets }: WebhookView): string {
  const ends = previousSecrets.map(({ validUntil }) => capitalised(`until ${formatFullTime(validUntil)}`));
  return ends.join('; ') || NOTHING;
}

function WebhookFacts({ webhook }: { readonly webhook: WebhookView }) {
  const { filter } = webhook;
  return (
    <Facts
      facts={[
        ['State', <WebhookState key="state" webhook={webhook} />],
        ['Address', <code key="url">{webhook.url}</code>],
        ['Id', <code key="id">{webhook.id}</code>],
        ['Format', formatName(webhook)],
        ['Events', webhook.events.join(', ') || 'Those of alerts that name it'],
        ['Minimum score', filter.minThreatScore ?? 'Any'],
        ['Finding types', filter.threatTypes?.map(threatName).join(', ') ?? 'All'],
        ['Environments', filter.environments?.join(', ') ?? 'All'],
        ['Failing since', formatFullTime(webhook.failingSince)],
        ['Created', formatFullTime(webhook.createdAt)],
        ...(isSigned(webhook) ? [['Older secrets still used for signing', olderSecrets(webhook)] as const] : []),
      ]}
    />
  );
}
