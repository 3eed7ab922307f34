import { Button, NativeSelect, Textarea } from '@mantine/core';
import type { Action } from '../../api/client.ts';
import { formatMs, formatScore } from '../../components/format.ts';
import { rangeText, ruleName, SCORE_NOTE, threatName } from '../../components/labels.ts';
import { Facts } from '../../components/page.tsx';
import { ActionTag, Score, SeverityText } from '../../components/tag.tsx';
import { MarkedText } from '../../components/text-box.tsx';
import type { FoundText, Svc } from './gateway-response.ts';
import classes from './playground.module.css';

export interface Message {
  readonly id: number;
  readonly role: string;
  readonly content: string;
}

const ROLES = ['system', 'user', 'assistant'];

interface MessageFieldsProps {
  readonly messages: readonly Message[];
  onChange(messages: readonly Message[]): void;
}

/** Editor of a conversation. */
export function MessageFields({ messages, onChange }: MessageFieldsProps) {
  const change = (id: number, changes: Partial<Message>) =>
    onChange(messages.map((message) => (message.id === id ? { ...message, ...changes } : message)));
  const nextId = Math.max(0, ...messages.map(({ id }) => id)) + 1;
  return (
    <div className={classes.stack}>
      {messages.map(({ id, role, content }, at) => (
        <div key={id} className={classes.message}>
          <NativeSelect
            aria-label={`Role of message ${at + 1}`}
            data={ROLES}
            value={role}
            onChange={(event) => change(id, { role: event.currentTarget.value })}
          />
          <Button
            variant="subtle"
            size="xs"
            disabled={messages.length === 1}
            onClick={() => onChange(messages.filter((message) => message.id !== id))}
            aria-label={`Remove message ${at + 1}`}
          >
            Remove
          </Button>
          <Textarea
            className={classes.text ?? ''}
            aria-label={`Message ${at + 1}`}
            value={content}
            onChange={(event) => change(id, { content: event.currentTarget.value })}
            rows={4}
          />
        </div>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange([...messages, { id: nextId, role: 'user', content: '' }])}
        >
          Add message
        </Button>
      </div>
    </div>
  );
}

interface VerdictViewProps {
  readonly svc: Svc;
  readonly texts: readonly FoundText[];
  readonly facts?: readonly (readonly [name: string, value: React.ReactNode])[];
}

/** The gateway's decision, score and time for a text, and its findings marked in the text. */
export function VerdictView({ svc, texts, facts = [] }: VerdictViewProps) {
  const findings = svc.detected_threats;
  return (
    <div className={classes.stack}>
      <Facts
        facts={[
          ['Decision', <ActionTag key="action" action={svc.action} />],
          ['Score', `${formatScore(svc.threat_score)}. ${SCORE_NOTE}`],
          ['Gateway time', formatMs(svc.processing_time_ms)],
          ...facts,
          ['Request', <code key="id">{svc.request_id}</code>],
          ...(svc.coverage.skipped.length === 0 ? [] : [['Not inspected', svc.coverage.skipped.join(', ')] as const]),
        ]}
      />
      {findings.length === 0 ? <p>No findings.</p> : null}
      {texts.map(({ field, text, ranges, isRedacted }) => (
        <div key={field}>
          <h3>
            Findings in <code>{field}</code>
          </h3>
          {isRedacted ? <p className={classes.note}>Redacted: positions refer to the original text.</p> : null}
          <MarkedText label={`Findings in ${field}`} text={text} ranges={ranges} />
        </div>
      ))}
      {findings.length === 0 ? null : (
        <ul className={classes.findings}>
          {findings.map((finding, at) => (
            <li key={`${finding.rule} ${finding.location.field} ${finding.location.start} ${finding.location.end}`}>
              <div className={classes.head}>
                <strong>
                  {findings.length > 1 ? `${at + 1}. ` : ''}
                  {threatName(finding.type)}
                </strong>
                <ActionTag action={finding.action} />
                <SeverityText severity={finding.severity} />
                <Score value={finding.score} />
              </div>
              <p>{finding.message}</p>
              <p className={classes.note}>
                <code>{ruleName(finding)}</code>, {finding.location.field}, {rangeText(finding.location)}
                {finding.owasp === null ? null : `, ${finding.owasp}`}
                {finding.atlas === null ? null : `, ${finding.atlas}`}
                {finding.reasons === undefined ? null : `, score changed by: ${finding.reasons.join(', ')}`}
              </p>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A tool call of an inspected output. */
export interface GuardedCall {
  readonly id: string;
  readonly name: string;
  readonly action: Action;
}

/** The decision on each call. */
export function CallList({ calls }: { readonly calls: readonly GuardedCall[] }) {
  if (calls.length === 0) return null;
  return (
    <div>
      <h3>Tool calls</h3>
      <ul className={classes.findings}>
        {calls.map(({ id, name, action }, at) => (
          <li key={`${at} ${id}`} className={classes.head}>
            <strong>{name}</strong>
            <code>{id}</code>
            <ActionTag action={action} />
          </li>
        ))}
      </ul>
    </div>
  );
}
