import { Button, Drawer, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { PolicyVersionView } from '../../api/client.ts';
import { useKeyNames, usePagedList } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowButton } from '../../components/data-table.tsx';
import { formatFullTime, formatTime, NOTHING } from '../../components/format.ts';
import { ActionError, Empty, Panel } from '../../components/page.tsx';
import { CopyField } from '../../components/text-box.tsx';
import { settingsOf, textOf } from './policy-settings.ts';

/** It was never saved, so the API does not list it. */
const INITIAL: PolicyVersionView = { object: 'policy', version: 0, createdAt: null, createdBy: null };

interface VersionsProps {
  readonly current: number;
  onLoad(text: string): void;
  /** Restores an older version. */
  onRollBack(version: number): Promise<void>;
}

/** All versions of the policy; an older one can be restored, or loaded into the editor. */
export function Versions({ current, onLoad, onRollBack }: VersionsProps) {
  const [openVersion, setOpenVersion] = useState<number>();
  const list = usePagedList('listPolicyVersions', {});
  const names = useKeyNames(list.rows.flatMap(({ createdBy }) => (createdBy?.startsWith('key_') ? [createdBy] : [])));
  const nameOf = ({ createdBy }: PolicyVersionView) =>
    createdBy === null ? NOTHING : (names.get(createdBy) ?? createdBy);
  const rows = list.rows.length === 0 || list.hasMore ? list.rows : [...list.rows, INITIAL];
  const open = rows.find(({ version }) => version === openVersion);
  const inForce = rows.find(({ version }) => version === current);
  const columns: readonly Column<PolicyVersionView>[] = [
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
      header: 'Roll-out',
      widthPx: 90,
      isWideOnly: true,
      cell: ({ rollout }) => (rollout === undefined ? NOTHING : `${rollout.percent} %`),
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
          version={open}
          isCurrent={open.version === current}
          changes={inForce === undefined ? [] : changesOf(inForce, open)}
          savedBy={nameOf(open)}
          onRollBack={() => onRollBack(open.version)}
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

/** What a rollback would change, each with the value in force and the restored one. */
function changesOf(current: PolicyVersionView, restored: PolicyVersionView): readonly string[] {
  const [was, is] = [settingsOf(current), settingsOf(restored)];
  const shown = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value));
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((name) => [name, shown(was[name]), shown(is[name])] as const)
    .flatMap(([name, from, to]) => (from === to ? [] : [`${name}: ${from} → ${to}`]));
}

interface VersionDrawerProps {
  readonly version: PolicyVersionView;
  readonly isCurrent: boolean;
  readonly changes: readonly string[];
  readonly savedBy: string;
  onRollBack(): Promise<void>;
  onLoad(): void;
  onClose(): void;
}

function VersionDrawer(props: VersionDrawerProps) {
  const { version, isCurrent, changes, savedBy, onRollBack, onLoad, onClose } = props;
  const rollback = useMutation({ mutationFn: onRollBack, onSuccess: onClose });
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
            ? 'The initial policy: every value has its default.'
            : `Saved by ${savedBy}, ${formatFullTime(version.createdAt)}`}
        </p>
        <CopyField label="JSON" text={textOf(version)} />
        {isCurrent ? null : (
          <>
            <p>A rollback saves these settings as a new version. It ends a roll-out and discards unsaved changes.</p>
            {changes.length === 0 ? null : (
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
          </>
        )}
        {rollback.error === null ? null : <ActionError error={rollback.error} title="Not rolled back" />}
        <Group>
          {isCurrent ? null : (
            <Button loading={rollback.isPending} onClick={() => rollback.mutate()}>
              Roll back to version {version.version}
            </Button>
          )}
          <Button variant="default" onClick={onLoad}>
            Load into the editor
          </Button>
        </Group>
      </Stack>
    </Drawer>
  );
}
