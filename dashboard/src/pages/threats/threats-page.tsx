import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { withTexts } from '../../api/captures.ts';
import type { Threat } from '../../api/client.ts';
import { useKeyNames, usePagedList } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import classes from '../../components/components.module.css';
import { type Column, DataTable, OneLine, RowLink } from '../../components/data-table.tsx';
import { ExportDialog } from '../../components/export-dialog.tsx';
import { formatShortTime } from '../../components/format.ts';
import { ruleName, THREAT_NAMES } from '../../components/labels.ts';
import { Empty, Page } from '../../components/page.tsx';
import { QueryBar } from '../../components/query-bar.tsx';
import { ActionTag, Score, SeverityText } from '../../components/tag.tsx';
import { useListQuery } from '../../components/url-state.ts';
import { groupByRequest, type ThreatGroup } from './by-request.ts';
import { MARK_NAMES } from './finding-parts.tsx';

export default function ThreatsPage() {
  const [isExporting, setExporting] = useState(false);
  const mayReadTexts = useMay('getCapture');
  const query = useListQuery('listThreats');
  const list = usePagedList('listThreats', { query });
  const groups = useMemo(() => groupByRequest(list.rows), [list.rows]);
  const columns = useColumns(groups);
  const isFiltered = Object.keys(query).some((name) => name !== 'from' && name !== 'to');

  return (
    <Page
      docs="findings.md"
      title="Findings"
      intro="Requests with findings, newest first, each with its strongest."
      actions={<Actions onRefresh={list.refresh} onExport={() => setExporting(true)} />}
    >
      <QueryBar id="listThreats" label="Filter findings" rangeLabel="Time" />
      <DataTable
        isDense
        label="Findings"
        list={{ ...list, rows: groups }}
        columns={columns}
        keyOf={({ threats }) => threats[0].id}
        empty={
          <Empty title={isFiltered ? 'No findings match these filters' : 'No findings in this time range'}>
            {isFiltered
              ? 'Remove a filter or choose a longer time range.'
              : 'Findings appear a few seconds after their request.'}
          </Empty>
        }
      />
      {isExporting ? (
        <ExportDialog
          title="Export findings"
          intro="Exports all findings that match the filters, one JSON object per line."
          id="listThreats"
          query={query}
          name="findings"
          extra={
            mayReadTexts
              ? {
                  label: 'With the text, where it was captured',
                  description:
                    'Each line has id and text, as npm run scan reads them. Findings without a captured text are left out. The audit log records each read.',
                  suffix: '-with-texts',
                  lines: withTexts(),
                }
              : undefined
          }
          onClose={() => setExporting(false)}
        />
      ) : null}
    </Page>
  );
}

interface ActionsProps {
  onRefresh(): void;
  onExport(): void;
}

function Actions({ onRefresh, onExport }: ActionsProps) {
  const mayTry = useMay('getPolicy');
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

function useColumns(groups: readonly ThreatGroup[]): readonly Column<ThreatGroup>[] {
  const names = useKeyNames(groups.map(({ threats }) => threats[0].keyId));
  return [
    {
      header: 'Type',
      widthPx: 146,
      grows: 2,
      cell: ({ threats: [first, ...others] }) => (
        <>
          <RowLink href={`/threats/${first.id}`}>{THREAT_NAMES[first.type]}</RowLink>
          {others.length === 0 ? null : <span className={classes.more}>+{others.length}</span>}
        </>
      ),
    },
    { header: 'Decision', widthPx: 94, cell: ({ threats: [{ action }] }) => <ActionTag action={action} /> },
    {
      header: 'Severity',
      widthPx: 90,
      isWideOnly: true,
      cell: ({ threats: [{ severity }] }) => <SeverityText severity={severity} />,
    },
    { header: 'Score', widthPx: 104, isWideOnly: true, cell: ({ threats: [{ score }] }) => <Score value={score} /> },
    {
      header: 'Rules',
      widthPx: 150,
      grows: 1.6,
      isWideOnly: true,
      cell: ({ threats }) => <OneLine text={[...new Set(threats.map(ruleName))].join(', ')} />,
    },
    {
      header: 'Where',
      widthPx: 80,
      isWideOnly: true,
      cell: ({ threats: [{ location }] }) => (location.part === 'input' ? 'Request' : 'Response'),
    },
    {
      header: 'Key',
      widthPx: 110,
      grows: 1,
      isWideOnly: true,
      cell: ({ threats: [{ keyId }] }) => <OneLine text={names.get(keyId) ?? keyId} />,
    },
    {
      header: 'Mark',
      widthPx: 112,
      isWideOnly: true,
      cell: ({ threats }) => <OneLine text={marksOf(threats)} />,
    },
    { header: 'Time', widthPx: 116, cell: ({ threats: [{ time }] }) => formatShortTime(time, Date.now()) },
  ];
}

/** The marks of a request's findings; how many of them if not all have the same. */
function marksOf(threats: readonly Threat[]): string {
  const marks = Map.groupBy(threats, ({ mark }) => mark);
  return [...marks]
    .flatMap(([mark, all]) =>
      mark === null ? [] : [all.length === threats.length ? MARK_NAMES[mark] : `${MARK_NAMES[mark]} ×${all.length}`],
    )
    .join(', ');
}
