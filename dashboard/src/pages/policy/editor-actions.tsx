import { Alert, Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ActionError } from '../../components/page.tsx';
import { type Current, readCurrent } from './current-policy.ts';
import classes from './policy.module.css';
import type { Settings } from './policy-settings.ts';
import { RolloutDialog } from './rollout.tsx';

interface EditorActionsProps {
  readonly text: string;
  readonly canSave: boolean;
  readonly canTry: boolean;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** Status after saving. */
  readonly said: string;
  readonly settings: Settings | undefined;
  readonly runsRollout: boolean;
  onSave(): void;
  onRollOut(body: Settings): Promise<void>;
  onUndo(): void;
}

export function EditorActions(props: EditorActionsProps) {
  const { text, canSave, canTry, isChanged, isSaving, said, settings, runsRollout, onSave, onRollOut, onUndo } = props;
  const [, go] = useLocation();
  const [isRollingOut, setIsRollingOut] = useState(false);
  return (
    <Group gap="xs" className={classes.saveBar ?? ''}>
      {isRollingOut && settings !== undefined ? (
        <RolloutDialog settings={settings} onSave={onRollOut} onClose={() => setIsRollingOut(false)} />
      ) : null}
      <Button size="xs" onClick={onSave} loading={isSaving} disabled={!canSave}>
        Save
      </Button>
      <Button size="xs" variant="default" disabled={!canSave} onClick={() => setIsRollingOut(true)}>
        Roll out…
      </Button>
      <Button size="xs" variant="default" disabled={!isChanged} onClick={onUndo}>
        Undo changes
      </Button>
      <Button size="xs" variant="default" disabled={!canTry} onClick={() => go('/replay', { state: { policy: text } })}>
        Replay on past requests
      </Button>
      <span role="status">{said}</span>
      {runsRollout && isChanged ? <span>Saving ends the roll-out that runs.</span> : null}
    </Group>
  );
}

interface ConflictProps {
  onLoaded(current: Current): void;
  onOverwrite(current: Current): void;
}

/** Another user saved a version: the user chooses which one to keep. */
export function Conflict({ onLoaded, onOverwrite }: ConflictProps) {
  const reading = useMutation({
    mutationFn: async (then: (current: Current) => void) => then(await readCurrent()),
  });
  return (
    <Alert color="yellow" role="alert" title="Another user saved a newer version">
      <Stack gap="sm">
        <p>Your version was not saved. Load theirs and lose your changes, or overwrite theirs with yours.</p>
        <Group gap="sm">
          <Button size="sm" variant="default" onClick={() => reading.mutate(onLoaded)}>
            Load theirs
          </Button>
          <Button size="sm" color="red" onClick={() => reading.mutate(onOverwrite)}>
            Overwrite with mine
          </Button>
        </Group>
        <ActionError error={reading.error} />
      </Stack>
    </Alert>
  );
}
