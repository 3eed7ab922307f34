import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { usePagedList } from '../../api/queries.ts';
import { type Column, OneLine } from '../../components/data-table.tsx';
import { DocumentVersions } from '../../components/document-versions.tsx';

type List = Awaited<ReturnType<typeof call<'listMcpServersVersions'>>>;
type Version = List['data'][number];

/** It was never saved, so the API does not list it. */
const INITIAL: Version = { object: 'mcp_servers', version: 0, createdAt: null, createdBy: null, servers: [] };
const COLUMNS: readonly Column<Version>[] = [
  {
    header: 'Servers',
    widthPx: 150,
    grows: 1,
    cell: ({ servers }) => <OneLine text={servers.map(({ name }) => name).join(', ') || 'none'} />,
  },
];

/** All versions of the servers with their approvals; an older one can be restored. */
export function ServerVersions() {
  const queries = useQueryClient();
  const list = usePagedList('listMcpServersVersions', {});
  const [newest] = list.rows;
  if (newest === undefined) return null;
  return (
    <DocumentVersions
      title="Versions of MCP servers"
      list={list}
      current={newest.version}
      columns={COLUMNS}
      initial={INITIAL}
      knowsInitial
      initialNote="No servers."
      textOf={({ servers }) => JSON.stringify(servers, null, 2)}
      onRollBack={async (version) => {
        await call('rollbackMcpServers', { body: { version } });
        await queries.invalidateQueries();
      }}
    />
  );
}
