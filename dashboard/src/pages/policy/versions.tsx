import { Button, Drawer, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { PolicyVersionView } from '../../api/client.ts';
import { useKeyNames, usePagedList } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowButton } from '../../components/data-table.tsx';
import { formatFullTime, formatTime, NOTHING } from '../../components/format.ts';
import { Empty, Panel } from '../../components/page.tsx';
import { CopyField } from '../../components/text-box.tsx';
import { textOf } from './policy-settings.ts';

interface VersionsProps {
  readonly current: number;
  onLoad(text: string): void;
}

/** All versions of the policy; an older one can be loaded into the editor and saved again. */
export function Versions({ current, onLoad }: VersionsProps) {
  const [openVersion, setOpenVersion] = useState<number>();
  const list = usePagedList<PolicyVersionView>('/v1/admin/policy/versions', {});
  const names = useKeyNames(list.rows.flatMap(({ createdBy }) => (createdBy?.startsWith('key_') ? [createdBy] : [])));
  const nameOf = ({ createdBy }: PolicyVersionView) =>
    createdBy === null ? NOTHING : (names.get(createdBy) ?? createdBy);
  const open = list.rows.find(({ version }) => version === openVersion);
  const columns: readonly Column<PolicyVersionView>[] = [
    {
      header: 'Version',
      widthPx: 130,
      grows: 1,
      cell: ({ version }) => (
        <RowButton onClick={() => setOpenVersion(version)}>
          {version === current ? `${version} (current)` : String(version)}
        </RowButton>
      ),
    },
    {
      header: 'Saved by',
      widthPx: 120,
      grows: 1,
      isWideOnly: true,
      cell: (version) => <OneLine text={nameOf(version)} />,
    },
    { header: 'When', widthPx: 142, cell: ({ createdAt }) => formatTime(createdAt) },
  ];
  return (
    <Panel title="Versions" note="To roll back, open a version, load it into the editor, and save.">
      <DataTable
        label="Versions"
        list={list}
        columns={columns}
        keyOf={({ version }) => String(version)}
        empty={<Empty title="No saved versions yet" />}
      />
      {open === undefined ? null : (
        <VersionDrawer
          version={open}
          savedBy={nameOf(open)}
          onLoad={() => {
            onLoad(textOf(open));
            setOpenVersion(undefined);
          }}
          onClose={() => setOpenVersion(undefined)}
        />
      )}
    </Panel>
  );
}

interface VersionDrawerProps {
  readonly version: PolicyVersionView;
  readonly savedBy: string;
  onLoad(): void;
  onClose(): void;
}

function VersionDrawer({ version, savedBy, onLoad, onClose }: VersionDrawerProps) {
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={560}
      title={`Version ${version.version}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <p>
          Saved by {savedBy}, {formatFullTime(version.createdAt)}
        </p>
        <CopyField label="JSON" text={textOf(version)} />
        <Group>
          <Button onClick={onLoad}>Load into the editor</Button>
        </Group>
      </Stack>
    </Drawer>
  );
}
