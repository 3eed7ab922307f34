import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Settings } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { formatExact, NOTHING } from '../../components/format.ts';
import { DocsLink, ErrorState, Facts, Page, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';

/** How the deployment is set up; read-only. */
export default function SettingsPage() {
  const query = useQuery(reading('getSettings', {}));
  return (
    <Page
      docs="deploy.md"
      title="Settings"
      intro="How this deployment is set up. Change it in cdk.json or in the environment, then deploy or restart."
    >
      {query.data === undefined ? (
        <Panel title="Deployment">
          {query.error === null ? (
            <Placeholder label="Loading settings" lines={8} />
          ) : (
            <ErrorState error={query.error} retry={() => void query.refetch()} />
          )}
        </Panel>
      ) : (
        <Shown settings={query.data} />
      )}
    </Page>
  );
}

const DATABASES: Readonly<Record<Settings['stores']['database'], string>> = {
  dynamodb: 'Amazon DynamoDB',
  embedded: 'Embedded, for one process',
  custom: 'DynamoDB at the address of AWS_ENDPOINT_URL_DYNAMODB',
};
const QUEUES: Readonly<Record<Settings['stores']['queues'], string>> = {
  sqs: 'Amazon SQS',
  embedded: 'Embedded, for one process',
  custom: 'SQS at the address of AWS_ENDPOINT_URL_SQS',
};

function Shown({ settings }: { readonly settings: Settings }) {
  const { version, stage, region, stores, retentionDays, singleSignOn, corsOrigins, prices } = settings;
  const days = (count: number) => `${formatExact(count)} days`;
  return (
    <>
      <Panel title="Deployment">
        <Facts
          facts={[
            ['Version', version],
            ['Stage', stage === 'local' ? 'Local run' : stage],
            ['Region', stage === 'local' ? NOTHING : (region ?? NOTHING)],
            ['Database', DATABASES[stores.database]],
            ['Queues', QUEUES[stores.queues]],
            ['Data folder', stores.dataFolder === null ? NOTHING : <code key="folder">{stores.dataFolder}</code>],
            ['Only through the distribution', settings.onlyThroughDistribution ? 'Yes' : 'No'],
            ['Web pages that may call the API', corsOrigins.length === 0 ? 'None' : corsOrigins.join(', ')],
            ['Sign-in', singleSignOn === null ? 'With a key' : `With a key, or ${singleSignOn}`],
            ['Concurrent requests of a new key', formatExact(settings.defaultMaxConcurrent)],
            ['Model echo', settings.echo ? 'On' : 'Off'],
            ['Prices', `Table of ${prices.date}, ${formatExact(prices.own)} custom`],
          ]}
        />
      </Panel>
      <Panel title="Retention">
        <Facts
          facts={[
            ['Request records, sessions', days(retentionDays.records)],
            ['Captured texts', days(retentionDays.captures)],
            ['Totals by hour and day', days(retentionDays.aggregates)],
            ['Webhook deliveries', days(retentionDays.deliveries)],
            ['Audit log', days(retentionDays.audit)],
          ]}
        />
      </Panel>
      <Panel title="More">
        <ul>
          <li>
            <Link href="/providers">Providers and routes</Link>
          </li>
          <li>
            <Link href="/policy">Policy in force</Link>
          </li>
          <li>
            <a href="/openapi.json">OpenAPI document of this deployment</a>
          </li>
          <li>
            Every setting with its default: <DocsLink page="reference/settings.md">settings</DocsLink>
          </li>
          <li>
            Retention and operation: <DocsLink page="operations.md">operations</DocsLink>
          </li>
        </ul>
      </Panel>
    </>
  );
}
