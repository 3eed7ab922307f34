import { formatMs, formatScore } from '../../parts/format.ts';
import { MarkedText } from '../../parts/marked-text.tsx';
import { Facts } from '../../parts/page.tsx';
import { ActionTag, Score, SeverityTag } from '../../parts/tag.tsx';
import { threatName } from '../../parts/words.ts';
import classes from './playground.module.css';
import type { FoundText, Svc } from './verdict.ts';

interface VerdictViewProps {
  readonly svc: Svc;
  readonly texts: readonly FoundText[];
  readonly facts?: readonly (readonly [name: string, value: React.ReactNode])[];
}

/** What the gateway said of a text: its decision, score and time, and each finding in its place. */
export function VerdictView({ svc, texts, facts = [] }: VerdictViewProps) {
  const findings = svc.detected_threats;
  return (
    <div className={classes.stack}>
      <Facts
        facts={[
          ['Decision', <ActionTag key="action" action={svc.action} />],
          ['Threat score', formatScore(svc.threat_score)],
          ["The gateway's own time", formatMs(svc.processing_time_ms)],
          ...facts,
          ['Request', <code key="id">{svc.request_id}</code>],
          ...(svc.coverage.skipped.length === 0 ? [] : [['Not read', svc.coverage.skipped.join(', ')] as const]),
        ]}
      />
      {findings.length === 0 ? <p>Nothing was found.</p> : null}
      {texts.map(({ field, text, ranges }) => (
        <div key={field}>
          <h3>
            Found in <code>{field}</code>
          </h3>
          <MarkedText label={`What was found in ${field}`} text={text} ranges={ranges} />
        </div>
      ))}
      {findings.length === 0 ? null : (
        <ul className={classes.findings}>
          {findings.map((finding) => (
            <li key={`${finding.rule} ${finding.location.field} ${finding.location.start} ${finding.location.end}`}>
              <div className={classes.head}>
                <strong>{threatName(finding.type)}</strong>
                <ActionTag action={finding.action} />
                <SeverityTag severity={finding.severity} />
                <Score value={finding.score} />
              </div>
              <p>{finding.message}</p>
              <p className={classes.note}>
                <code>{finding.rule}</code>, {finding.location.field}, characters {finding.location.start} to{' '}
                {finding.location.end}
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
