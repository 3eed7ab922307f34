import { ActionIcon, Menu } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { RowOf } from '../../../../functions/contract/index.ts';
import { call } from '../../api/operations.ts';
import { reading, usePagedList } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { type Column, OneLine } from '../../components/data-table.tsx';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { formatAgo, formatDay } from '../../components/format.ts';
import { Icon } from '../../components/icons.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { StateTag } from '../../components/tag.tsx';
import { LimitsDialog } from '../keys/key-limits.tsx';
import { useChange } from '../providers/use-change.ts';

type Identity = RowOf<'listIdentities'>;

/** Callers with tokens of identity providers, each with its state. */
export default function IdentitiesPage() {
  const list = usePagedList('listIdentities', {});
  const [chosen, setChosen] = useState<Identity>();
  const [shown, setShown] = useState<Identity>();
  // Owners of a team, who change no team, can only disable.
  const mayEnable = useMay('updateTeam');
  return (
    <ListPage
      docs="keys.md#identities-instead-of-keys"
      title="Identities"
      intro="Callers with a token of an identity provider in place of a key, from their first request on."
      list={list}
      columns={columnsOf(setChosen, setShown, mayEnable)}
      empty={['No identities yet', 'Tokens are accepted once an issuer is configured.']}
    >
      {shown === undefined ? null : (
        <LimitsDialog
          name={shown.subject}
          read={reading('getIdentityUsage', { params: { id: shown.id } })}
          createdAt={shown.firstSeenAt}
          onClose={() => setShown(undefined)}
        />
      )}
      {chosen === undefined ? null : <StateDialog identity={chosen} onClose={() => setChosen(undefined)} />}
    </ListPage>
  );
}

function columnsOf(
  onSwitch: (identity: Identity) => void,
  onLimits: (identity: Identity) => void,
  mayEnable: boolean,
): readonly Column<Identity>[] {
  return [
    {
      header: 'Subject',
      widthPx: 130,
      grows: 2,
      cell: ({ id, subject }) => <Link href={`/requests?keyId=${encodeURIComponent(id)}&range=7d`}>{subject}</Link>,
    },
    { header: 'State', widthPx: 100, cell: ({ state }) => <StateTag state={state} /> },
    { header: 'Issuer', widthPx: 180, grows: 2, isWideOnly: true, cell: ({ issuer }) => <OneLine text={issuer} /> },
    { header: 'Rule', widthPx: 110, grows: 1, isWideOnly: true, cell: ({ rule }) => <OneLine text={rule} /> },
    { header: 'First seen', widthPx: 120, isWideOnly: true, cell: ({ firstSeenAt }) => formatDay(firstSeenAt) },
    {
      header: 'Last seen',
      widthPx: 120,
      isWideOnly: true,
      cell: ({ lastSeenAt }) => formatAgo(lastSeenAt, Date.now()),
    },
    {
      header: 'Actions',
      widthPx: 84,
      align: 'end',
      cell: (identity) => (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Actions of ${identity.subject}`}>
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onLimits(identity)}>Limits</Menu.Item>
            {identity.state === 'active' || mayEnable ? (
              <Menu.Item onClick={() => onSwitch(identity)}>{verbFor(identity)}</Menu.Item>
            ) : null}
          </Menu.Dropdown>
        </Menu>
      ),
    },
  ];
}

function verbFor({ state }: Identity): 'Enable' | 'Disable' {
  return state === 'disabled' ? 'Enable' : 'Disable';
}

function StateDialog({ identity, onClose }: { readonly identity: Identity; onClose(): void }) {
  const verb = verbFor(identity);
  const body = { state: verb === 'Enable' ? 'active' : 'disabled' } as const;
  const changing = useChange(() => call('updateIdentity', { params: { id: identity.id }, body }), onClose);
  return (
    <ConfirmDialog
      title={`${verb} “${identity.subject}”`}
      confirm={`${verb} identity`}
      isPending={changing.isPending}
      error={changing.error}
      onConfirm={() => changing.mutate()}
      onClose={onClose}
    >
      {verb === 'Enable'
        ? 'Its tokens are accepted again within 30 seconds.'
        : 'Its tokens are refused, and its running requests end, within 30 seconds.'}
    </ConfirmDialog>
  );
}
