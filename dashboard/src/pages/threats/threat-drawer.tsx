import { Button, Drawer, Group, Stack } from '@mantine/core';
import { type InfiniteData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { call, type Mark, type Page, type RequestDetail, type Threat } from '../../api/client.ts';
import { useKeyNames } from '../../api/queries.ts';
import { usePermission } from '../../api/session.tsx';
import classes from '../../components/components.module.css';
import { formatFullTime, formatMs, formatScore, formatUsd, NOTHING } from '../../components/format.ts';
import { capitalised, THREAT_NAMES, THREAT_REASONS } from '../../components/labels.ts';
import { ActionError, Empty, ErrorState, Facts, Loading } from '../../components/page.tsx';
import { ActionTag, SeverityTag, StateTag } from '../../components/tag.tsx';
import { MarkedText } from '../../components/text-box.tsx';
import { readCapture, textOf } from './export-findings.ts';

/** A finding and its request, with links. */
export function ThreatDrawer({ threat, onClose }: { readonly threat: Threat; readonly onClose: () => void }) {
  const mayMark = usePermission('admin');
  const { location } = threat;
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={560}
      title={THREAT_NAMES[threat.type]}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="lg">
        <p>{THREAT_REASONS[threat.type]}</p>
        <Facts
          facts={[
            ['Decision', <ActionTag key="action" action={threat.action} />],
            ['Severity', <SeverityTag key="severity" severity={threat.severity} />],
            ['Score', formatScore(threat.score)],
            ['Rule', <code key="rule">{threat.rule}</code>],
            ['Found in', location.part === 'input' ? 'Request' : 'Response'],
            ['Field', <code key="field">{location.field}</code>],
            ['Characters', `${location.start} to ${location.end}`],
            ['Time', formatFullTime(threat.time)],
          ]}
        />
        {mayMark ? (
          <section className={classes.section}>
            <h3>Mark this finding</h3>
            <Marks threat={threat} />
          </section>
        ) : null}
        <section className={classes.section}>
          <h3>Request</h3>
          <RequestFacts threat={threat} />
        </section>
        {mayMark ? (
          <section className={classes.section}>
            <h3>Text</h3>
            <TextOnDemand threat={threat} />
          </section>
        ) : null}
      </Stack>
    </Drawer>
  );
}

function RequestFacts({ threat }: { readonly threat: Threat }) {
  const path = `/v1/analytics/requests/${encodeURIComponent(threat.requestId)}`;
  const record = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => call<RequestDetail>('GET', path, { query: { time: threat.time }, signal }),
  });
  const names = useKeyNames([threat.keyId]);
  const mayReadKeys = usePermission('admin');
  const keyName = names.get(threat.keyId) ?? threat.keyId;
  const { data } = record;
  return (
    <>
      <Facts
        facts={[
          ['Id', <code key="id">{threat.requestId}</code>],
          [
            'Key',
            mayReadKeys ? (
              <Link key="key" href={`/keys/${encodeURIComponent(threat.keyId)}`}>
                {keyName}
              </Link>
            ) : (
              keyName
            ),
          ],
          ['Session', <SessionLink key="session" threat={threat} />],
          ['End user', threat.endUserId ?? NOTHING],
          ['Environment', threat.environment],
          ['Model', threat.model === null ? NOTHING : `${threat.provider ?? ''}/${threat.model}`],
        ]}
      />
      {data === undefined ? (
        record.error === null ? (
          <Loading label="Loading the request" />
        ) : (
          <ErrorState error={record.error} retry={() => void record.refetch()} />
        )
      ) : (
        <RecordFacts record={data} />
      )}
    </>
  );
}

function SessionLink({ threat: { sessionId, keyId } }: { readonly threat: Threat }) {
  if (sessionId === null) return NOTHING;
  return (
    <Link href={`/sessions/${encodeURIComponent(sessionId)}?keyId=${encodeURIComponent(keyId)}`}>{sessionId}</Link>
  );
}

function RecordFacts({ record }: { readonly record: RequestDetail }) {
  return (
    <Facts
      facts={[
        ['Ended', <StateTag key="state" state={record.state} />],
        ['Decision', <ActionTag key="action" action={record.action} />],
        ['Threat score', formatScore(record.threatScore)],
        ['Route', <code key="route">{record.route}</code>],
        ['Status', record.status ?? NOTHING],
        ['Latency', formatMs(record.latencyMs)],
        ['Tokens', `${record.tokens.input ?? NOTHING} in, ${record.tokens.output ?? NOTHING} out`],
        ['Cost', formatUsd(record.costUsd)],
        ...(record.judgeCostUsd === undefined
          ? []
          : [['Cost of the detector model', formatUsd(record.judgeCostUsd)] as const]),
        ['Shadow policy', record.shadow === null ? NOTHING : `Decision: ${capitalised(record.shadow.action)}`],
      ]}
    />
  );
}

function TextOnDemand({ threat }: { readonly threat: Threat }) {
  const [isShown, setShown] = useState(false);
  if (isShown) return <CapturedText requestId={threat.requestId} marked={threat} />;
  return (
    <div>
      <Button variant="default" size="sm" onClick={() => setShown(true)}>
        Show the captured text
      </Button>
      <p className={classes.hint}>Available only if the policy captures texts. The audit log records each read.</p>
    </div>
  );
}

/** The text that contains a finding, and the other captured texts of its request. */
function CapturedText({ requestId, marked }: { readonly requestId: string; readonly marked: Threat }) {
  const capture = useQuery({
    queryKey: ['capture', requestId],
    queryFn: async ({ signal }) => (await readCapture(requestId, signal)) ?? null,
    // The audit log records each read.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const { data } = capture;
  if (data === undefined) {
    return capture.error === null ? (
      <Loading label="Loading the text" />
    ) : (
      <ErrorState error={capture.error} retry={() => void capture.refetch()} />
    );
  }
  if (data === null) {
    return (
      <Empty title="No captured text">
        The policy of this key captured no text, or the text has expired. Set <code>capture</code> in a policy to store
        texts.
      </Empty>
    );
  }
  const text = textOf(data, marked);
  // The finding's offsets do not apply to a redacted text.
  const ranges =
    data.mode === 'full' ? [{ ...marked.location, title: `${THREAT_NAMES[marked.type]}: ${marked.rule}` }] : [];
  return (
    <Stack gap="sm">
      {data.mode === 'redacted' ? (
        <p className={classes.hint}>Personal data, secrets and redacted text were removed before storage.</p>
      ) : null}
      {data.truncated ? <p className={classes.hint}>The end of the text was cut.</p> : null}
      {text === undefined ? null : (
        <MarkedText label={`Text of ${marked.location.field}`} text={text} ranges={ranges} />
      )}
      <details>
        <summary>Full request and response</summary>
        <Stack gap="sm" mt="sm">
          <MarkedText label="Full request" text={data.request} ranges={[]} />
          {data.answer.map(({ channel, text: answer }) => (
            <MarkedText key={channel} label={`Response, ${channel}`} text={answer} ranges={[]} />
          ))}
        </Stack>
      </details>
    </Stack>
  );
}

export const MARK_NAMES: Readonly<Record<Mark, string>> = { false_positive: 'False positive', confirmed: 'Confirmed' };
const MARKS = Object.keys(MARK_NAMES) as Mark[];
const THREATS_PATH = '/v1/analytics/threats';

/** Buttons that mark a finding; pressing the active one removes the mark. */
function Marks({ threat }: { readonly threat: Threat }) {
  const client = useQueryClient();
  const marking = useMutation({
    mutationFn: (mark: Mark | null) =>
      call<Threat>('PATCH', `${THREATS_PATH}/${encodeURIComponent(threat.id)}`, { body: { mark } }),
    onSuccess: ({ mark }) => {
      // Updated in place in all loaded lists, so that they do not jump.
      client.setQueriesData<InfiniteData<Page<Threat>>>(
        { queryKey: [THREATS_PATH] },
        (lists) => lists && withMark(lists, threat.id, mark),
      );
    },
  });
  return (
    <>
      <Group gap="sm">
        {MARKS.map((mark) => (
          <Button
            key={mark}
            size="sm"
            variant={threat.mark === mark ? 'filled' : 'default'}
            aria-pressed={threat.mark === mark}
            loading={marking.isPending && marking.variables === mark}
            onClick={() => marking.mutate(threat.mark === mark ? null : mark)}
          >
            {MARK_NAMES[mark]}
          </Button>
        ))}
      </Group>
      <ActionError error={marking.error} />
    </>
  );
}

function withMark(lists: InfiniteData<Page<Threat>>, id: string, mark: Mark | null): InfiniteData<Page<Threat>> {
  const pages = lists.pages.map((page) =>
    page.data.some((threat) => threat.id === id)
      ? { ...page, data: page.data.map((threat) => (threat.id === id ? { ...threat, mark } : threat)) }
      : page,
  );
  return { ...lists, pages };
}
