import { Button, Drawer, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOptions, call } from '../../api/operations.ts';
import { useKeyNames, usePagedList } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowButton } from '../../components/data-table.tsx';
import { formatTime, NOTHING } from '../../components/format.ts';
import { ActionError, Empty, Panel } from '../../components/page.tsx';
import { CopyField } from '../../components/text-box.tsx';

type List = Awaited<ReturnType<typeof call<'listProvidersVersions'>>>;
type Version = List['data'][number];
type RollBack = CallOptions<'rollbackProviders'>['body'];

/** All versions of the stored providers; an older one can be restored. */
export function ProviderVersions() {
  const [opened, setOpened] = useState<Version>();
  const list = usePagedList('listProvidersVersions', {});
  const names = useKeyNames(list.rows.flatMap(({ createdBy }) => (createdBy?.startsWith('key_') ? [createdBy] : [])));
  if (list.rows.length === 0) return null;
  const newest = list.rows[0]?.version;
  const columns: readonly Column<Version>[] = [
    {
      header: 'Version',
      widthPx: 130,
      cell: (one) => (
        <RowButton onClick={() => setOpened(one)}>
          {one.version === newest ? `${one.version} (current)` : one.version}
        </RowButton>
      ),
    },
    {
      header: 'Providers',
      widthPx: 150,
      grows: 1,
      cell: ({ providers }) => <OneLine text={providers.map(({ name }) => name).join(', ') || 'none'} />,
    },
    {
      header: 'Saved by',
      widthPx: 120,
      grows: 1,
      isWideOnly: true,
      cell: ({ createdBy }) => <OneLine text={createdBy === null ? NOTHING : (names.get(createdBy) ?? createdBy)} />,
    },
    { header: 'When', widthPx: 142, cell: ({ createdAt }) => formatTime(createdAt) },
  ];
  return (
    <Panel title="Versions of providers" note="To roll back, open a version.">
      <DataTable
        label="Versions of providers"
        list={list}
        columns={columns}
        keyOf={({ version }) => String(version)}
        empty={<Empty title="No saved versions yet" />}
      />
      {opened === undefined ? null : (
        <VersionDrawer version={opened} isCurrent={opened.version === newest} onClose={() => setOpened(undefined)} />
      )}
    </Panel>
  );
}

interface VersionDrawerProps {
  readonly version: Version;
  readonly isCurrent: boolean;
  onClose(): void;
}

function VersionDrawer({ version: { version, providers }, isCurrent, onClose }: VersionDrawerProps) {
  const queries = useQueryClient();
  const rollingBack = useMutation({
    mutationFn: (body: RollBack) => call('rollbackProviders', { body }),
    onSuccess: async () => {
      await queries.invalidateQueries();
      onClose();
    },
  });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={560}
      title={`Version ${version}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <CopyField label="JSON" text={JSON.stringify(providers, null, 2)} />
        <ActionError error={rollingBack.error} title="Not rolled back" />
        {isCurrent ? null : (
          <div>
            <Button loading={rollingBack.isPending} onClick={() => rollingBack.mutate({ version })}>
              Roll back to version {version}
            </Button>
          </div>
        )}
      </Stack>
    </Drawer>
  );
}
