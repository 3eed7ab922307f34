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
import { formatFullTime, formatShortTime } from '../../components/format.ts';
import { ruleName, THREAT_NAMES } from '../../components/labels.ts';
import { Empty, Page } from '../../components/page.tsx';
import { usePolicyMarks } from '../../components/policy-marks.ts';
import { QueryBar } from '../../components/query-bar.tsx';
import { ActionTag, Score, SeverityText } from '../../components/tag.tsx';
import { useListQuery, useUrlState, writeRange } from '../../components/url-state.ts';
import { groupByRequest, type ThreatGroup } from './by-request.ts';
import { groupByRule } from './by-rule.ts';
import { MARK_NAMES } from './finding-parts.tsx';
import { MarkBar } from './mark-bar.tsx';
import { RulesTable } from './rules-table.tsx';

/** In the URL's `by`. */
const GROUPINGS = [
  ['', 'By request'],
  ['rule', 'By rule'],
] as const;

export default function ThreatsPage() {
  const [isExporting, setExporting] = useState(false);
  const mayReadTexts = useMay('getCapture');
  const query = useListQuery('listThreats');
  const list = usePagedList('listThreats', { query });
  const groups = useMemo(() => groupByRequest(list.rows), [list.rows]);
  const columns = useColumns(groups);
  const isFiltered = Object.keys(query).some((name) => name !== 'from' && name !== 'to');
  const [read, , go] = useUrlState();
  const isByRule = read('by') === 'rule';
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mayMark = useMay('markThreat');
  const selection = mayMark ? { selection: { keys: chosen, onChange: setChosen } } : {};
  const chosenThreats = isByRule
    ? groupByRule(list.rows).flatMap(({ rule, threats }) => (chosen.has(rule) ? threats : []))
    : groups.flatMap(({ threats }) => (chosen.has(threats[0].id) ? threats : []));
  const empty = (
    <Empty title={isFiltered ? 'No findings match these filters' : 'No findings in this time range'}>
      {isFiltered
        ? 'Remove a filter or choose a longer time range.'
        : 'Findings appear a few seconds after their request.'}
    </Empty>
  );

  return (
    <Page
      docs="findings.md"
      title="Findings"
      intro={
        isByRule
          ? 'Findings that are loaded, by their rule, the most frequent first.'
          : 'Requests with findings, newest first, each with its strongest.'
      }
      actions={<Actions onRefresh={list.refresh} onExport={() => setExporting(true)} />}
    >
      <QueryBar id="listThreats" label="Filter findings" rangeLabel="Time" />
      <div className={classes.actions}>
        <Button.Group aria-label="Group findings">
          {GROUPINGS.map(([by, name]) => (
            <Button
              key={by}
              size="xs"
              variant={(by === 'rule') === isByRule ? 'light' : 'default'}
              aria-pressed={(by === 'rule') === isByRule}
              onClick={() => {
                setChosen(new Set());
                go({ by });
              }}
            >
              {name}
            </Button>
          ))}
        </Button.Group>
        <SincePolicy />
      </div>
      {isByRule ? (
        <RulesTable {...{ list, empty, ...selection }} />
      ) : (
        <DataTable
          isDense
          label="Findings"
          list={{ ...list, rows: groups }}
          columns={columns}
          {...selection}
          nameOf={({ threats: [{ type, time }] }) => `${THREAT_NAMES[type]} of ${formatShortTime(time, Date.now())}`}
          keyOf={({ threats }) => threats[0].id}
          empty={empty}
        />
      )}
      <MarkBar threats={chosenThreats} onClear={() => setChosen(new Set())} />
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

/** Shows what the policy in force has found: from its time on. */
function SincePolicy() {
  const [policy] = usePolicyMarks();
  const [, , go] = useUrlState();
  if (policy === undefined) return null;
  return (
    <Button
      size="xs"
      variant="default"
      title={`${policy.name}, ${formatFullTime(policy.time)}`}
      onClick={() => go(writeRange({ from: policy.time, to: new Date(Date.now() + 60_000).toISOString() }))}
    >
      Since the last policy
    </Button>
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
