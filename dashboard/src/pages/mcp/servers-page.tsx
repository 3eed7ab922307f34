import { Button } from '@mantine/core';
import { useState } from 'react';
import { usePagedList } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowLink } from '../../components/data-table.tsx';
import { formatExact } from '../../components/format.ts';
import { Icon } from '../../components/icons.tsx';
import { Empty, Page } from '../../components/page.tsx';
import { StateTag } from '../../components/tag.tsx';
import { AddServerDialog } from './server-dialogs.tsx';
import type { Server } from './server-form.ts';
import { CHANGE_NAMES, healthOf, TRUST_NAMES } from './server-text.ts';
import { ServerVersions } from './server-versions.tsx';

const COLUMNS: readonly Column<Server>[] = [
  {
    header: 'Name',
    widthPx: 100,
    grows: 1,
    cell: ({ name }) => <RowLink href={`/mcp/${encodeURIComponent(name)}`}>{name}</RowLink>,
    sortBy: ({ name }) => name,
  },
  {
    header: 'State',
    widthPx: 132,
    cell: (server) => <StateTag state={healthOf(server)} isFault={server.circuit === 'open'} />,
    sortBy: healthOf,
  },
  {
    header: 'Approved',
    widthPx: 100,
    align: 'end',
    cell: ({ approvedTools }) => formatExact(approvedTools),
    sortBy: ({ approvedTools }) => approvedTools,
  },
  { header: 'Address', widthPx: 160, grows: 2, isWideOnly: true, cell: ({ url }) => <OneLine text={url} /> },
  { header: 'Trust', widthPx: 92, isWideOnly: true, cell: ({ trust }) => TRUST_NAMES[trust] },
  { header: 'On a change', widthPx: 112, isWideOnly: true, cell: ({ onChange }) => CHANGE_NAMES[onChange] },
];

/** The MCP servers whose tools agents may call. */
export default function ServersPage() {
  const [adds, setAdds] = useState(false);
  const list = usePagedList('listMcpServers', {});
  return (
    <Page
      docs="mcp.md"
      title="MCP servers"
      intro="Servers whose tools agents call through the gateway."
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdds(true)}>
          Add server
        </Button>
      }
    >
      <DataTable
        label="MCP servers"
        list={list}
        columns={COLUMNS}
        keyOf={({ name }) => name}
        empty={
          <Empty title="No MCP servers yet">
            Add a server, approve its tools, and give agents its address at the gateway.
          </Empty>
        }
      />
      <ServerVersions />
      {adds ? <AddServerDialog onClose={() => setAdds(false)} /> : null}
    </Page>
  );
}
