import type { ReactNode } from 'react';
import type { Threat } from '../../api/client.ts';
import type { PagedList } from '../../api/queries.ts';
import { type Column, DataTable, RowButton, type Selection } from '../../components/data-table.tsx';
import { formatExact, formatShortTime } from '../../components/format.ts';
import { THREAT_NAMES } from '../../components/labels.ts';
import { Score } from '../../components/tag.tsx';
import { useUrlState } from '../../components/url-state.ts';
import { groupByRule, type RuleGroup } from './by-rule.ts';

interface RulesTableProps {
  readonly list: PagedList<Threat>;
  readonly empty: ReactNode;
  readonly selection?: Selection;
}

/** The loaded findings by rule. A row leads to the findings of its rule. */
export function RulesTable({ list, empty, selection }: RulesTableProps) {
  const [, , go] = useUrlState();
  const count = (header: string, read: (group: RuleGroup) => number): Column<RuleGroup> => ({
    header,
    widthPx: 112,
    align: 'end',
    isWideOnly: true,
    cell: (group) => formatExact(read(group)),
  });
  const columns: readonly Column<RuleGroup>[] = [
    {
      header: 'Rule',
      widthPx: 150,
      grows: 2,
      cell: ({ rule, threats: [{ rule: id }] }) => (
        <RowButton onClick={() => go({ by: '', rule: id })}>{rule}</RowButton>
      ),
    },
    { header: 'Findings', widthPx: 84, align: 'end', cell: ({ threats }) => formatExact(threats.length) },
    {
      header: 'Type',
      widthPx: 150,
      grows: 1,
      isWideOnly: true,
      cell: ({ threats: [{ type }] }) => THREAT_NAMES[type],
    },
    count('Blocked', ({ blocked }) => blocked),
    count('Keys', ({ keys }) => keys),
    count('Not marked', ({ unmarked }) => unmarked),
    count('False alarms', ({ falseAlarms }) => falseAlarms),
    { header: 'Highest score', widthPx: 120, isWideOnly: true, cell: ({ highest }) => <Score value={highest} /> },
    { header: 'Newest', widthPx: 116, cell: ({ threats: [{ time }] }) => formatShortTime(time, Date.now()) },
  ];
  return (
    <DataTable
      isDense
      label="Rules"
      list={{ ...list, rows: groupByRule(list.rows) }}
      columns={columns}
      keyOf={({ rule }) => rule}
      empty={empty}
      {...(selection && { selection })}
    />
  );
}
