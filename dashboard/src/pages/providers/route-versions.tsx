import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { usePagedList } from '../../api/queries.ts';
import { type Column, OneLine } from '../../components/data-table.tsx';
import { DocumentVersions } from '../../components/document-versions.tsx';

type List = Awaited<ReturnType<typeof call<'listRoutesVersions'>>>;
type Version = List['data'][number];

/** The API lists only versions that were saved. */
const INITIAL: Version = { object: 'routes', version: 0, createdAt: null, createdBy: null, routes: [] };
const COLUMNS: readonly Column<Version>[] = [
  {
    header: 'Routes',
    widthPx: 150,
    grows: 1,
    cell: ({ version, routes }) => (
      <OneLine
        text={version === 0 ? 'Those of the settings' : routes.map(({ models }) => models).join(', ') || 'none'}
      />
    ),
  },
];

/** All versions of the deployment's routes; an older one can be restored. */
export function RouteVersions() {
  const queries = useQueryClient();
  const list = usePagedList('listRoutesVersions', {});
  const [newest] = list.rows;
  if (newest === undefined) return null;
  return (
    <DocumentVersions
      title="Versions of routes"
      list={list}
      current={newest.version}
      columns={COLUMNS}
      initial={INITIAL}
      initialNote="The routes of the settings."
      textOf={({ version, routes }) => (version === 0 ? 'Routes of the settings' : JSON.stringify(routes, null, 2))}
      onRollBack={async (version) => {
        await call('rollbackRoutes', { body: { version } });
        await queries.invalidateQueries();
      }}
    />
  );
}
