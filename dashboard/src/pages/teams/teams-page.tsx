import { ActionIcon, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { reading, usePagedList } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { type Column, OneLine } from '../../components/data-table.tsx';
import { fieldText } from '../../components/field-text.ts';
import { formatTotalCost, NOTHING } from '../../components/format.ts';
import { Icon } from '../../components/icons.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { StateTag } from '../../components/tag.tsx';
import { CreateTeamDialog, DeleteTeamDialog, EditTeamDialog, TeamLimitsDialog } from './team-dialogs.tsx';
import { FIELDS, type Team } from './team-form.ts';

type Action = 'limits' | 'edit' | 'delete';
type Spend = Parameters<typeof formatTotalCost>[0];

/** Teams with their limits, their members and what this month has cost. */
export default function TeamsPage() {
  const list = usePagedList('listTeams', {});
  const mayChange = useMay('updateTeam');
  const spend = useSpend();
  const [chosen, setChosen] = useState<{ readonly id: string; readonly action: Action }>();
  const team = list.rows.find(({ id }) => id === chosen?.id);
  const close = () => setChosen(undefined);
  const columns = columnsOf(spend, mayChange, (id, action) => setChosen({ id, action }));
  return (
    <ListPage
      docs="keys.md#teams"
      title="Teams"
      intro="What the keys and members of a team may use together. Spend is of this month (UTC), at list prices."
      list={list}
      columns={columns}
      empty={['No teams yet', 'A team bounds its keys together, and its owners make keys.']}
      create={mayChange ? ['New team', (onClose) => <CreateTeamDialog onClose={onClose} />] : undefined}
    >
      {team !== undefined && chosen?.action === 'limits' ? <TeamLimitsDialog team={team} onClose={close} /> : null}
      {team !== undefined && chosen?.action === 'edit' ? <EditTeamDialog team={team} onClose={close} /> : null}
      {team !== undefined && chosen?.action === 'delete' ? <DeleteTeamDialog team={team} onClose={close} /> : null}
    </ListPage>
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
  mayChange: boolean,
  onAction: (id: string, action: Action) => void,
): readonly Column<Team>[] {
  return [
    {
      header: 'Name',
      widthPx: 120,
      grows: 2,
      cell: ({ id, name }) => <Link href={`/requests?teamId=${encodeURIComponent(id)}&range=7d`}>{name}</Link>,
      sortBy: ({ name }) => name,
    },
    { header: 'State', widthPx: 96, cell: ({ state }) => <StateTag state={state} /> },
    {
      header: 'Members',
      widthPx: 160,
      grows: 2,
      isWideOnly: true,
      cell: ({ members }) => <OneLine text={membersText(members)} />,
    },
    limitColumn('Requests', 'rateLimit', 150),
    limitColumn('Budget', 'budget', 190),
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
    actionsColumn(mayChange, onAction),
  ];
}

/** Such as `6,000 per minute`. */
function limitColumn(header: string, name: 'rateLimit' | 'budget', widthPx: number): Column<Team> {
  const field = FIELDS.find((one) => one.name === name);
  return {
    header,
    widthPx,
    isWideOnly: true,
    cell: (team) => <OneLine text={field === undefined ? NOTHING : fieldText(field, team[name], NOTHING)} />,
  };
}

function actionsColumn(mayChange: boolean, onAction: (id: string, action: Action) => void): Column<Team> {
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
          <Menu.Item onClick={() => onAction(id, 'limits')}>Limits</Menu.Item>
          <Menu.Item component={Link} href={`/spend?teamId=${encodeURIComponent(id)}`}>
            Spend
          </Menu.Item>
          {mayChange ? (
            <>
              <Menu.Item onClick={() => onAction(id, 'edit')}>Edit</Menu.Item>
              <Menu.Item color="red" onClick={() => onAction(id, 'delete')}>
                Delete
              </Menu.Item>
            </>
          ) : null}
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
