import { Button, Menu } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { KeyView } from '../../api/client.ts';
import { call, OPERATIONS } from '../../api/operations.ts';
import { reading } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { BackLink } from '../../components/data-table.tsx';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { fieldText } from '../../components/field-text.ts';
import { formatAgo, formatFullTime, NOTHING } from '../../components/format.ts';
import { Icon } from '../../components/icons.tsx';
import { ErrorState, Facts, Page, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { StateTag } from '../../components/tag.tsx';
import { CopyField } from '../../components/text-box.tsx';
import { EffectiveView } from '../policy/effective-view.tsx';
import { KeyCharts } from './key-charts.tsx';
import { EditKeyDialog, RevokeKeyDialog, RotateKeyDialog, useKeysChanged } from './key-dialogs.tsx';
import { LimitsPanel } from './key-limits.tsx';

type Dialog = 'edit' | 'rotate' | 'revoke' | 'state';

export default function KeyPage({ id }: { readonly id: string }) {
  const query = useQuery(reading('getKey', { params: { id } }));
  const [dialog, setDialog] = useState<Dialog>();
  const mayReadPolicy = useMay('getKeyPolicy');
  const close = () => setDialog(undefined);
  const key = query.data;
  if (key === undefined) {
    return (
      <Page docs="keys.md" title="Key">
        {query.error === null ? (
          <Panel>
            <Placeholder label="Loading the key" lines={12} />
          </Panel>
        ) : (
          <ErrorState error={query.error} retry={() => void query.refetch()} />
        )}
      </Page>
    );
  }
  const isFinal = key.state === 'revoked';
  return (
    <Page
      docs="keys.md"
      title={key.name}
      intro={
        <>
          <BackLink list="/keys">All keys</BackLink> ·{' '}
          <Link href={`/requests?keyId=${encodeURIComponent(id)}&range=7d`}>Requests</Link> ·{' '}
          <Link href={`/threats?keyId=${encodeURIComponent(id)}&range=7d`}>Findings</Link>
        </>
      }
      actions={isFinal ? undefined : <KeyActions apiKey={key} onPick={setDialog} />}
    >
      {isFinal ? null : <LimitsPanel apiKey={key} />}
      <KeyCharts id={id} />
      <Panel title="Settings">
        <KeySettings apiKey={key} />
      </Panel>
      {mayReadPolicy ? (
        <Panel title="Policy in force" note="For requests of this key, with the source of each value">
          <EffectiveView keyId={id} />
        </Panel>
      ) : null}
      {Object.keys(key.policy).length === 0 ? null : (
        <Panel title="Key policy" note="What this key sets itself">
          <CopyField label="JSON" text={JSON.stringify(key.policy, null, 2)} />
        </Panel>
      )}
      {dialog === 'edit' ? <EditKeyDialog apiKey={key} onClose={close} /> : null}
      {dialog === 'rotate' ? <RotateKeyDialog apiKey={key} onClose={close} /> : null}
      {dialog === 'revoke' ? <RevokeKeyDialog apiKey={key} onClose={close} /> : null}
      {dialog === 'state' ? <StateDialog apiKey={key} onClose={close} /> : null}
    </Page>
  );
}

function KeyActions({ apiKey, onPick }: { readonly apiKey: KeyView; readonly onPick: (dialog: Dialog) => void }) {
  return (
    <>
      <Button onClick={() => onPick('edit')}>Edit</Button>
      <Button variant="default" onClick={() => onPick('rotate')}>
        Rotate
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" aria-label="More actions" px="xs">
            <Icon name="more" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {apiKey.state === 'expired' ? null : (
            <Menu.Item onClick={() => onPick('state')}>{apiKey.state === 'disabled' ? 'Enable' : 'Disable'}</Menu.Item>
          )}
          <Menu.Item color="red" onClick={() => onPick('revoke')}>
            Revoke
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function StateDialog({ apiKey, onClose }: { readonly apiKey: KeyView; readonly onClose: () => void }) {
  const changed = useKeysChanged();
  const enables = apiKey.state === 'disabled';
  const changing = useMutation({
    mutationFn: () =>
      call('updateKey', { params: { id: apiKey.id }, body: { state: enables ? 'active' : 'disabled' } }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`${enables ? 'Enable' : 'Disable'} “${apiKey.name}”`}
      confirm={enables ? 'Enable key' : 'Disable key'}
      isPending={changing.isPending}
      error={changing.error}
      onConfirm={() => changing.mutate()}
      onClose={onClose}
    >
      {enables
        ? 'The key works again within 30 seconds.'
        : 'The key stops working within 30 seconds, until you enable it again.'}
    </ConfirmDialog>
  );
}

/** Settings with another place: the title, and a panel. */
const ELSEWHERE = ['name', 'policy'];
/** What settings without a value mean; others have none. */
const EMPTY: Readonly<Record<string, string>> = {
  maxConcurrent: 'No limit',
  ipWhitelist: 'Any',
  allowedModels: 'Any',
  allowedTools: 'Any',
  credentialId: 'The usual one',
  expiresAt: 'Never',
};

function KeySettings({ apiKey: key }: { readonly apiKey: KeyView }) {
  // With the burst in force.
  const values: object = { ...key, rateLimit: { burst: key.rateLimit.requests, ...key.rateLimit } };
  const settings = OPERATIONS.updateKey.body.filter(({ name }) => !ELSEWHERE.includes(name));
  return (
    <Facts
      facts={[
        ['State', <StateTag key="state" state={key.state} />],
        ['Id', <code key="id">{key.id}</code>],
        ['Secret ends in', <code key="last4">{key.last4}</code>],
        ...settings.map((field): [string, string] => [
          field.label,
          fieldText(field, values[field.name as keyof typeof values], EMPTY[field.name]),
        ]),
        ['Created', formatFullTime(key.createdAt)],
        ['Last used', key.lastUsedAt === null ? 'Never' : formatAgo(key.lastUsedAt, Date.now())],
        [
          'Older secrets still valid',
          key.previousSecrets.length === 0
            ? NOTHING
            : key.previousSecrets
                .map(({ last4, validUntil }) => `…${last4} until ${formatFullTime(validUntil)}`)
                .join('; '),
        ],
      ]}
    />
  );
}
