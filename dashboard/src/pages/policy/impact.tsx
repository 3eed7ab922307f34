import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { PolicyReplay, PolicyScores } from '../../api/client.ts';
import { formatExact } from '../../components/format.ts';
import { ACTION_NAMES, ACTIONS } from '../../components/labels.ts';
import { ActionError } from '../../components/page.tsx';
import classes from './policy.module.css';
import type { Settings } from './policy-settings.ts';
import { replayAll } from './run-replay.ts';
import { estimate, type Outcome } from './score-counts.ts';

interface ImpactProps {
  /** The saved policy. */
  readonly saved: Settings;
  readonly draft: Settings;
  readonly scores: PolicyScores | undefined;
  onOpenReplay(): void;
}

const OUTCOMES: readonly (readonly [Outcome, string])[] = [
  ['block', 'block'],
  ['ask', 'ask'],
  ['redact', 'redact'],
  ['flag', 'flag'],
];

/** What the change would do to the last seven days: an estimate at once, and a replay on request. */
export function Impact({ saved, draft, scores, onOpenReplay }: ImpactProps) {
  return (
    <section className={classes.impact} aria-label="What this change would do">
      <h3>What this change would do to the last 7 days</h3>
      {scores === undefined ? null : <Estimate saved={saved} draft={draft} scores={scores} />}
      {/* A result is of one draft. */}
      <Replay key={JSON.stringify(draft)} draft={draft} onOpenReplay={onOpenReplay} />
    </section>
  );
}

function Estimate({
  saved,
  draft,
  scores,
}: Required<Pick<ImpactProps, 'saved' | 'draft'>> & { readonly scores: PolicyScores }) {
  const [was, is] = [estimate(saved, scores), estimate(draft, scores)];
  const parts = OUTCOMES.map(
    ([outcome, name]) => `${name} ${formatExact(is[outcome])} (now ${formatExact(was[outcome])})`,
  );
  return (
    <p>
      <strong>Estimate</strong> from the scores of findings in {formatExact(scores.requests)} requests
      {scores.isCut ? ', the newest that are read' : ''}: {parts.join(', ')}. It counts findings, not requests, and
      leaves out keys&apos; policies, custom rules and findings below the thresholds of their time.
    </p>
  );
}

function Replay({ draft, onOpenReplay }: Pick<ImpactProps, 'draft' | 'onOpenReplay'>) {
  const [soFar, setSoFar] = useState<PolicyReplay>();
  const abort = useRef<AbortController>(undefined);
  const replaying = useMutation({
    mutationFn: async () => {
      abort.current = new AbortController();
      const wanted = { policy: draft, as: 'deployment', range: '7d', keyId: '', texts: false } as const;
      await replayAll(wanted, abort.current.signal, setSoFar);
    },
  });
  useEffect(() => () => abort.current?.abort(), []);
  return (
    <>
      <Group gap="sm">
        <Button size="xs" variant="default" loading={replaying.isPending} onClick={() => replaying.mutate()}>
          Replay the last 7 days
        </Button>
        {replaying.isPending ? (
          <Button size="xs" variant="default" onClick={() => abort.current?.abort()}>
            Stop
          </Button>
        ) : null}
        <Button size="xs" variant="subtle" onClick={onOpenReplay}>
          Open the replay page
        </Button>
      </Group>
      <p role="status">{soFar === undefined ? '' : replayNote(soFar, replaying.isPending)}</p>
      <ActionError error={replaying.error} title="Replay failed" />
    </>
  );
}

function replayNote({ requests, changed, live, replayed, nextCursor }: PolicyReplay, isRunning: boolean): string {
  const parts = ACTIONS.filter((action) => action !== 'allow').map(
    (action) =>
      `${ACTION_NAMES[action].toLowerCase()} ${formatExact(replayed[action] ?? 0)} (was ${formatExact(live[action] ?? 0)})`,
  );
  const state = isRunning ? 'Replaying' : nextCursor === null ? 'Replayed' : 'Stopped after';
  return `${state} ${formatExact(requests)} requests with findings: ${formatExact(changed)} would have a different action. ${parts.join(', ')}.`;
}
