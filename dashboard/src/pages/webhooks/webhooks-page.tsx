import { Button } from '@mantine/core';
import { useState } from 'react';
import type { WebhookView } from '../../api/client.ts';
import { usePagedList } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowLink } from '../../components/data-table.tsx';
import { formatDay, formatTime, NOTHING } from '../../components/format.ts';
import { Icon } from '../../components/icons.tsx';
import { Empty, Page } from '../../components/page.tsx';
import { CreateWebhookDialog } from './webhook-dialogs.tsx';
import { WebhookState } from './webhook-state.tsx';

const COLUMNS: readonly Column<WebhookView>[] = [
  {
    header: 'Address',
    widthPx: 150,
    grows: 2,
    cell: (webhook) => <RowLink href={`/webhooks/${encodeURIComponent(webhook.id)}`}>{webhook.url}</RowLink>,
  },
  { header: 'Format', widthPx: 100, isWideOnly: true, cell: ({ format = 'svc' }) => format },
  { header: 'State', widthPx: 148, cell: (webhook) => <WebhookState webhook={webhook} /> },
  {
    header: 'Events',
    widthPx: 160,
    grows: 1.5,
    isWideOnly: true,
    cell: ({ events }) => <OneLine text={events.join(', ')} />,
  },
  {
    header: 'Description',
    widthPx: 130,
    grows: 1,
    isWideOnly: true,
    cell: ({ description }) => <OneLine text={description ?? NOTHING} />,
  },
  {
    header: 'Failing since',
    widthPx: 142,
    isWideOnly: true,
    cell: ({ failingSince }) => formatTime(failingSince),
  },
  { header: 'Created', widthPx: 120, isWideOnly: true, cell: ({ createdAt }) => formatDay(createdAt) },
];

export default function WebhooksPage() {
  const [isCreating, setCreating] = useState(false);
  const list = usePagedList('listWebhooks', {});
  const open = () => setCreating(true);
  return (
    <Page
      docs="webhooks.md"
      title="Webhooks"
      intro="Your endpoints that receive events, and chats and pagers that receive alerts."
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
          New webhook
        </Button>
      }
    >
      <DataTable
        label="Webhooks"
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={<Empty title="No webhooks yet">Create a webhook to receive events at your endpoint.</Empty>}
      />
      {isCreating ? <CreateWebhookDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}
