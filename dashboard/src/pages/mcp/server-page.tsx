import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { RequestRecord } from '../../api/client.ts';
import { reading, useKeyNames, usePagedList } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { BackLink, type Column, DataTable, OneLine, RowLink } from '../../components/data-table.tsx';
import { formatExact, formatMs, formatShortTime, NOTHING } from '../../components/format.ts';
import { Empty, ErrorState, Facts, Page, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { DecisionTag, StateTag, StatusText } from '../../components/tag.tsx';
import { type ServerAction, ServerDialog } from './server-dialogs.tsx';
import type { Server } from './server-form.ts';
import { CHANGE_NAMES, healthOf, TRUST_NAMES } from './server-text.ts';
import { ToolPanel } from './tool-panel.tsx';

const MAX_CALLS = 10;

/** A server: its settings, its tools with their approvals, and the newest calls. */
export default function ServerPage({ name }: { readonly name: string }) {
  const query = useQuery(reading('getMcpServer', { params: { name } }));
  const mayReadCalls = useMay('listRequests');
  const [action, setAction] = useState<ServerAction>();
  const { data: server, error } = query;
  return (
    <Page
      docs="mcp.md"
      title={`MCP server ${name}`}
      intro={<BackLink list="/mcp">All MCP servers</BackLink>}
      actions={server === undefined ? undefined : <Actions server={server} onPick={setAction} />}
    >
      {server === undefined ? (
        error === null ? (
          <Placeholder label="Loading the server" lines={10} />
        ) : (
          <ErrorState error={error} retry={() => void query.refetch()} />
        )
      ) : (
        <>
          <Settings server={server} />
          <ToolPanel server={name} />
          {mayReadCalls ? <Calls server={name} /> : null}
          {action === undefined ? null : (
            <ServerDialog action={action} server={server} onClose={() => setAction(undefined)} />
          )}
        </>
      )}
    </Page>
  );
}

function Actions({ server, onPick }: { readonly server: Server; onPick(action: ServerAction): void }) {
  const { name, state } = server;
  return (
    <>
      <Button onClick={() => onPick('change')}>Change</Button>
      <Button variant="default" onClick={() => onPick('switch')}>
        {state === 'disabled' ? 'Enable' : 'Disable'}
      </Button>
      <Button variant="default" onClick={() => onPick('remove')} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    </>
  );
}

function Settings({ server }: { readonly server: Server }) {
  const { name, url, auth, trust, onChange, toolLimits = [], circuit } = server;
  return (
    <Panel title="Settings">
      <Facts
        facts={[
          ['State', <StateTag key="state" state={healthOf(server)} isFault={circuit === 'open'} />],
          ['Address of the server', <code key="url">{url}</code>],
          ['Address for agents', <code key="own">{`${window.location.origin}/v1/mcp/${name}`}</code>],
          ['Credential', auth.type === 'none' ? 'None' : <code key="credential">{auth.credentialId}</code>],
          ...(auth.type === 'clientCredentials'
            ? [
                ['Client id', <code key="client">{auth.clientId}</code>] as const,
                ['Token endpoint', auth.tokenUrl ?? 'By the metadata of the server'] as const,
              ]
            : []),
          ['Trust', TRUST_NAMES[trust]],
          ['A changed definition is', CHANGE_NAMES[onChange]],
          [
            'Call limits of a key',
            toolLimits.length === 0
              ? NOTHING
              : toolLimits
                  .map(({ tools, requests, period }) => `${tools}: ${formatExact(requests)} per ${period}`)
                  .join('; '),
          ],
        ]}
      />
    </Panel>
  );
}

function callColumns(server: string, names: ReadonlyMap<string, string>): readonly Column<RequestRecord>[] {
  return [
    {
      header: 'Time',
      widthPx: 116,
      cell: ({ id, time }) => <RowLink href={`/requests/${id}`}>{formatShortTime(time, Date.now())}</RowLink>,
    },
    { header: 'Status', widthPx: 68, cell: ({ status }) => <StatusText status={status} /> },
    { header: 'Decision', widthPx: 92, cell: (record) => <DecisionTag record={record} /> },
    {
      header: 'Tool',
      widthPx: 120,
      grows: 2,
      isWideOnly: true,
      cell: ({ tool = '' }) => <OneLine text={tool.slice(server.length + 1)} />,
    },
    {
      header: 'Key',
      widthPx: 84,
      grows: 1,
      isWideOnly: true,
      cell: ({ keyId }) => <OneLine text={names.get(keyId) ?? keyId} />,
    },
    {
      header: 'Latency',
      widthPx: 80,
      align: 'end',
      isWideOnly: true,
      cell: ({ latencyMs }) => formatMs(latencyMs),
    },
  ];
}

/** The newest calls; the list of requests has all of them. */
function Calls({ server }: { readonly server: string }) {
  const tool = `${server}/*`;
  const list = usePagedList('listRequests', { query: { tool } });
  const names = useKeyNames(list.rows.map(({ keyId }) => keyId));
  const rows = list.rows.slice(0, MAX_CALLS);
  return (
    <Panel
      title="Newest calls"
      actions={<Link href={`/requests?${new URLSearchParams({ tool, range: '7d' })}`}>All calls</Link>}
    >
      <DataTable
        label="Calls"
        list={{ ...list, rows, hasMore: false }}
        columns={callColumns(server, names)}
        keyOf={({ id }) => id}
        empty={<Empty title="No calls yet" />}
      />
    </Panel>
  );
}
