import { Button, Drawer, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { WebhookView } from '../../api/client.ts';
import { call } from '../../api/operations.ts';
import { usePagedList } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowButton } from '../../components/data-table.tsx';
import { FilterField } from '../../components/filters.tsx';
import { formatFullTime, formatMs, formatTime, NOTHING } from '../../components/format.ts';
import { ActionError, Empty, Facts, Panel } from '../../components/page.tsx';
import { filterOf } from '../../components/query-chips.ts';
import { StateTag } from '../../components/tag.tsx';
import { DEAD_REASONS, type Delivery, nextAttemptOf, stateOf, whyNotAgain } from './delivery-words.ts';
import { useWebhooksChanged } from './webhook-dialogs.tsx';
import { DeliveryState } from './webhook-state.tsx';
import classes from './webhooks.module.css';

type Attempt = Delivery['attempts'][number];

const STATE = filterOf('listDeliveries', 'state');

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
  const changed = useWebhooksChanged();
  const list = usePagedList('listDeliveries', { params: { id: webhook.id }, query: { state } });
  const open = list.rows.find(({ id }) => id === openId);
  return (
    <Panel
      title="Deliveries"
      note="Last 30 days, newest first"
      actions={
        <div className={classes.tools}>
          <FilterField
            field={STATE}
            all="All states"
            isLabelHidden
            value={state}
            onChange={(changes) => setState(changes.state ?? '')}
          />
          <Button variant="default" onClick={() => void changed()}>
            Refresh
          </Button>
        </div>
      }
    >
      <DataTable
        label="Deliveries"
        list={list}
        columns={columnsOf(webhook, setOpenId)}
        keyOf={({ id }) => id}
        empty={<Empty title="No deliveries yet">Send a test, or wait for a subscribed event.</Empty>}
      />
      {open === undefined ? null : (
        <DeliveryDrawer webhook={webhook} delivery={open} onClose={() => setOpenId(undefined)} />
      )}
    </Panel>
  );
}

function columnsOf(webhook: WebhookView, onOpen: (id: string) => void): readonly Column<Delivery>[] {
  return [
    {
      header: 'Event',
      widthPx: 150,
      grows: 1,
      cell: (delivery) => <RowButton onClick={() => onOpen(delivery.id)}>{delivery.type}</RowButton>,
    },
    { header: 'State', widthPx: 108, cell: (delivery) => <DeliveryState delivery={delivery} /> },
    { header: 'Attempts', widthPx: 84, align: 'end', isWideOnly: true, cell: ({ attempts }) => attempts.length },
    {
      header: 'Last result',
      widthPx: 150,
      grows: 1,
      isWideOnly: true,
      cell: ({ attempts }) => <OneLine text={outcomeOf(attempts.at(-1))} />,
    },
    {
      header: 'Next attempt',
      widthPx: 188,
      isWideOnly: true,
      cell: (delivery) => <OneLine text={nextAttemptOf(delivery, webhook, Date.now())} />,
    },
    { header: 'Created', widthPx: 142, isWideOnly: true, cell: ({ createdAt }) => formatTime(createdAt) },
  ];
}

interface DeliveryDrawerProps {
  readonly webhook: WebhookView;
  readonly delivery: Delivery;
  onClose(): void;
}

function DeliveryDrawer({ webhook, delivery, onClose }: DeliveryDrawerProps) {
  const changed = useWebhooksChanged();
  const redelivering = useMutation({
    mutationFn: () => call('redeliver', { params: { id: webhook.id, deliveryId: delivery.id } }),
    onSuccess: changed,
  });
  const reason = whyNotAgain(delivery, webhook);
  const reasonId = useId();
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
        <p>{stateOf(delivery).note}</p>
        <DeliveryFacts webhook={webhook} delivery={delivery} />
        <div>
          <Button
            variant="default"
            disabled={reason !== undefined}
            aria-describedby={reasonId}
            loading={redelivering.isPending}
            onClick={() => redelivering.mutate()}
          >
            Deliver again
          </Button>
          <span role="status" id={reasonId} className={classes.said}>
            {redelivering.isSuccess ? 'Delivery queued.' : reason}
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

function DeliveryFacts({ webhook, delivery }: Pick<DeliveryDrawerProps, 'webhook' | 'delivery'>) {
  return (
    <Facts
      facts={[
        ['State', <DeliveryState key="state" delivery={delivery} />],
        ['Events that it reports', delivery.count ?? 'Still collecting'],
        ['Created', formatFullTime(delivery.createdAt)],
        ['Next attempt', nextAttemptOf(delivery, webhook, Date.now())],
        ['Event', <code key="event">{delivery.eventId}</code>],
        ['Delivery', <code key="delivery">{delivery.id}</code>],
        ['Given up because', delivery.deadReason === null ? NOTHING : DEAD_REASONS[delivery.deadReason]],
        ['Combined delivery', delivery.digestId === null ? NOTHING : <code key="digest">{delivery.digestId}</code>],
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
          <StateTag state={outcomeOf(attempt)} isFault={attempt.failure !== null} /> {formatFullTime(attempt.at)},{' '}
          {formatMs(attempt.durationMs)}
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
