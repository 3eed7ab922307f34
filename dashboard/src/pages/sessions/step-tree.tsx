import { ActionIcon, Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { RequestRecord } from '../../api/client.ts';
import { formatMs, formatRequestCost, formatScore, formatTime, NOTHING } from '../../components/format.ts';
import { Icon } from '../../components/icons.tsx';
import { rangeText, ruleName, threatName } from '../../components/labels.ts';
import { outcomeOf } from '../../components/outcome.ts';
import { Panel } from '../../components/page.tsx';
import { ActionTag, OutcomeMark } from '../../components/tag.tsx';
import { sourcesOf } from '../requests/call-flow.ts';
import { whyOf } from '../requests/request-columns.tsx';
import { ApprovalOf } from '../requests/tool-calls.tsx';
import type { Step, StepCall } from './session-steps.ts';
import own from './sessions.module.css';

interface StepTreeProps {
  readonly steps: readonly Step[];
  /** Loads earlier steps, if there are any. */
  readonly onEarlier?: (() => void) | undefined;
  readonly isLoading: boolean;
}

/** A session's requests in order, each with what was found, its tool calls and what they did. Quiet ones are folded. */
export function StepTree({ steps, onEarlier, isLoading }: StepTreeProps) {
  // Of steps that the viewer has opened or folded, by their request.
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isOpen = ({ record, isNotable }: Step) => chosen.get(record.id) ?? isNotable;
  const withParts = steps.filter(hasParts);
  const setAll = (open: boolean) => setChosen(new Map(withParts.map(({ record }) => [record.id, open])));
  const areAllOpen = withParts.every(isOpen);
  const notable = steps.filter(({ isNotable }) => isNotable).length;
  return (
    <Panel
      title="Steps"
      note={
        notable === 0 ? 'Nothing was found, and none failed.' : `${notable} of ${steps.length} have findings or failed.`
      }
      actions={
        withParts.length === 0 ? null : (
          <Button variant="default" size="sm" onClick={() => setAll(!areAllOpen)}>
            {areAllOpen ? 'Fold all' : 'Open all'}
          </Button>
        )
      }
    >
      {onEarlier === undefined ? null : (
        <Button variant="subtle" size="sm" loading={isLoading} onClick={onEarlier}>
          Show earlier steps
        </Button>
      )}
      <ol className={own.steps} aria-label="Steps">
        {steps.map((step, at) => (
          <li key={step.record.id} className={own.step}>
            <StepRow
              step={step}
              // Unknown until the first step is loaded.
              number={onEarlier === undefined ? at + 1 : undefined}
              open={hasParts(step) ? isOpen(step) : undefined}
              onOpen={(open) => setChosen(new Map([...chosen, [step.record.id, open]]))}
            />
            {hasParts(step) && isOpen(step) ? <Parts step={step} /> : null}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function hasParts({ findings, calls, others }: Step): boolean {
  return findings.length + calls.length + others.length > 0;
}

interface StepRowProps {
  readonly step: Step;
  readonly number: number | undefined;
  /** Undefined for a step with nothing to open. */
  readonly open: boolean | undefined;
  onOpen(open: boolean): void;
}

function StepRow({ step, number, open, onOpen }: StepRowProps) {
  const { record } = step;
  return (
    <div className={own.row}>
      {open === undefined ? (
        <span />
      ) : (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-expanded={open}
          aria-label={`Parts of step ${number ?? formatTime(record.time)}`}
          className={own.fold}
          onClick={() => onOpen(!open)}
        >
          <Icon name="descending" size={16} />
        </ActionIcon>
      )}
      <span className={own.what}>
        {number === undefined ? null : <span className={own.number}>{number}</span>}
        <Link href={`/requests/${record.id}`}>{formatTime(record.time)}</Link>
        <Outcome record={record} />
        <span className={own.dim}>{targetOf(record)}</span>
        {open === true ? null : <span className={own.dim}>{summaryOf(step)}</span>}
      </span>
      <Figures record={record} />
    </div>
  );
}

function Outcome({ record }: { readonly record: RequestRecord }) {
  const outcome = outcomeOf(record);
  return (
    <span className={outcome === 'passed' ? `${own.outcome} ${own.dim}` : own.outcome}>
      <OutcomeMark outcome={outcome}>{whyOf(record)}</OutcomeMark>
    </span>
  );
}

function targetOf({ provider, model, tool, route }: RequestRecord): string {
  if (tool !== undefined) return tool;
  return model === null ? route : `${provider ?? ''}/${model}`;
}

/** Such as `2 calls: read_mail, send_email`. */
function summaryOf({ calls, others, findings }: Step): string {
  const names = [...new Set(calls.map(({ call }) => call.tool))].join(', ');
  const found = calls.reduce((sum, call) => sum + call.findings.length, findings.length);
  return [
    ...(calls.length === 0 ? [] : [`${calls.length === 1 ? '1 call' : `${calls.length} calls`}: ${names}`]),
    ...(others.length === 0 ? [] : [`${others.length} to MCP servers`]),
    ...(found === 0 ? [] : [found === 1 ? '1 finding' : `${found} findings`]),
  ].join(', ');
}

function Figures({ record }: { readonly record: RequestRecord }) {
  const cost = formatRequestCost(record);
  return (
    <>
      <span className={own.figure}>{formatMs(record.latencyMs)}</span>
      <span className={own.figure}>{cost === NOTHING ? '' : cost}</span>
    </>
  );
}

function Parts({ step: { record, findings, calls, others } }: { readonly step: Step }) {
  return (
    <ol className={own.parts}>
      {findings.map((finding, at) => (
        <li key={`finding ${at}`} className={own.part}>
          <Finding finding={finding} requestId={record.id} />
        </li>
      ))}
      {calls.map((call, at) => (
        <li key={`call ${at}`} className={own.part}>
          <Call of={call} requestId={record.id} />
        </li>
      ))}
      {others.map((other) => (
        <li key={other.record.id} className={own.part}>
          <Made step={other} />
        </li>
      ))}
    </ol>
  );
}

interface FindingProps {
  readonly finding: Step['findings'][number];
  readonly requestId: string;
}

function Finding({ finding, requestId }: FindingProps) {
  const { type, action, score, location, origin } = finding;
  return (
    <span className={own.what}>
      <Link href={`/requests/${requestId}`}>{threatName(type)}</Link>
      <ActionTag action={action} />
      <span className={own.dim}>
        {formatScore(score)}, <code>{ruleName(finding)}</code>,{' '}
        {origin?.ordered === true
          ? 'third-party text orders the call'
          : `${location.part === 'input' ? 'request' : 'response'}, ${rangeText(location)}`}
      </span>
    </span>
  );
}

function Call({ of: { call, findings, made }, requestId }: { readonly of: StepCall; readonly requestId: string }) {
  return (
    <>
      <span className={own.what}>
        <code className={own.tool}>{call.tool}</code>
        <span className={own.dim}>{call.effect}</span>
        {call.action === 'allow' ? <span className={own.dim}>Allowed</span> : <ActionTag action={call.action} />}
        <ApprovalOf call={call} />
      </span>
      <Sources call={call} />
      {findings.map((finding, at) => (
        <Finding key={at} finding={finding} requestId={requestId} />
      ))}
      {made === undefined ? null : <Made step={made} />}
    </>
  );
}

/** From where the values of a call's arguments come. */
function Sources({ call }: { readonly call: StepCall['call'] }) {
  const sources = sourcesOf(call);
  return sources.length === 0 ? null : (
    <ul className={own.sources} aria-label={`Sources of the arguments of ${call.tool}`}>
      {sources.map(({ from, text, arguments: all }) => (
        <li key={text} data-from={from}>
          <code>{all.join(', ')}</code> <span className={own.dim}>from</span> {inSentence(text)}
        </li>
      ))}
    </ul>
  );
}

function inSentence(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A request to an MCP server: its outcome, and from where its arguments come. */
function Made({ step: { record, findings } }: { readonly step: Step }) {
  return (
    <>
      <div className={own.made}>
        <span className={own.what}>
          <Link href={`/requests/${record.id}`}>{targetOf(record)}</Link>
          <Outcome record={record} />
        </span>
        <Figures record={record} />
      </div>
      {record.toolCalls?.map((call, at) => (
        <Sources key={at} call={call} />
      ))}
      {findings.map((finding, at) => (
        <Finding key={at} finding={finding} requestId={record.id} />
      ))}
    </>
  );
}
