import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { readCapture, textOf } from '../api/captures.ts';
import type { RequestDetail, Threat } from '../api/client.ts';
import classes from './components.module.css';
import { THREAT_NAMES } from './labels.ts';
import { Empty, ErrorState } from './page.tsx';
import { Placeholder } from './placeholder.tsx';
import { MarkedText } from './text-box.tsx';

/** The number of a finding in its list and at its mark; undefined if it is the only one. */
export function numberOf(finding: Threat, findings: readonly Threat[]): number | undefined {
  return findings.length > 1 ? findings.indexOf(finding) + 1 : undefined;
}

interface CapturedTextProps {
  readonly record: Pick<RequestDetail, 'id' | 'capture'>;
  /** Their texts are shown first, with each finding marked. */
  readonly findings: readonly Threat[];
}

/** The captured texts of a request with its findings marked, read when asked for; how to turn capture on if there are none. */
export function CapturedText({ record, findings }: CapturedTextProps) {
  const [isShown, setShown] = useState(false);
  if (record.capture === 'none') return <NoCapture />;
  if (isShown) return <ShownText requestId={record.id} findings={findings} />;
  return (
    <div>
      <Button variant="default" size="sm" onClick={() => setShown(true)}>
        Show the captured text
      </Button>
      <p className={classes.hint}>The audit log records each read.</p>
    </div>
  );
}

function NoCapture() {
  return (
    <Empty
      title="No captured text"
      action={
        <Button component={Link} href="/policy" variant="default" size="sm">
          Turn on capture in the policy
        </Button>
      }
    >
      Texts are stored only if the policy says so: set <strong>Captured texts</strong> of the deployment&apos;s policy,
      or <code>capture</code> in the policy of one key, to <code>redacted</code>, which removes personal data and
      secrets before storage, or to <code>full</code>. It applies to later requests. Stored texts expire, only
      administrators can read them, and each read is in the audit log. Tell the people whose texts you store.
    </Empty>
  );
}

function ShownText({ requestId, findings }: { readonly requestId: string; readonly findings: readonly Threat[] }) {
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
      <Placeholder label="Loading the text" lines={6} />
    ) : (
      <ErrorState error={capture.error} retry={() => void capture.refetch()} />
    );
  }
  if (data === null) return <Empty title="The captured text has expired" />;
  const byField = Map.groupBy(findings, ({ location }) => location.field);
  return (
    <Stack gap="sm">
      {data.mode === 'redacted' ? (
        <p className={classes.hint}>
          Personal data, secrets and redacted text were removed before storage, so findings are not marked.
        </p>
      ) : null}
      {data.mode === 'full' && findings.some(({ action }) => action === 'redact') ? (
        <p className={classes.hint}>The text before redaction: the provider and the client received it redacted.</p>
      ) : null}
      {data.truncated ? <p className={classes.hint}>The end of the text was cut.</p> : null}
      {[...byField].map(([field, all]) => {
        const text = textOf(data, all[0] as Threat);
        if (text === undefined) return null;
        // The offsets do not apply to a redacted text.
        const ranges =
          data.mode === 'full'
            ? all.map((finding) => ({
                ...finding.location,
                title: `${THREAT_NAMES[finding.type]}: ${finding.rule}`,
                number: numberOf(finding, findings),
              }))
            : [];
        return (
          <div key={field}>
            <code>{field}</code>
            <MarkedText label={`Text of ${field}`} text={text} ranges={ranges} />
          </div>
        );
      })}
      <details open={byField.size === 0}>
        <summary>Full request and response</summary>
        <Stack gap="sm" mt="sm">
          <MarkedText label="Full request" text={data.request} ranges={[]} />
          {data.answer.map(({ channel, text }) => (
            <MarkedText key={channel} label={`Response, ${channel}`} text={text} ranges={[]} />
          ))}
        </Stack>
      </details>
    </Stack>
  );
}
