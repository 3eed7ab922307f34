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
  /** Whether `initial` has the content of version 0, which the settings of the deployment may have. */
  readonly knowsInitial?: boolean;
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
  readonly title?: string;
  /** Beside number, author and time. */
  readonly columns?: readonly Column<Row>[];
}

/** All versions of a document; an older one can be restored, or loaded into the editor. */
export function DocumentVersions<Row extends Version>(props: VersionsProps<Row>) {
  const { list, current, title = 'Versions', columns: more = [], ...kept } = props;
  const [openVersion, setOpenVersion] = useState<number>();
  const names = useKeyNames(list.rows.flatMap(({ createdBy }) => (createdBy?.startsWith('key_') ? [createdBy] : [])));
  const nameOf = ({ createdBy }: Version) => (createdBy === null ? NOTHING : (names.get(createdBy) ?? createdBy));
  const rows = list.rows.length === 0 || list.hasMore ? list.rows : [...list.rows, kept.initial];
  const open = rows.find(({ version }) => version === openVersion);
  const inForce = rows.find(({ version }) => version === current);
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
    ...more,
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
    <Panel title={title} note="To roll back, open a version.">
      <DataTable
        label={title}
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
          changes={inForce === undefined || (open.version === 0 && !kept.knowsInitial) ? [] : changesOf(inForce, open)}
          savedBy={nameOf(open)}
          onClose={() => setOpenVersion(undefined)}
        />
      )}
    </Panel>
  );
}

/** What a rollback would change, each with the value in force and the restored one. */
function changesOf(current: Version, restored: Version): readonly string[] {
  const [was, is] = [contentOf(current), contentOf(restored)];
  const shown = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value));
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name) => [name, shown(was.get(name)), shown(is.get(name))] as const)
    .flatMap(([name, from, to]) => (from === to ? [] : [`${name}: ${from} → ${to}`]));
}

const OF_VERSION: ReadonlySet<string> = new Set(['object', 'version', 'createdAt', 'createdBy']);

function contentOf(version: Version): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(version).filter(([name]) => !OF_VERSION.has(name)));
}

interface VersionDrawerProps<Row extends Version> extends Omit<Kept<Row>, 'initial'> {
  readonly version: Row;
  readonly isCurrent: boolean;
  readonly changes: readonly string[];
  readonly savedBy: string;
  onClose(): void;
}

function VersionDrawer<Row extends Version>(props: VersionDrawerProps<Row>) {
  const { version, initialNote, isCurrent, changes, savedBy, textOf, onRollBack, onLoad, onClose } = props;
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
        <p>{version.version === 0 ? initialNote : `Saved by ${savedBy}, ${formatFullTime(version.createdAt)}`}</p>
        <CopyField label="JSON" text={textOf(version)} />
        {isCurrent ? null : <p>A rollback saves this as a new version and discards unsaved changes.</p>}
        {isCurrent || changes.length === 0 ? null : (
          <div>
            <p>It changes:</p>
            <ul>
              {changes.map((change) => (
                <li key={change}>
                  <OneLine text={change} />
                </li>
              ))}
            </ul>
          </div>
        )}
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
