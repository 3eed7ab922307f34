import { Button, Drawer, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type PagedList, useKeyNames } from '../api/queries.ts';
import { type Column, DataTable, OneLine, RowButton } from './data-table.tsx';
import { formatFullTime, formatTime, NOTHING } from './format.ts';
import { ActionError, Empty, Panel } from './page.tsx';
import { CopyField } from './text-box.tsx';

/** What every version of a document has. */
interface Version {
  readonly version: number;
  readonly createdAt: string | null;
  readonly createdBy: string | null;
}

/** How the versions of a document are shown and restored. */
interface Kept<Row extends Version> {
  /** Version 0. It was never saved, so the API does not list it. */
  readonly initial: Row;
  /** What version 0 is. */
  readonly initialNote: string;
  textOf(version: Row): string;
  /** Loads the text into an editor; absent if there is none. */
  onLoad?(text: string): void;
  /** Restores an older version. */
  onRollBack(version: number): Promise<void>;
}

interface VersionsProps<Row extends Version> extends Kept<Row> {
  readonly list: PagedList<Row>;
  readonly current: number;
}

/** All versions of a document; an older one can be restored, or loaded into the editor. */
export function DocumentVersions<Row extends Version>({ list, current, ...kept }: VersionsProps<Row>) {
  const [openVersion, setOpenVersion] = useState<number>();
  const names = useKeyNames(list.rows.flatMap(({ createdBy }) => (createdBy?.startsWith('key_') ? [createdBy] : [])));
  const nameOf = ({ createdBy }: Version) =>
    createdBy === null ? NOTHING : (names.get(createdBy) ?? createdBy);
  const rows = list.rows.length === 0 || list.hasMore ? list.rows : [...list.rows, kept.initial];
  const open = rows.find(({ version }) => version === openVersion);
  const columns: readonly Column<Row>[] = [
    {
      header: 'Version',
      widthPx: 130,
      grows: 1,
      cell: ({ version }) => (
        <RowButton onClick={() => setOpenVersion(version)}>
          {version === current ? `${version} (current)` : version === 0 ? '0 (initial)' : version}
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
    <Panel title="Versions" note="To roll back, open a version.">
      <DataTable
        label="Versions"
        list={{ ...list, rows }}
        columns={columns}
        keyOf={({ version }) => String(version)}
        empty={<Empty title="No saved versions yet" />}
      />
      {open === undefined ? null : (
        <VersionDrawer
          {...kept}
          version={open}
          isCurrent={open.version === current}
          savedBy={nameOf(open)}
          onClose={() => setOpenVersion(undefined)}
        />
      )}
    </Panel>
  );
}

interface VersionDrawerProps<Row extends Version> extends Omit<Kept<Row>, 'initial'> {
  readonly version: Row;
  readonly isCurrent: boolean;
  readonly savedBy: string;
  onClose(): void;
}

function VersionDrawer<Row extends Version>(props: VersionDrawerProps<Row>) {
  const { version, initialNote, isCurrent, savedBy, textOf, onRollBack, onLoad, onClose } = props;
  const rollback = useMutation({ mutationFn: () => onRollBack(version.version), onSuccess: onClose });
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
          {version.version === 0
            ? initialNote
            : `Saved by ${savedBy}, ${formatFullTime(version.createdAt)}`}
        </p>
        <CopyField label="JSON" text={textOf(version)} />
        {isCurrent ? null : <p>A rollback saves this as a new version and discards unsaved changes.</p>}
        {rollback.error === null ? null : <ActionError error={rollback.error} title="Not rolled back" />}
        <Group>
          {isCurrent ? null : (
            <Button loading={rollback.isPending} onClick={() => rollback.mutate()}>
              Roll back to version {version.version}
            </Button>
          )}
          {onLoad === undefined ? null : (
            <Button
              variant="default"
              onClick={() => {
                onLoad(textOf(version));
                onClose();
              }}
            >
              Load into the editor
            </Button>
          )}
        </Group>
      </Stack>
    </Drawer>
  );
}
