import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type RequestRecord, type Session, toSearch } from '../../api/client.ts';
import { type PagedList, reading, useKeyNames, usePagedList } from '../../api/queries.ts';
import { Chart } from '../../components/chart.tsx';
import { RISK, toRisk } from '../../components/chart-data.ts';
import classes from '../../components/components.module.css';
import { BackLink } from '../../components/data-table.tsx';
import { formatCount, formatFullTime, formatScore, formatTotalCost, NOTHING } from '../../components/format.ts';
import { SCORE_NOTE, threatName } from '../../components/labels.ts';
import { Empty, ErrorState, Facts, Page, Panel, Tiles } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { useUrlState } from '../../components/url-state.ts';
import { stepsOf } from './session-steps.ts';
import { StepTree } from './step-tree.tsx';

/** One session: its accumulated score and its steps. */
export default function SessionPage({ id }: { readonly id: string }) {
  const [read] = useUrlState();
  const keyId = read('keyId');
  const session = useQuery(reading('getSession', { params: { id }, query: { keyId } }));
  return (
    <Page
      docs="findings.md#sessions"
      title={`Session ${id}`}
      intro={<BackLink list="/sessions">All sessions</BackLink>}
    >
      {session.data === undefined ? (
        session.error === null ? (
          <Placeholder label="Loading the session" lines={12} />
        ) : (
          <ErrorState error={session.error} retry={() => void session.refetch()} />
        )
      ) : (
        <SessionContent session={session.data} />
      )}
    </Page>
  );
}

function SessionContent({ session }: { readonly session: Session }) {
  // `to` is exclusive, and the last turn may still be written.
  const to = new Date(Date.parse(session.lastAt) + 60_000).toISOString();
  const query = { sessionId: session.id, keyId: session.keyId, from: session.firstAt, to };
  const list = usePagedList('listRequests', { query });
  return (
    <>
      <SessionTiles session={session} />
      <Steps list={list} />
      <Chart
        title="Risk per turn"
        {...(list.hasMore
          ? { note: `The latest ${list.rows.length} turns; the accumulated score starts with these` }
          : {})}
        kind="lines"
        points={toRisk(list.rows)}
        series={RISK}
        interval="turn"
        format={formatScore}
        atLeast={1}
        empty={list.isLoading ? 'Loading…' : 'No suspicious turns'}
      />
      <p className={classes.hint}>
        The turn score is that of the last message alone. A request&apos;s score also counts earlier messages and the
        session. {SCORE_NOTE}
      </p>
      <SessionFacts session={session} />
    </>
  );
}

function Steps({ list }: { readonly list: PagedList<RequestRecord> }) {
  if (list.isLoading) return <Placeholder label="Loading the steps" lines={10} />;
  if (list.error !== null) return <ErrorState error={list.error} retry={list.retry} />;
  if (list.rows.length === 0) {
    return <Empty title="Its records have expired">Request records expire after 30 days, sessions later.</Empty>;
  }
  return (
    <StepTree
      steps={stepsOf(list.rows)}
      isLoading={list.isLoadingMore}
      onEarlier={list.hasMore ? list.loadMore : undefined}
    />
  );
}

function SessionTiles({ session }: { readonly session: Session }) {
  return (
    <Tiles
      tiles={[
        { name: 'Highest score', value: formatScore(session.threatScore.highest) },
        {
          name: 'Accumulated score',
          value: formatScore(session.threatScore.accumulated),
          note: 'Halves every 30 minutes',
        },
        { name: 'Requests', value: formatCount(session.requests), note: `${formatCount(session.errors)} errors` },
        { name: 'Blocked', value: formatCount(session.blocked) },
        { name: 'Flagged or redacted', value: formatCount(session.flagged) },
        { name: 'Tokens', value: formatCount(session.tokens.input + session.tokens.output) },
        { name: 'Cost', value: formatTotalCost(session) },
      ]}
    />
  );
}

function SessionFacts({ session }: { readonly session: Session }) {
  const names = useKeyNames([session.keyId]);
  const threats = Object.entries(session.threats);
  return (
    <Panel title="Details">
      <Facts
        facts={[
          [
            'Key',
            <Link key="key" href={`/requests${toSearch({ keyId: session.keyId, range: '7d' })}`}>
              {names.get(session.keyId) ?? session.keyId}
            </Link>,
          ],
          ['End user', session.endUserId ?? NOTHING],
          ['Environment', session.environment],
          ['Models', session.models.join(', ') || NOTHING],
          ['App versions', session.appVersions.join(', ') || NOTHING],
          [
            'Findings',
            threats.length === 0 ? (
              'None'
            ) : (
              <Link
                key="threats"
                href={`/threats${toSearch({ sessionId: session.id, keyId: session.keyId, range: '30d' })}`}
              >
                {threats.map(([type, count]) => `${threatName(type)} ×${count}`).join(', ')}
              </Link>
            ),
          ],
          ['Began', formatFullTime(session.firstAt)],
          ['Last turn', formatFullTime(session.lastAt)],
        ]}
      />
    </Panel>
  );
}
