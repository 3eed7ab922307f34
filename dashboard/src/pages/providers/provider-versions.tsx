import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { usePagedList } from '../../api/queries.ts';
import { type Column, OneLine } from '../../components/data-table.tsx';
import { DocumentVersions } from '../../components/document-versions.tsx';

type List = Awaited<ReturnType<typeof call<'listProvidersVersions'>>>;
type Version = List['data'][number];

/** It was never saved, so the API does not list it. */
const INITIAL: Version = { object: 'providers', version: 0, createdAt: null, createdBy: null, providers: [] };
const COLUMNS: readonly Column<Version>[] = [
  {
    header: 'Providers',
    widthPx: 150,
    grows: 1,
    cell: ({ providers }) => <OneLine text={providers.map(({ name }) => name).join(', ') || 'none'} />,
  },
];

/** All versions of the stored providers; an older one can be restored. */
export function ProviderVersions() {
  const queries = useQueryClient();
  const list = usePagedList('listProvidersVersions', {});
  const [newest] = list.rows;
  if (newest === undefined) return null;
  return (
    <DocumentVersions
      title="Versions of providers"
      list={list}
      current={newest.version}
      columns={COLUMNS}
      initial={INITIAL}
      knowsInitial
      initialNote="Only the providers of the settings."
      textOf={({ providers }) => JSON.stringify(providers, null, 2)}
      onRollBack={async (version) => {
        await call('rollbackProviders', { body: { version } });
        await queries.invalidateQueries();
      }}
    />
  );
}
