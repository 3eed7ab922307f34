import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Threat } from '../../api/types.ts';
import { MarkedText } from '../../parts/marked-text.tsx';
import { Empty, ErrorState, Loading } from '../../parts/states.tsx';
import { THREAT_NAMES } from '../../parts/words.ts';
import { readCapture } from './capture.ts';
import { textOf } from './export.ts';
import classes from './threat-drawer.module.css';

/** The text that a finding stands in, and the rest of what was kept of its request. */
export function CapturedText({ requestId, marked }: { readonly requestId: string; readonly marked: Threat }) {
  const capture = useQuery({
    queryKey: ['capture', requestId],
    queryFn: async ({ signal }) => (await readCapture(requestId, signal)) ?? null,
    // Each reading leaves a record in the audit log.
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
      <Empty title="No text was kept">
        The policy of this key captured none, or it is no longer kept. <code>capture</code> in a policy says what is.
      </Empty>
    );
  }
  const text = textOf(data, marked);
  // In a redacted text the places are no longer those that the finding tells.
  const ranges =
    data.mode === 'full' ? [{ ...marked.location, title: `${THREAT_NAMES[marked.type]}: ${marked.rule}` }] : [];
  return (
    <Stack gap="sm">
      {data.mode === 'redacted' ? <p className={classes.note}>What was private or redacted was not kept.</p> : null}
      {data.truncated ? <p className={classes.note}>The text was cut at its end.</p> : null}
      {text === undefined ? null : (
        <MarkedText label={`The text of ${marked.location.field}`} text={text} ranges={ranges} />
      )}
      <details>
        <summary>The whole request and answer</summary>
        <Stack gap="sm" mt="sm">
          <MarkedText label="The whole request" text={data.request} ranges={[]} />
          {data.answer.map(({ channel, text: answer }) => (
            <MarkedText key={channel} label={`The answer, ${channel}`} text={answer} ranges={[]} />
          ))}
        </Stack>
      </details>
    </Stack>
  );
}
