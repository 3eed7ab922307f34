import { ActionIcon, Menu } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/operations.ts';
import { useKeyNames, usePagedList } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { type Column, OneLine } from '../../components/data-table.tsx';
import { formatTime } from '../../components/format.ts';
import { Icon } from '../../components/icons.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { ActionError } from '../../components/page.tsx';
import { StateTag } from '../../components/tag.tsx';
import { useChange } from '../providers/use-change.ts';
import { AlertHistoryDialog, CreateAlertDialog, DeleteAlertDialog, EditAlertDialog } from './alert-dialogs.tsx';
import type { Alert } from './alert-form.ts';
import { ruleText, scopeText, stateText } from './alert-text.ts';

type Action = 'edit' | 'history' | 'delete';
const HOUR_MS = 3_600_000;

/** Alerts with their states, and what silences them. */
export default function AlertsPage() {
  const list = usePagedList('listAlerts', {});
  const mayChange = useMay('updateAlert');
  const [chosen, setChosen] = useState<{ readonly id: string; readonly action: Action }>();
  const alert = list.rows.find(({ id }) => id === chosen?.id);
  const close = () => setChosen(undefined);
  const silencing = useChange(
    ({ id, hours }: { readonly id: string; readonly hours: number }) =>
      call('updateAlert', { params: { id }, body: { silencedUntil: silenceEnd(hours) } }),
    close,
  );
  const names = useKeyNames(list.rows.flatMap(({ scope: { teamId = [], keyId = [] } }) => [teamId, keyId].flat()));
  const columns = columnsOf(names, {
    mayChange,
    onAction: (id, action) => setChosen({ id, action }),
    onSilence: (id, hours) => silencing.mutate({ id, hours }),
  });
  return (
    <ListPage
      docs="alerts.md"
      title="Alerts"
      intro="Rules that notify a chat, a pager or a webhook."
      list={list}
      columns={columns}
      empty={['No alerts yet', 'An alert notifies when requests fail, cost too much or stop.']}
      create={mayChange ? ['New alert', (onClose) => <CreateAlertDialog onClose={onClose} />] : undefined}
    >
      <ActionError error={silencing.error} />
      {alert !== undefined && chosen?.action === 'edit' ? <EditAlertDialog alert={alert} onClose={close} /> : null}
      {alert !== undefined && chosen?.action === 'history' ? (
        <AlertHistoryDialog alert={alert} onClose={close} />
      ) : null}
      {alert !== undefined && chosen?.action === 'delete' ? <DeleteAlertDialog alert={alert} onClose={close} /> : null}
    </ListPage>
  );
}

/** When a silence ends; null with 0 hours. */
function silenceEnd(hours: number): string | null {
  return hours === 0 ? null : new Date(Date.now() + hours * HOUR_MS).toISOString();
}

interface Actions {
  readonly mayChange: boolean;
  onAction(id: string, action: Action): void;
  onSilence(id: string, hours: number): void;
}

function columnsOf(names: ReadonlyMap<string, string>, actions: Actions): readonly Column<Alert>[] {
  return [
    { header: 'Name', widthPx: 130, grows: 2, cell: ({ name }) => <OneLine text={name} />, sortBy: ({ name }) => name },
    {
      header: 'State',
      widthPx: 110,
      cell: ({ state }) => <StateTag state={stateText(state)} isFault={state === 'firing'} />,
    },
    { header: 'Rule', widthPx: 190, grows: 2, isWideOnly: true, cell: (alert) => <OneLine text={ruleText(alert)} /> },
    {
      header: 'Of',
      widthPx: 130,
      grows: 1,
      isWideOnly: true,
      cell: (alert) => <OneLine text={scopeText(alert, names)} />,
    },
    { header: 'Since', widthPx: 142, isWideOnly: true, cell: ({ since }) => formatTime(since) },
    {
      header: 'Silenced until',
      widthPx: 142,
      isWideOnly: true,
      cell: ({ state, silencedUntil }) => formatTime(state === 'silenced' ? silencedUntil : null),
    },
    { header: 'Actions', widthPx: 84, align: 'end', cell: (alert) => <AlertMenu alert={alert} {...actions} /> },
  ];
}

function AlertMenu({
  alert: { id, name, state },
  mayChange,
  onAction,
  onSilence,
}: Actions & { readonly alert: Alert }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions of ${name}`}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAction(id, 'history')}>History</Menu.Item>
        {mayChange ? (
          <>
            <Menu.Item onClick={() => onAction(id, 'edit')}>Edit</Menu.Item>
            <Menu.Item onClick={() => onSilence(id, 1)}>Silence for 1 hour</Menu.Item>
            <Menu.Item onClick={() => onSilence(id, 24)}>Silence for 24 hours</Menu.Item>
            {state === 'silenced' ? <Menu.Item onClick={() => onSilence(id, 0)}>End the silence</Menu.Item> : null}
            <Menu.Item color="red" onClick={() => onAction(id, 'delete')}>
              Delete
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
