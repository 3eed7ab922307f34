import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Threat, ThreatDetail } from '../../api/client.ts';
import { reading, useKeyNames } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { CapturedText } from '../../components/captured-text.tsx';
import classes from '../../components/components.module.css';
import { BackLink } from '../../components/data-table.tsx';
import { formatFullTime, formatScore, NOTHING } from '../../components/format.ts';
import { rangeText, ruleName, THREAT_NAMES, THREAT_REASONS } from '../../components/labels.ts';
import { ErrorState, Facts, Page, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { ActionTag, SeverityText } from '../../components/tag.tsx';
import { ExceptionDialog } from './exception-dialog.tsx';
import { FindingList, Marks } from './finding-parts.tsx';

/** One finding, its mark and the other findings of its request. */
export default function ThreatPage({ id }: { readonly id: string }) {
  const finding = useQuery(reading('getThreat', { params: { id } }));
  const { data } = finding;
  return (
    <Page
      docs="findings.md"
      title={data === undefined ? 'Finding' : THREAT_NAMES[data.type]}
      intro={
        <>
          {data === undefined ? null : `${THREAT_REASONS[data.type]} `}
          <BackLink list="/threats">All findings</BackLink>
        </>
      }
    >
      {data === undefined ? (
        finding.error === null ? (
          <Placeholder label="Loading the finding" lines={6} />
        ) : (
          <ErrorState error={finding.error} retry={() => void finding.refetch()} />
        )
      ) : (
        <Content threat={data} />
      )}
    </Page>
  );
}

function Content({ threat }: { readonly threat: ThreatDetail }) {
  const isAdmin = useMay('markThreat');
  const request = useQuery(reading('getRequest', { params: { id: threat.requestId }, query: { time: threat.time } }));
  const others = (request.data?.findings ?? []).filter(({ id }) => id !== threat.id);
  return (
    <>
      <Panel title="Finding">
        <FindingFacts threat={threat} />
      </Panel>
      {isAdmin ? (
        <Panel title="Mark" note="Marks show which rules are right. The audit log records them.">
          <Marks threat={threat} />
          {threat.mark === 'false_positive' ? <Exceptions threat={threat} /> : null}
        </Panel>
      ) : null}
      {isAdmin && request.data !== undefined ? (
        <Panel title="Text">
          <CapturedText record={request.data} findings={[threat]} />
        </Panel>
      ) : null}
      <Panel title="Other findings of the request">
        {request.data === undefined ? (
          request.error === null ? (
            <Placeholder label="Loading the request" lines={2} />
          ) : (
            <ErrorState error={request.error} retry={() => void request.refetch()} />
          )
        ) : others.length === 0 ? (
          <p className={classes.hint}>None.</p>
        ) : (
          <FindingList findings={others} />
        )}
      </Panel>
    </>
  );
}

function Exceptions({ threat }: { readonly threat: Threat }) {
  const [isAdding, setAdding] = useState(false);
  const keyName = useKeyNames([threat.keyId]).get(threat.keyId) ?? threat.keyId;
  return (
    <>
      <Group mt="sm" gap="sm">
        <Button variant="default" size="sm" onClick={() => setAdding(true)}>
          Add an exception to the policy
        </Button>
        <span className={classes.hint}>A mark alone changes no decision.</span>
      </Group>
      {isAdding ? <ExceptionDialog threat={threat} keyName={keyName} onClose={() => setAdding(false)} /> : null}
    </>
  );
}

function FindingFacts({ threat }: { readonly threat: ThreatDetail }) {
  const { location, keyId, sessionId } = threat;
  const keyName = useKeyNames([keyId]).get(keyId) ?? keyId;
  const mayReadKeys = useMay('getKey');
  return (
    <Facts
      facts={[
        ['Decision', <ActionTag key="action" action={threat.action} />],
        ['Severity', <SeverityText key="severity" severity={threat.severity} />],
        ['Score', formatScore(threat.score)],
        ['Rule', <code key="rule">{ruleName(threat)}</code>],
        ['Message', threat.message ?? NOTHING],
        ['OWASP LLM Top 10', threat.owasp ?? NOTHING],
        ['MITRE ATLAS', threat.atlas ?? NOTHING],
        ['Found in', location.part === 'input' ? 'Request' : 'Response'],
        [
          'Field',
          <span key="field">
            <code>{location.field}</code>, {rangeText(location)}
          </span>,
        ],
        ['Time', formatFullTime(threat.time)],
        [
          'Request',
          <Link key="request" href={`/requests/${threat.requestId}`}>
            {threat.requestId}
          </Link>,
        ],
        [
          'Key',
          mayReadKeys ? (
            <Link key="key" href={`/keys/${encodeURIComponent(keyId)}`}>
              {keyName}
            </Link>
          ) : (
            keyName
          ),
        ],
        [
          'Session',
          sessionId === null ? (
            NOTHING
          ) : (
            <Link key="session" href={`/sessions/${encodeURIComponent(sessionId)}?keyId=${encodeURIComponent(keyId)}`}>
              {sessionId}
            </Link>
          ),
        ],
        ['End user', threat.endUserId ?? NOTHING],
        ['Environment', threat.environment],
        ['Model', threat.model === null ? NOTHING : `${threat.provider ?? ''}/${threat.model}`],
      ]}
    />
  );
}
