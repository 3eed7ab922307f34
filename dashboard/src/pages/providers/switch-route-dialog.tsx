import { Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ModelRoute } from '../../api/client.ts';
import { call } from '../../api/operations.ts';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { useChange } from './use-change.ts';

type Target = ModelRoute['fallbacks'][number];

const nameOf = ({ provider, model }: Target) => (model === null ? provider : `${provider}/${model}`);

/** Disables or enables a route, or one of its targets. */
export function SwitchRouteDialog({ route, onClose }: { readonly route: ModelRoute; onClose(): void }) {
  const enables = route.state === 'disabled';
  const targets = [...route.targets, ...route.fallbacks];
  const offersTargets = !enables && targets.length > 1;
  const [target, setTarget] = useState<Target>();
  const switching = useChange(() => {
    const { models } = route;
    const part = target && { provider: target.provider, ...(target.model !== null && { model: target.model }) };
    const enablesNow = target === undefined ? enables : target.state === 'disabled';
    return call(enablesNow ? 'enableRoute' : 'disableRoute', { body: { models, ...(part && { target: part }) } });
  }, onClose);
  const verb = (isDisabled: boolean) => (isDisabled ? 'Enable' : 'Disable');
  return (
    <ConfirmDialog
      title={`${verb(enables)} “${route.models}”`}
      confirm={target === undefined ? `${verb(enables)} route` : `${verb(target.state === 'disabled')} target`}
      isPending={switching.isPending}
      error={switching.error}
      onConfirm={() => switching.mutate()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text>
          {enables
            ? 'Requests for these models are served again within 10 seconds.'
            : 'Within 10 seconds, requests for these models are refused with 404.'}
          {offersTargets ? ' To keep serving them by other targets, disable one target:' : null}
        </Text>
        {!offersTargets
          ? null
          : targets.map((one, at) => (
              <Checkbox
                key={at}
                label={`Only ${one.state === 'disabled' ? 'enable' : 'disable'} ${nameOf(one)}`}
                checked={target === one}
                onChange={(event) => setTarget(event.currentTarget.checked ? one : undefined)}
              />
            ))}
      </Stack>
    </ConfirmDialog>
  );
}
