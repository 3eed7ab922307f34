import { ActionIcon, Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { reading, usePagedList } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { type Column, DataTable, OneLine } from '../../components/data-table.tsx';
import { formatCount, formatTotalCost, formatUsd, NOTHING } from '../../components/format.ts';
import { Icon } from '../../components/icons.tsx';
import { periodName } from '../../components/labels.ts';
import { Empty, Page } from '../../components/page.tsx';
import { StateTag } from '../../components/tag.tsx';
import { CreateTeamDialog, DeleteTeamDialog, EditTeamDialog } from './team-dialogs.tsx';
import type { Team } from './team-form.ts';

type Action = 'edit' | 'delete';
type Spend = Parameters<typeof formatTotalCost>[0];

/** Teams with their limits, their members and what this month has cost. */
export default function TeamsPage() {
  const list = usePagedList('listTeams', {});
  const mayChange = useMay('updateTeam');
  const spend = useSpend();
  const [isCreating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<{ readonly id: string; readonly action: Action }>();
  const team = list.rows.find(({ id }) => id === chosen?.id);
  const close = () => setChosen(undefined);
  const columns = columnsOf(spend, mayChange ? (id, action) => setChosen({ id, action }) : undefined);
  return (
    <Page
      docs="keys.md"
      title="Teams"
      intro="What the keys and members of a team may use together. Spend is of this month (UTC), at list prices."
      actions={
        mayChange ? (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
            New team
          </Button>
        ) : undefined
      }
    >
      <DataTable
        label="Teams"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty title="No teams yet">A team bounds its keys together, and its owners make keys.</Empty>}
      />
      {isCreating ? <CreateTeamDialog onClose={() => setCreating(false)} /> : null}
      {team !== undefined && chosen?.action === 'edit' ? <EditTeamDialog team={team} onClose={close} /> : null}
      {team !== undefined && chosen?.action === 'delete' ? <DeleteTeamDialog team={team} onClose={close} /> : null}
    </Page>
  );
}

/** The spend of this month by team. */
function useSpend(): ReadonlyMap<string, Spend> {
  const reads = useMay('getSpend');
  const { data } = useQuery({ ...reading('getSpend', { query: { groupBy: 'teamId' } }), enabled: reads });
  const groups = typeof data === 'object' ? (data.groups ?? []) : [];
  return new Map(groups.flatMap((group) => (group.group === null ? [] : [[group.group, group] as const])));
}

function columnsOf(
  spend: ReadonlyMap<string, Spend>,
  onAction: ((id: string, action: Action) => void) | undefined,
): readonly Column<Team>[] {
  return [
    {
      header: 'Name',
      widthPx: 130,
      grows: 2,
      cell: ({ id, name }) => <Link href={`/requests?teamId=${encodeURIComponent(id)}&range=7d`}>{name}</Link>,
      sortBy: ({ name }) => name,
    },
    { header: 'State', widthPx: 96, cell: ({ state }) => <StateTag state={state} /> },
    {
      header: 'Members',
      widthPx: 200,
      grows: 2,
      isWideOnly: true,
      cell: ({ members }) => <OneLine text={membersText(members)} />,
    },
    {
      header: 'Requests',
      widthPx: 130,
      isWideOnly: true,
      cell: ({ rateLimit }) =>
        rateLimit ? `${formatCount(rateLimit.requests)} ${periodName(rateLimit.period)}` : NOTHING,
    },
    {
      header: 'Budget',
      widthPx: 150,
      isWideOnly: true,
      cell: ({ budget }) => (budget ? `${formatUsd(budget.usd)} ${periodName(budget.period)}` : NOTHING),
    },
    {
      header: 'Models',
      widthPx: 120,
      grows: 1,
      isWideOnly: true,
      cell: ({ allowedModels }) => <OneLine text={allowedModels.join(', ') || 'Any'} />,
    },
    {
      header: 'Spend',
      widthPx: 100,
      align: 'end',
      cell: ({ id }) => {
        const spent = spend.get(id);
        return spent === undefined ? NOTHING : formatTotalCost(spent);
      },
    },
    ...(onAction === undefined ? [] : [actionsColumn(onAction)]),
  ];
}

function actionsColumn(onAction: (id: string, action: Action) => void): Column<Team> {
  return {
    header: 'Actions',
    widthPx: 84,
    align: 'end',
    cell: ({ id, name }) => (
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions of ${name}`}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onAction(id, 'edit')}>Edit</Menu.Item>
          <Menu.Item component={Link} href={`/spend?teamId=${encodeURIComponent(id)}`}>
            Spend
          </Menu.Item>
          <Menu.Item color="red" onClick={() => onAction(id, 'delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    ),
  };
}

/** Such as `owner: a@example.com`. */
function membersText(members: Team['members']): string {
  if (members.length === 0) return NOTHING;
  return members.map(({ role, match }) => `${role}: ${Object.values(match).flat().join(', ')}`).join('; ');
}
