import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type RequestDetail, toSearch } from '../../api/client.ts';
import { reading, useKeyNames } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { CapturedText, numberOf } from '../../components/captured-text.tsx';
import classes from '../../components/components.module.css';
import { BackLink } from '../../components/data-table.tsx';
import {
  formatExact,
  formatFullTime,
  formatMs,
  formatRequestCost,
  formatScore,
  NOTHING,
} from '../../components/format.ts';
import { rangeText, ruleName, SCORE_NOTE } from '../../components/labels.ts';
import { ErrorState, Facts, Page, Panel, Tiles } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { ActionTag, DecisionTag, Score, SeverityText, StateTag, StatusText } from '../../components/tag.tsx';
import { FindingLink, MARK_NAMES } from '../threats/finding-parts.tsx';
import { DeliveryState } from '../webhooks/webhook-state.tsx';
import { tagsOf } from './request-columns.tsx';
import { Cost, countOf } from './request-cost.tsx';
import { CurlDialog, DecideDialog } from './request-dialogs.tsx';
import { RequestTimeline } from './request-timeline.tsx';
import own from './requests.module.css';
import { ShadowPolicy } from './shadow-policy.tsx';
import { ToolCalls } from './tool-calls.tsx';

/** One request: its stages, findings, calls, cost and deliveries. */
export default function RequestPage({ id }: { readonly id: string }) {
  const record = useQuery(reading('getRequest', { params: { id } }));
  return (
    <Page
      docs="dashboard.md#requests"
      title="Request"
      intro={
        <>
          <code>{id}</code> · <BackLink list="/requests">All requests</BackLink>
        </>
      }
      actions={record.data === undefined ? null : <Actions record={record.data} />}
    >
      {record.data === undefined ? (
        record.error === null ? (
          <Placeholder label="Loading the request" lines={8} />
        ) : (
          <ErrorState error={record.error} retry={() => void record.refetch()} />
        )
      ) : (
        <Content record={record.data} />
      )}
    </Page>
  );
}

function Content({ record }: { readonly record: RequestDetail }) {
  const mayReadTexts = useMay('getCapture');
  const mayReadDeliveries = useMay('listRequestDeliveries');
  return (
    <>
      <RequestTiles record={record} />
      <Panel title="Stages" note="When each began and ended. Admission and inspection run at the same time.">
        {record.stages === undefined ? (
          <p className={classes.hint}>Records from before stages were stored have none.</p>
        ) : (
          <div className={own.scroll}>
            <RequestTimeline record={record} />
          </div>
        )}
      </Panel>
      <Panel title="Findings">
        <Findings record={record} />
      </Panel>
      {record.toolCalls === undefined ? null : (
        <Panel
          title="Tool calls"
          note="Who wrote the values that the model passes to tools. The system prompt counts as the user."
        >
          <ToolCalls record={record} />
        </Panel>
      )}
      <Panel title="Details">
        <Details record={record} />
      </Panel>
      <Panel title="Cost">
        <Cost record={record} />
      </Panel>
      {mayReadTexts ? (
        <Panel title="Text">
          <CapturedText record={record} findings={record.findings} />
        </Panel>
      ) : null}
      {mayReadDeliveries ? (
        <Panel title="Webhooks" note="Deliveries of this request's event.">
          <Deliveries record={record} />
        </Panel>
      ) : null}
    </>
  );
}

/** Who released the calls that had waited; undefined without any. */
function releasedText({ toolCalls = [] }: RequestDetail): string | undefined {
  const all = toolCalls.flatMap(({ approval }) => approval?.releasedBy ?? []);
  const [by] = all;
  if (by === undefined) return undefined;
  return `${all.length === 1 ? 'A call was' : `${all.length} calls were`} released by ${by === 'user' ? "the user's code" : 'an operator'}`;
}

function RequestTiles({ record }: { readonly record: RequestDetail }) {
  const {
    status,
    state,
    threatScore,
    latencyMs,
    processingMs,
    timeToFirstTokenMs,
    tokens,
    costUsd,
    unknownCharges = [],
  } = record;
  return (
    <Tiles
      tiles={[
        { name: 'Status', value: <StatusText status={status} />, note: record.errorCode ?? undefined },
        { name: 'Ended', value: <StateTag state={state} />, note: releasedText(record) },
        {
          name: 'Decision',
          value: <DecisionTag record={record} />,
          note: `Score ${formatScore(threatScore)}${record.action === 'allow' ? '' : `. ${SCORE_NOTE}`}`,
        },
        { name: 'Latency', value: formatMs(latencyMs), note: `${formatMs(processingMs)} in the gateway` },
        { name: 'First token', value: formatMs(timeToFirstTokenMs), note: record.stream ? undefined : 'Not streamed' },
        {
          name: 'Tokens',
          value:
            tokens.input === null && tokens.output === null
              ? NOTHING
              : formatExact((tokens.input ?? 0) + (tokens.output ?? 0)),
          note: tokens.input === null ? undefined : `${countOf(tokens.input)} in, ${countOf(tokens.output)} out`,
        },
        {
          name: 'Cost',
          value: formatRequestCost(record),
          note: unknownCharges.length > 0 ? 'Not exact' : costUsd === null ? undefined : 'List price',
        },
      ]}
    />
  );
}

function Findings({ record }: { readonly record: RequestDetail }) {
  if (record.findings.length === 0) return <p className={classes.hint}>None.</p>;
  const isNumbered = record.findings.length > 1;
  const all = Object.values(record.threats).reduce((sum, count) => sum + count, 0);
  return (
    <div className={own.scroll}>
      <table className={own.table} aria-label="Findings">
        <thead>
          <tr>
            {[...(isNumbered ? ['No.'] : []), 'Type', 'Decision', 'Severity', 'Score', 'Rule', 'Where', 'Mark'].map(
              (name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {record.findings.map((finding) => (
            <tr key={finding.id}>
              {isNumbered ? <td data-label="No.">{numberOf(finding, record.findings)}</td> : null}
              <td data-label="Type">
                <FindingLink threat={finding} />
              </td>
              <td data-label="Decision">
                <ActionTag action={finding.action} />
              </td>
              <td data-label="Severity">
                <SeverityText severity={finding.severity} />
              </td>
              <td data-label="Score">
                <Score value={finding.score} />
              </td>
              <td data-label="Rule">
                <code>{ruleName(finding)}</code>
              </td>
              <td data-label="Where">
                <span>
                  {finding.location.part === 'input' ? 'Request' : 'Response'}, <code>{finding.location.field}</code>,{' '}
                  {rangeText(finding.location)}
                </span>
              </td>
              <td data-label="Mark">{finding.mark === null ? NOTHING : MARK_NAMES[finding.mark]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {all > record.findings.length ? (
        <p className={classes.hint}>
          The strongest {record.findings.length} of {all}.
        </p>
      ) : null}
    </div>
  );
}

function Details({ record }: { readonly record: RequestDetail }) {
  const { keyId, sessionId, endUserId, provider, model, route, tags, requestTags } = record;
  const name = useKeyNames([keyId]).get(keyId) ?? keyId;
  const mayReadKeys = useMay('getKey');
  const same = (filter: Readonly<Record<string, string>>, text: string) => (
    <Link href={`/requests${toSearch({ ...filter, range: '7d' })}`} title="Requests with the same value">
      {text}
    </Link>
  );
  return (
    <Facts
      facts={[
        ['Time', formatFullTime(record.time)],
        [
          'Key',
          mayReadKeys ? (
            <Link key="key" href={`/keys/${encodeURIComponent(keyId)}`}>
              {name}
            </Link>
          ) : (
            same({ keyId }, name)
          ),
        ],
        ['Environment', record.environment],
        ['Tags', tagsOf(tags)],
        ['Tags of the request', tagsOf(requestTags)],
        ['Team', record.teamId ?? NOTHING],
        ...(record.identity === undefined
          ? []
          : ([['Identity', `${record.identity.subject} of ${record.identity.issuer}`]] as const)),
        ['Route', same({ route }, route)],
        ['Model', model === null ? NOTHING : same({ model, provider: provider ?? '' }, `${provider ?? ''}/${model}`)],
        ['Calls of providers', formatExact(record.attempts)],
        ['Streamed', record.stream ? 'Yes' : 'No'],
        ['Error code', record.errorCode === null ? NOTHING : same({ errorCode: record.errorCode }, record.errorCode)],
        [
          'Session',
          sessionId === null ? (
            NOTHING
          ) : (
            <Link key="session" href={`/sessions/${encodeURIComponent(sessionId)}${toSearch({ keyId })}`}>
              {sessionId}
            </Link>
          ),
        ],
        ['End user', endUserId === null ? NOTHING : same({ endUserId }, endUserId)],
        ['App version', record.appVersion ?? NOTHING],
        [
          'Model route',
          record.alias === undefined
            ? NOTHING
            : same(
                { alias: record.alias },
                `${record.alias}${record.variant === undefined ? '' : `: ${record.variant}`}`,
              ),
        ],
        ...(record.credentialId === undefined
          ? []
          : ([['Credential', <code key="credential">{record.credentialId}</code>]] as const)),
        ["Provider's request id", <code key="upstream">{record.upstreamRequestId ?? NOTHING}</code>],
        ['Trace id', record.traceId === undefined ? NOTHING : same({ traceId: record.traceId }, record.traceId)],
        ['Shadow policy', record.shadow === null ? NOTHING : <ShadowPolicy key="shadow" shadow={record.shadow} />],
      ]}
    />
  );
}

function Deliveries({ record }: { readonly record: RequestDetail }) {
  const list = useQuery(reading('listRequestDeliveries', { params: { id: record.id } }));
  if (list.data === undefined) {
    return list.error === null ? (
      <Placeholder label="Loading deliveries" lines={2} />
    ) : (
      <ErrorState error={list.error} retry={() => void list.refetch()} />
    );
  }
  if (list.data.data.length === 0) return <p className={classes.hint}>None.</p>;
  return (
    <div className={own.scroll}>
      <table className={own.table} aria-label="Deliveries">
        <thead>
          <tr>
            {['Event', 'State', 'Attempts', 'Webhook'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.data.data.map((delivery) => (
            <tr key={delivery.id}>
              <td data-label="Event">{delivery.type}</td>
              <td data-label="State">
                <DeliveryState delivery={delivery} />
              </td>
              <td data-label="Attempts">{delivery.attempts.length}</td>
              <td data-label="Webhook">
                <Link href={`/webhooks/${encodeURIComponent(delivery.webhookId)}`}>{delivery.webhookId}</Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Actions({ record }: { readonly record: RequestDetail }) {
  const [open, setOpen] = useState<'curl' | 'decide'>();
  const mayReplay = useMay('replayPolicy');
  return (
    <>
      {mayReplay ? (
        <Button variant="default" onClick={() => setOpen('decide')}>
          Decide again
        </Button>
      ) : null}
      <Button variant="default" onClick={() => setOpen('curl')}>
        Copy as curl
      </Button>
      {open === 'curl' ? <CurlDialog record={record} onClose={() => setOpen(undefined)} /> : null}
      {open === 'decide' ? <DecideDialog record={record} onClose={() => setOpen(undefined)} /> : null}
    </>
  );
}
