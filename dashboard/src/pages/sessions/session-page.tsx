import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type RequestRecord, type Session, toSearch } from '../../api/client.ts';
import { reading, useKeyNames, usePagedList } from '../../api/queries.ts';
import { Chart } from '../../components/chart.tsx';
import { RISK, toRisk } from '../../components/chart-data.ts';
import classes from '../../components/components.module.css';
import { BackLink, type Column, DataTable, OneLine, RowLink } from '../../components/data-table.tsx';
import {
  formatCount,
  formatFullTime,
  formatMs,
  formatScore,
  formatTime,
  formatTotalCost,
  NOTHING,
} from '../../components/format.ts';
import { SCORE_NOTE, threatName } from '../../components/labels.ts';
import { Empty, ErrorState, Facts, Page, Panel, Tiles } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { ActionTag, Score, StateTag } from '../../components/tag.tsx';
import { useUrlState } from '../../components/url-state.ts';

const COLUMNS: readonly Column<RequestRecord>[] = [
  {
    header: 'Time',
    widthPx: 176,
    cell: ({ id, time }) => <RowLink href={`/requests/${id}`}>{formatTime(time)}</RowLink>,
  },
  { header: 'Decision', widthPx: 100, cell: ({ action }) => <ActionTag action={action} /> },
  { header: 'Turn score', widthPx: 108, cell: ({ turnScore }) => <Score value={turnScore} /> },
  {
    header: 'Found',
    widthPx: 160,
    grows: 2,
    isWideOnly: true,
    cell: ({ threats }) => (
      <OneLine
        text={
          Object.entries(threats)
            .map(([type, count]) => `${threatName(type)} ×${count}`)
            .join(', ') || NOTHING
        }
      />
    ),
  },
  { header: 'Ended', widthPx: 108, isWideOnly: true, cell: ({ state }) => <StateTag state={state} /> },
  {
    header: 'Model',
    widthPx: 110,
    grows: 1,
    isWideOnly: true,
    cell: ({ model }) => <OneLine text={model ?? NOTHING} />,
  },
  { header: 'Latency', widthPx: 90, align: 'end', isWideOnly: true, cell: ({ latencyMs }) => formatMs(latencyMs) },
  {
    header: 'Tokens',
    widthPx: 110,
    align: 'end',
    isWideOnly: true,
    cell: ({ tokens }) => `${tokens.input ?? NOTHING} / ${tokens.output ?? NOTHING}`,
  },
  { header: 'Request', widthPx: 150, grows: 1, isWideOnly: true, cell: ({ id }) => <OneLine text={id} /> },
];

/** One session: its accumulated score and its turns. */
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
      <SessionFacts session={session} />
      <p className={classes.hint}>
        The turn score is that of the last message alone. A request&apos;s score also counts earlier messages and the
        session. {SCORE_NOTE}
      </p>
      <DataTable
        label="Turns"
        list={list}
        columns={COLUMNS}
        keyOf={(record) => record.id}
        empty={<Empty title="Its records have expired">Request records expire after 30 days, sessions later.</Empty>}
      />
    </>
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
