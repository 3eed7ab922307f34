import { Button, Drawer, NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type DeliveryList, type WebhookView } from '../../api/client.ts';
import { usePagedList } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowButton } from '../../components/data-table.tsx';
import { formatFullTime, formatMs, formatTime, NOTHING } from '../../components/format.ts';
import { capitalised } from '../../components/labels.ts';
import { ActionError, Empty, Facts, Panel } from '../../components/page.tsx';
import { StateTag, Tag } from '../../components/tag.tsx';
import { pathOf } from './webhook-dialogs.tsx';
import classes from './webhooks.module.css';

type Delivery = DeliveryList['data'][number];
type Attempt = Delivery['attempts'][number];

const STATES: readonly Delivery['state'][] = ['pending', 'delivered', 'dead', 'gathered'];

const FAILURES: Readonly<Record<NonNullable<Attempt['failure']>, string>> = {
  address: 'Address not allowed',
  dns: 'Host name not found',
  connect: 'Connection failed',
  tls: 'TLS failed',
  timeout: 'No response in ten seconds',
  reset: 'Connection closed',
  protocol: 'Response is not HTTP',
  status: 'Status other than 2xx',
  unknown: 'Interrupted; may have been delivered',
};

/** Deliveries to an endpoint in the last 30 days, newest first. */
export function Deliveries({ webhook }: { readonly webhook: WebhookView }) {
  const [state, setState] = useState('');
  const [openId, setOpenId] = useState<string>();
  const list = usePagedList<Delivery>(`${pathOf(webhook)}/deliveries`, { state });
  const open = list.rows.find(({ id }) => id === openId);
  return (
    <Panel
      title="Deliveries"
      note="Last 30 days, newest first"
      actions={
        <div className={classes.tools}>
          <NativeSelect
            aria-label="State of deliveries"
            data={[
              { value: '', label: 'All states' },
              ...STATES.map((value) => ({ value, label: capitalised(value) })),
            ]}
            value={state}
            onChange={(event) => setState(event.currentTarget.value)}
          />
          <Button variant="default" onClick={list.refresh}>
            Refresh
          </Button>
        </div>
      }
    >
      <DataTable
        label="Deliveries"
        list={list}
        columns={columnsOf(setOpenId)}
        keyOf={({ id }) => id}
        empty={<Empty title="No deliveries yet">Send a test, or wait for a subscribed event.</Empty>}
      />
      {open === undefined ? null : (
        <DeliveryDrawer webhook={webhook} delivery={open} onClose={() => setOpenId(undefined)} />
      )}
    </Panel>
  );
}

function columnsOf(onOpen: (id: string) => void): readonly Column<Delivery>[] {
  return [
    {
      header: 'Event',
      widthPx: 150,
      grows: 1,
      cell: (delivery) => <RowButton onClick={() => onOpen(delivery.id)}>{delivery.type}</RowButton>,
    },
    { header: 'State', widthPx: 108, cell: (delivery) => <StateTag state={delivery.state} /> },
    { header: 'Attempts', widthPx: 84, align: 'end', cell: ({ attempts }) => attempts.length },
    {
      header: 'Last result',
      widthPx: 150,
      grows: 1,
      isWideOnly: true,
      cell: ({ attempts }) => <OneLine text={outcomeOf(attempts.at(-1))} />,
    },
    { header: 'Next attempt', widthPx: 142, isWideOnly: true, cell: ({ nextAttemptAt }) => formatTime(nextAttemptAt) },
    { header: 'Came', widthPx: 142, isWideOnly: true, cell: ({ createdAt }) => formatTime(createdAt) },
  ];
}

interface DeliveryDrawerProps {
  readonly webhook: WebhookView;
  readonly delivery: Delivery;
  onClose(): void;
}

function DeliveryDrawer({ webhook, delivery, onClose }: DeliveryDrawerProps) {
  const client = useQueryClient();
  const path = `${pathOf(webhook)}/deliveries`;
  const redelivering = useMutation({
    mutationFn: () => call('POST', `${path}/${encodeURIComponent(delivery.id)}/redeliver`),
    onSuccess: () => client.invalidateQueries({ queryKey: [path] }),
  });
  const mayRedeliver = delivery.state === 'delivered' || delivery.state === 'dead';
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={560}
      title={delivery.type}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="lg">
        <DeliveryFacts delivery={delivery} />
        <div>
          <Button
            variant="default"
            disabled={!mayRedeliver || webhook.state === 'disabled'}
            loading={redelivering.isPending}
            onClick={() => redelivering.mutate()}
          >
            Deliver again
          </Button>
          <span role="status" className={classes.said}>
            {redelivering.isSuccess ? 'Delivery queued.' : ''}
          </span>
        </div>
        <ActionError error={redelivering.error} />
        <section>
          <h3>Attempts</h3>
          <Attempts attempts={delivery.attempts} />
        </section>
      </Stack>
    </Drawer>
  );
}

function DeliveryFacts({ delivery }: { readonly delivery: Delivery }) {
  return (
    <Facts
      facts={[
        ['State', <StateTag key="state" state={delivery.state} />],
        ['Events', delivery.count ?? 'Still collecting'],
        ['Came', formatFullTime(delivery.createdAt)],
        ['Next attempt', formatFullTime(delivery.nextAttemptAt)],
        ['Event', <code key="event">{delivery.eventId}</code>],
        ['Delivery', <code key="delivery">{delivery.id}</code>],
        ['Stopped because', delivery.deadReason === null ? NOTHING : capitalised(delivery.deadReason)],
        ['Digest', delivery.digestId === null ? NOTHING : <code key="digest">{delivery.digestId}</code>],
      ]}
    />
  );
}

function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p>No attempts yet.</p>;
  return (
    <ol className={classes.attempts}>
      {attempts.map((attempt) => (
        <li key={attempt.at}>
          <Tag tone={attempt.failure === null ? 'allow' : 'block'}>{outcomeOf(attempt)}</Tag>{' '}
          {formatFullTime(attempt.at)}, {formatMs(attempt.durationMs)}
          {attempt.response === null || attempt.response === '' ? null : (
            <pre className={classes.response}>{attempt.response}</pre>
          )}
        </li>
      ))}
    </ol>
  );
}

function outcomeOf(attempt: Attempt | undefined): string {
  if (attempt === undefined) return NOTHING;
  if (attempt.failure === null) return `Delivered: ${attempt.status ?? ''}`;
  return attempt.failure === 'status' ? `Returned ${attempt.status ?? ''}` : FAILURES[attempt.failure];
}
