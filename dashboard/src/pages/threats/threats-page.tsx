import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { Threat } from '../../api/client.ts';
import { useKeyNames, usePagedList } from '../../api/queries.ts';
import { usePermission } from '../../api/session.tsx';
import { type Column, DataTable, OneLine, RowButton } from '../../components/data-table.tsx';
import { FilterBar, RangeFields } from '../../components/filters.tsx';
import { formatTime } from '../../components/format.ts';
import {
  ACTION_NAMES,
  ACTIONS,
  capitalised,
  ENVIRONMENTS,
  SEVERITIES,
  THREAT_NAMES,
  THREAT_TYPES,
} from '../../components/labels.ts';
import { Empty, Page } from '../../components/page.tsx';
import { ActionTag, Score, SeverityTag } from '../../components/tag.tsx';
import { type Range, readRange, timesOf, useUrlState } from '../../components/url-state.ts';
import { ExportDialog } from './export-dialog.tsx';
import { MARK_NAMES, ThreatDrawer } from './threat-drawer.tsx';

/** Loads names of keys only for the first rows: a deployment may have thousands of keys. */
const MAX_NAMED_ROWS = 200;
/** Filters with the same name in the URL and the API. */
const FILTERS = [
  'type',
  'severity',
  'action',
  'mark',
  'environment',
  'rule',
  'keyId',
  'model',
  'endUserId',
  'sessionId',
] as const;
const ALL = { value: '', label: 'All' };
const OPTIONS = {
  type: [ALL, ...THREAT_TYPES.map((value) => ({ value, label: THREAT_NAMES[value] }))],
  severity: [ALL, ...SEVERITIES.map((value) => ({ value, label: capitalised(value) }))],
  action: [ALL, ...ACTIONS.map((value) => ({ value, label: ACTION_NAMES[value] }))],
  mark: [
    ALL,
    { value: 'none', label: 'Not marked' },
    ...Object.entries(MARK_NAMES).map(([value, label]) => ({ value, label })),
  ],
  environment: [ALL, ...ENVIRONMENTS.map((value) => ({ value, label: value }))],
};
const SELECTS = [
  ['type', 'Type'],
  ['severity', 'Severity'],
  ['action', 'Decision'],
  ['mark', 'Mark'],
  ['environment', 'Environment'],
] as const;
const TEXTS = [
  ['rule', 'Rule'],
  ['keyId', 'Key id'],
  ['model', 'Model'],
  ['endUserId', 'End user'],
] as const;

export default function ThreatsPage() {
  const [read, write] = useUrlState();
  const [isExporting, setExporting] = useState(false);
  const [openId, setOpenId] = useState<string>();
  const range = JSON.stringify(readRange(read));
  const text = JSON.stringify(Object.fromEntries(FILTERS.map((name) => [name, read(name)])));
  const [settled] = useDebouncedValue(text, 300);
  // Fixed while the filters stay the same: all pages of a list need the same range.
  const query = useMemo(
    () => ({ ...timesOf(JSON.parse(range) as Range, Date.now()), ...(JSON.parse(settled) as Record<string, string>) }),
    [range, settled],
  );
  const list = usePagedList<Threat>('/v1/analytics/threats', query);
  const columns = useColumns(list.rows, setOpenId);
  const isFiltered = FILTERS.some((name) => read(name) !== '');
  const open = list.rows.find(({ id }) => id === openId);

  return (
    <Page
      title="Threats"
      intro="Findings in requests and responses, newest first."
      actions={<Actions onRefresh={list.refresh} onExport={() => setExporting(true)} />}
    >
      <ThreatFilters isFiltered={isFiltered} read={read} write={write} />
      <DataTable
        label="Findings"
        list={list}
        columns={columns}
        keyOf={(threat) => threat.id}
        empty={
          <Empty title={isFiltered ? 'No findings match these filters' : 'No findings in this time range'}>
            {isFiltered
              ? 'Remove a filter or choose a longer time range.'
              : 'Findings appear a few seconds after their request.'}
          </Empty>
        }
      />
      {open === undefined ? null : <ThreatDrawer key={open.id} threat={open} onClose={() => setOpenId(undefined)} />}
      {isExporting ? <ExportDialog query={query} onClose={() => setExporting(false)} /> : null}
    </Page>
  );
}

interface ActionsProps {
  onRefresh(): void;
  onExport(): void;
}

function Actions({ onRefresh, onExport }: ActionsProps) {
  const mayTry = usePermission('admin');
  return (
    <>
      <Button variant="default" onClick={onRefresh}>
        Refresh
      </Button>
      {mayTry ? (
        <Button component={Link} href="/replay" variant="default">
          Replay a policy
        </Button>
      ) : null}
      <Button variant="default" onClick={onExport}>
        Export
      </Button>
    </>
  );
}

interface ThreatFiltersProps {
  readonly isFiltered: boolean;
  read(name: string): string;
  write(changes: Readonly<Record<string, string>>): void;
}

function ThreatFilters({ isFiltered, read, write }: ThreatFiltersProps) {
  const [areMoreShown, setMoreShown] = useState(() => TEXTS.some(([name]) => read(name) !== ''));
  return (
    <FilterBar label="Filter findings">
      <RangeFields range={readRange(read)} label="Time" onChange={write} />
      {SELECTS.map(([name, label]) => (
        <NativeSelect
          key={name}
          label={label}
          data={OPTIONS[name]}
          value={read(name)}
          onChange={(event) => write({ [name]: event.currentTarget.value })}
        />
      ))}
      {areMoreShown ? (
        TEXTS.map(([name, label]) => (
          <TextInput
            key={name}
            label={label}
            value={read(name)}
            onChange={(event) => write({ [name]: event.currentTarget.value })}
          />
        ))
      ) : (
        <Button variant="subtle" onClick={() => setMoreShown(true)}>
          More filters
        </Button>
      )}
      {isFiltered ? (
        <Button variant="subtle" onClick={() => write(Object.fromEntries(FILTERS.map((name) => [name, ''])))}>
          Clear
        </Button>
      ) : null}
    </FilterBar>
  );
}

function useColumns(rows: readonly Threat[], onOpen: (id: string) => void): readonly Column<Threat>[] {
  const names = useKeyNames(rows.slice(0, MAX_NAMED_ROWS).map(({ keyId }) => keyId));
  return [
    {
      header: 'Type',
      widthPx: 158,
      grows: 1.2,
      cell: (threat) => <RowButton onClick={() => onOpen(threat.id)}>{THREAT_NAMES[threat.type]}</RowButton>,
    },
    { header: 'Decision', widthPx: 94, cell: ({ action }) => <ActionTag action={action} /> },
    { header: 'Severity', widthPx: 90, isWideOnly: true, cell: ({ severity }) => <SeverityTag severity={severity} /> },
    { header: 'Score', widthPx: 104, isWideOnly: true, cell: ({ score }) => <Score value={score} /> },
    { header: 'Rule', widthPx: 150, grows: 1.6, isWideOnly: true, cell: ({ rule }) => <OneLine text={rule} /> },
    {
      header: 'Where',
      widthPx: 80,
      isWideOnly: true,
      cell: ({ location }) => (location.part === 'input' ? 'Request' : 'Response'),
    },
    {
      header: 'Key',
      widthPx: 110,
      grows: 1,
      isWideOnly: true,
      cell: ({ keyId }) => <OneLine text={names.get(keyId) ?? keyId} />,
    },
    { header: 'Mark', widthPx: 112, isWideOnly: true, cell: ({ mark }) => (mark === null ? '' : MARK_NAMES[mark]) },
    { header: 'Time', widthPx: 142, cell: ({ time }) => formatTime(time) },
  ];
}
