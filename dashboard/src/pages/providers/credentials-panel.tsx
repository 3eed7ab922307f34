import { Button, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reading } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { formatAgo, formatFullTime } from '../../components/format.ts';
import { DocsLink, ErrorState, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { StateTag, Tag } from '../../components/tag.tsx';
import {
  CreateCredentialDialog,
  type Credential,
  type CredentialAction,
  CredentialDialog,
} from './credential-dialogs.tsx';
import classes from './providers.module.css';

/** The credentials that the gateway keeps for providers. */
export function CredentialsPanel() {
  const query = useQuery(reading('listCredentials', {}));
  const [isCreating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<{ readonly id: string; readonly action: CredentialAction }>();
  const close = () => setChosen(undefined);
  const credential = query.data?.data.find(({ id }) => id === chosen?.id);
  return (
    <Panel
      title="Credentials"
      note="Keys of providers that the gateway keeps, encrypted, or access by its AWS role. A value is never shown again."
      actions={
        useMay('createCredential') ? (
          <Button size="compact-sm" onClick={() => setCreating(true)}>
            New credential
          </Button>
        ) : undefined
      }
    >
      {query.data !== undefined ? (
        <CredentialList credentials={query.data.data} onAction={(id, action) => setChosen({ id, action })} />
      ) : query.error === null ? (
        <Placeholder label="Loading credentials" lines={3} />
      ) : (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      )}
      {isCreating ? <CreateCredentialDialog onClose={() => setCreating(false)} /> : null}
      {chosen === undefined || credential === undefined ? null : (
        <CredentialDialog credential={credential} action={chosen.action} onClose={close} />
      )}
    </Panel>
  );
}

interface ListProps {
  readonly credentials: readonly Credential[];
  onAction(id: string, action: CredentialAction): void;
}

function CredentialList({ credentials, onAction }: ListProps) {
  const mayChange = useMay('updateCredential');
  if (credentials.length === 0) {
    return (
      <p>
        The gateway keeps no credentials. Keys of the settings are used:{' '}
        <DocsLink page="providers.md">providers</DocsLink>
      </p>
    );
  }
  return (
    <ul className={classes.routes} aria-label="Credentials">
      {credentials.map((credential) => (
        <li key={credential.id}>
          <span>
            {credential.name} <StateTag state={credential.state} />
          </span>
          <span className={classes.targets}>
            <Tag tone="neutral">{credential.provider}</Tag>
            <span className={classes.small}>{factsOf(credential)}</span>
          </span>
          <span className={classes.targets}>
            {actionsOf(credential, mayChange).map(([action, label]) => (
              <Button key={action} variant="default" size="compact-sm" onClick={() => onAction(credential.id, action)}>
                {label}
                <VisuallyHidden> {credential.name}</VisuallyHidden>
              </Button>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

function factsOf({ id, type, federation, hosts, last4, keysOnly, previous, lastUsedAt }: Credential): string {
  return [
    id,
    hosts.join(', '),
    ...(type === 'secret' ? ['in AWS Secrets Manager'] : []),
    ...(federation === undefined ? [] : [identityOf(federation)]),
    ...(last4 === null ? [] : [`ends in ${last4}`]),
    ...(keysOnly ? ['only for keys and providers that name it'] : []),
    ...(previous === null ? [] : [`old value until ${formatFullTime(previous.validUntil)}`]),
    lastUsedAt === null ? 'not used yet' : `used ${formatAgo(lastUsedAt, Date.now())}`,
  ].join(' · ');
}

/** Whom the provider trusts, and as what. */
function identityOf({
  kind,
  audience,
  serviceAccountId,
  workloadProvider,
  serviceAccount,
  tenantId,
  clientId,
}: NonNullable<Credential['federation']>): string {
  const as = {
    openai: `service account ${serviceAccountId} of OpenAI`,
    google: serviceAccount ?? workloadProvider,
    azure: `application ${clientId} of the tenant ${tenantId}`,
  };
  return `by the AWS role, as ${as[kind]}, audience ${audience}`;
}

function actionsOf({ type, state }: Credential, mayChange: boolean): readonly (readonly [CredentialAction, string])[] {
  const actions: (readonly [CredentialAction, string])[] = [['test', 'Test']];
  if (type === 'sealed') actions.push(['rotate', 'Rotate']);
  if (mayChange) actions.push(state === 'active' ? ['disable', 'Disable'] : ['enable', 'Enable'], ['delete', 'Delete']);
  return actions;
}
