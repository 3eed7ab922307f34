import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ProviderList, ProviderView } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import {
  formatAgo,
  formatExact,
  formatFullTime,
  formatMs,
  formatShare,
  formatTotalCost,
} from '../../components/format.ts';
import { DocsLink, Empty, ErrorState, Page, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { StateTag } from '../../components/tag.tsx';
import { timesOf } from '../../components/url-state.ts';
import { CredentialsPanel } from './credentials-panel.tsx';
import {
  AddProviderDialog,
  ChangeProviderDialog,
  RemoveProviderDialog,
  SwitchProviderDialog,
} from './provider-dialogs.tsx';
import { ProviderVersions } from './provider-versions.tsx';
import classes from './providers.module.css';
import { RouteVersions } from './route-versions.tsx';
import { RoutesPanel } from './routes-panel.tsx';
import { TestDialog } from './test-dialog.tsx';

const REFRESH_MS = 30_000;

export default function ProvidersPage() {
  const [adds, setAdds] = useState(false);
  const query = useQuery({
    ...reading('listProviders', {}),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page
      docs="providers.md"
      title="Providers"
      intro="Where the gateway sends requests, and how the providers responded lately."
      actions={<Button onClick={() => setAdds(true)}>Add provider</Button>}
    >
      {query.data === undefined ? (
        <Panel title="Configured providers">
          {query.error === null ? (
            <Placeholder label="Loading providers" lines={10} />
          ) : (
            <ErrorState error={query.error} retry={() => void query.refetch()} />
          )}
        </Panel>
      ) : (
        <Providers list={query.data} error={query.error} retry={() => void query.refetch()} />
      )}
      <CredentialsPanel />
      <RoutesPanel />
      <RouteVersions />
      <ProviderVersions />
      {adds ? <AddProviderDialog onClose={() => setAdds(false)} /> : null}
    </Page>
  );
}

interface ProvidersProps {
  readonly list: ProviderList;
  /** Of the last refresh. */
  readonly error: Error | null;
  retry(): void;
}

function Providers({ list, error, retry }: ProvidersProps) {
  const [opened, setOpened] = useState<{ readonly provider: ProviderView; readonly action: Action }>();
  const lastDay = useLastDay();
  const isUsed = ({ isConfigured, routes, health }: ProviderView) =>
    isConfigured || routes.length > 0 || health.requests > 0;
  const used = list.data.filter(isUsed);
  return (
    <>
      {error === null ? null : <ErrorState error={error} retry={retry} />}
      {used.length === 0 ? (
        <Empty title="No provider is configured">
          Set a provider&apos;s key: <DocsLink page="providers.md">providers</DocsLink>
        </Empty>
      ) : (
        <ul className={classes.cards}>
          {used.map((provider) => (
            <li key={provider.name}>
              <ProviderCard
                provider={provider}
                lastDay={lastDay(provider.name)}
                onOpen={(action) => setOpened({ provider, action })}
              />
            </li>
          ))}
        </ul>
      )}
      <p className={classes.small}>{healthNote(list)}</p>
      <Unconfigured providers={list.data.filter((provider) => !isUsed(provider))} />
      {opened === undefined ? null : <ActionDialog {...opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

type Action = 'test' | 'change' | 'switch' | 'remove';

interface ActionDialogProps {
  readonly provider: ProviderView;
  readonly action: Action;
  onClose(): void;
}

function ActionDialog({ action, ...rest }: ActionDialogProps) {
  switch (action) {
    case 'test':
      return <TestDialog {...rest} />;
    case 'change':
      return <ChangeProviderDialog {...rest} />;
    case 'switch':
      return <SwitchProviderDialog {...rest} />;
    case 'remove':
      return <RemoveProviderDialog {...rest} />;
  }
}

function healthNote({ health }: ProviderList): string {
  const window = health.isCut
    ? `of the newest ${formatExact(health.records)} requests, since ${formatFullTime(health.from)}`
    : 'of requests in the last 15 minutes';
  const circuits =
    'After five failed requests in a row a model is not called for 15 seconds: its circuit is open. Then some requests try it.';
  return `Health is ${window}. A request counts at the provider of its last attempt: failures before a fallback are not included. ${circuits}`;
}

/** Text about a provider's last day. */
function useLastDay(): (provider: string) => string {
  const [now] = useState(() => Date.now());
  const query = { ...timesOf('24h', now), groupBy: 'provider' };
  const { data, error } = useQuery(reading('getSummary', { query }));
  const totals = useMemo(() => new Map((data?.groups ?? []).map((one) => [one.group, one])), [data]);
  return (provider) => {
    if (data === undefined) return error === null ? 'Loading…' : 'Cannot be loaded';
    const figures = totals.get(provider);
    if (figures === undefined) return 'No requests';
    const { requests, serverErrors, latencyMs } = figures;
    return `${formatExact(requests)} requests, blocked and refused ones included, ${formatShare(serverErrors, requests)} failed with 5xx, p95 ${formatMs(latencyMs.p95)}, ${formatTotalCost(figures)}`;
  };
}

const HEALTH: Readonly<Record<ProviderView['health']['state'], string>> = {
  ok: 'Healthy',
  degraded: 'Some errors',
  failing: 'Failing',
  unknown: 'No recent requests',
};
/** Of the models' circuits, the worst state. */
function circuitState(circuits: Circuits): string {
  const worst = (['open', 'half_open'] as const).find((state) => circuits.some((one) => one.state === state));
  return worst === undefined ? 'Circuit closed' : worst === 'open' ? 'Circuit open' : 'Circuit half-open';
}

type Circuits = NonNullable<ProviderView['circuit']>;
const MAX_CIRCUITS = 5;

/** The models whose circuit is not closed. */
function circuitsText(circuits: Circuits): string | undefined {
  const disturbed = circuits.filter(({ state }) => state !== 'closed');
  if (disturbed.length === 0) return undefined;
  const named = disturbed
    .slice(0, MAX_CIRCUITS)
    .map(({ model, state }) => `${model} ${state === 'open' ? 'open' : 'half-open'}`);
  const more = disturbed.length - named.length;
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${formatExact(more)} more`;
}

interface CardProps {
  readonly provider: ProviderView;
  readonly lastDay: string;
  onOpen(action: Action): void;
}

function ProviderCard({ provider, lastDay, onOpen }: CardProps) {
  const { name, health, circuit, test } = provider;
  return (
    <section className={classes.card} aria-label={name}>
      <div className={classes.cardHead}>
        <h2>{name}</h2>
        <Group gap="xs">
          {actionsOf(provider).map(([action, label, isDisabled]) => (
            <Button
              key={action}
              size="compact-sm"
              variant="default"
              onClick={() => onOpen(action)}
              disabled={isDisabled}
              aria-label={`${label} ${name}`}
            >
              {label}
            </Button>
          ))}
        </Group>
      </div>
      <div className={classes.tags}>
        {provider.state === 'disabled' ? <StateTag state="disabled" /> : null}
        <StateTag state={HEALTH[health.state]} isFault={health.state === 'failing'} />
        {circuit === null || !provider.isCallable ? null : (
          <StateTag state={circuitState(circuit)} isFault={circuit.some(({ state }) => state === 'open')} />
        )}
      </div>
      <dl className={classes.list}>
        {factsOf(provider, lastDay).map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Models models={provider.models} />
      {test.reason === null ? null : <p className={classes.small}>No test: {test.reason}</p>}
    </section>
  );
}

/** `echo` cannot be changed. */
function actionsOf({ name, test, state, source }: ProviderView): readonly (readonly [Action, string, boolean])[] {
  const testing = ['test', 'Test', !test.isPossible] as const;
  if (name === 'echo') return [testing];
  const switching = ['switch', state === 'disabled' ? 'Enable' : 'Disable', false] as const;
  const removing = ['remove', 'Remove', false] as const;
  return [testing, ['change', 'Change', false], switching, ...(source === 'api' ? [removing] : [])];
}

function factsOf(provider: ProviderView, lastDay: string) {
  const { host, health, routes, circuit } = provider;
  const { lastError, requests, errors } = health;
  const circuits = circuit === null ? undefined : circuitsText(circuit);
  return [
    ['Credentials', <Credentials key="credentials" provider={provider} />],
    ...(host === null ? [] : ([['Host', <code key="host">{host}</code>]] as const)),
    ...sourceFacts(provider),
    ['Last 15 minutes', `${formatExact(requests)} requests, ${formatExact(errors)} failed`],
    ...(lastError === null
      ? []
      : ([['Last error', `${lastError.code ?? lastError.status}, ${formatAgo(lastError.time, Date.now())}`]] as const)),
    ...(circuits === undefined ? [] : ([['Circuits', circuits]] as const)),
    ['Last 24 hours', lastDay],
    ...(routes.length === 0 ? [] : ([['Routes', routes.join(', ')]] as const)),
  ] as const;
}

function sourceFacts({ isBuiltIn, source, isOverridden, baseUrl, protocol, models }: ProviderView) {
  if (source !== 'api') return isBuiltIn ? [] : ([['Protocol', 'OpenAI, named in SVC_PROVIDERS']] as const);
  const { globs = [] } = models;
  return [
    ['Set by', isOverridden ? 'An administrator, over the settings' : 'An administrator'],
    ['Protocol', protocol],
    ...(baseUrl ? ([['Base URL', <code key="url">{baseUrl}</code>]] as const) : []),
    ...(globs.length === 0 ? [] : ([['Models', globs.join(', ')]] as const)),
  ] as const;
}

function Credentials({ provider }: { readonly provider: ProviderView }) {
  const { credentials, keyVariable, usedCredentialId } = provider;
  if (credentials === 'present') return <>Present ({usedCredentialId ?? keyVariable})</>;
  if (credentials === 'aws_role') return <>AWS role of the gateway</>;
  if (credentials === 'not_needed') return <>Not needed</>;
  return (
    <>
      <StateTag state="missing" isFault /> {keyVariable}
    </>
  );
}

function Models({ models: { count, data } }: Pick<ProviderView, 'models'>) {
  if (count === 0) return <p className={classes.small}>No models with a known price</p>;
  return (
    <details className={classes.models}>
      <summary>{count === 1 ? '1 model' : `${formatExact(count)} models`} with a known price</summary>
      <p>
        {data.map(({ name }) => name).join(', ')}
        {count > data.length ? `, and ${formatExact(count - data.length)} more` : ''}
      </p>
    </details>
  );
}

function Unconfigured({ providers }: { readonly providers: readonly ProviderView[] }) {
  if (providers.length === 0) return null;
  return (
    <Panel title="Not configured" note="Set the variable, or store a credential, to use a provider.">
      <ul className={classes.names}>
        {providers.map(({ name, keyVariable, credentials }) => (
          <li key={name}>
            <strong>{name}</strong>{' '}
            <code>{credentials === 'not_needed' ? keyVariable?.replace('API_KEY', 'BASE_URL') : keyVariable}</code>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
