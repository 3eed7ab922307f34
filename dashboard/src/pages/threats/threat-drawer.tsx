import { Button, Drawer, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../api/client.ts';
import type { RequestDetail, Threat } from '../../api/types.ts';
import { formatFullTime, formatMs, formatScore, formatUsd, NOTHING } from '../../parts/format.ts';
import { Facts } from '../../parts/page.tsx';
import { ErrorState, Loading } from '../../parts/states.tsx';
import { ActionTag, SeverityTag, StateTag } from '../../parts/tag.tsx';
import { useKeyNames } from '../../parts/use-key-names.ts';
import { capitalised, THREAT_NAMES, THREAT_REASONS } from '../../parts/words.ts';
import { usePermission } from '../../session/session-context.tsx';
import { CapturedText } from './captured-text.tsx';
import { Marks } from './marks.tsx';
import classes from './threat-drawer.module.css';

/** All that is known of one finding, of its request, and where it leads. */
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
            ['Found in', location.part === 'input' ? 'The request' : 'The answer'],
            ['Field', <code key="field">{location.field}</code>],
            ['Characters', `${location.start} to ${location.end}`],
            ['Time', formatFullTime(threat.time)],
          ]}
        />
        {mayMark ? (
          <section className={classes.part}>
            <h3>What is it really?</h3>
            <Marks threat={threat} />
          </section>
        ) : null}
        <section className={classes.part}>
          <h3>Request</h3>
          <RequestFacts threat={threat} />
        </section>
        {mayMark ? (
          <section className={classes.part}>
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
  const session = threat.sessionId ?? undefined;
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
          [
            'Session',
            session === undefined ? (
              NOTHING
            ) : (
              <Link
                key="session"
                href={`/sessions/${encodeURIComponent(session)}?keyId=${encodeURIComponent(threat.keyId)}`}
              >
                {session}
              </Link>
            ),
          ],
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
        <Facts
          facts={[
            ['Ended', <StateTag key="state" state={data.state} />],
            ['Decision of all', <ActionTag key="action" action={data.action} />],
            ['Threat score', formatScore(data.threatScore)],
            ['Route', <code key="route">{data.route}</code>],
            ['Status', data.status ?? NOTHING],
            ['Latency', formatMs(data.latencyMs)],
            ['Tokens', `${data.tokens.input ?? NOTHING} in, ${data.tokens.output ?? NOTHING} out`],
            ['Cost', formatUsd(data.costUsd)],
            ['Shadow policy', data.shadow === null ? NOTHING : `Would have: ${capitalised(data.shadow.action)}`],
          ]}
        />
      )}
    </>
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
      <p className={classes.note}>Kept only where the policy captures texts. That you read it is in the audit log.</p>
    </div>
  );
}
