import { Button, NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { pathTo } from '../../api/operations.ts';
import { useMay } from '../../api/session.tsx';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { ErrorState } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { type Current, putPolicy, readCurrent } from '../policy/current-policy.ts';
import { settingsOf } from '../policy/policy-settings.ts';
import { toolRulesOf } from '../policy/tool-settings.ts';
import { type CallExample, type Expected, withTest } from './tool-test.ts';

/** Offers to keep a call as a test of a rule for tools, which runs whenever the policy is saved. */
export function SaveTest({ examples }: { readonly examples: readonly CallExample[] }) {
  const maySave = useMay('putPolicy');
  const [isOpen, setIsOpen] = useState(false);
  const [said, setSaid] = useState('');
  if (!maySave || examples.length === 0) return null;
  return (
    <Stack gap="xs" mt="md" align="start">
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Save as test
      </Button>
      <span role="status">{said}</span>
      {isOpen ? (
        <SaveDialog
          examples={examples}
          onSaved={(version) => setSaid(`Saved in version ${version}. It runs whenever the policy is saved.`)}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </Stack>
  );
}

interface SaveDialogProps {
  readonly examples: readonly CallExample[];
  onSaved(version: number): void;
  onClose(): void;
}

const EXPECTED: readonly { readonly value: Expected; readonly label: string }[] = [
  { value: 'match', label: 'It violates the rule' },
  { value: 'noMatch', label: 'It does not violate the rule' },
];

function SaveDialog({ examples, onSaved, onClose }: SaveDialogProps) {
  const client = useQueryClient();
  const current = useQuery({
    queryKey: [pathTo('getPolicy'), 'tagged'],
    queryFn: ({ signal }) => readCurrent(signal),
    // It is the base of a change.
    gcTime: 0,
  });
  const [at, setAt] = useState(0);
  const [ruleId, setRuleId] = useState<string>();
  const [expected, setExpected] = useState<Expected>('match');
  const rules = current.data === undefined ? [] : toolRulesOf(settingsOf(current.data.policy));
  const rule = ruleId ?? rules[0]?.id;
  const runsRollout = current.data?.policy.rollout !== undefined;
  const saving = useMutation({
    mutationFn: async (base: Current) => {
      const example = examples[at];
      if (example === undefined || rule === undefined) throw new Error('Choose a call and a rule.');
      return putPolicy(withTest(settingsOf(base.policy), rule, expected, example), base.etag);
    },
    onSuccess: ({ policy }) => {
      void client.invalidateQueries({ queryKey: [pathTo('getPolicy')] });
      onSaved(policy.version);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Save as test"
      confirm="Save"
      isPending={saving.isPending}
      error={saving.error}
      onConfirm={() => {
        if (current.data !== undefined && rule !== undefined && !runsRollout) saving.mutate(current.data);
      }}
      onClose={onClose}
    >
      {current.data === undefined ? (
        current.error === null ? (
          <Placeholder label="Loading the policy" lines={3} />
        ) : (
          <ErrorState error={current.error} retry={() => void current.refetch()} />
        )
      ) : runsRollout ? (
        <p>A roll-out of the policy runs. End it or put it in force first.</p>
      ) : rules.length === 0 ? (
        <p>The policy has no rule for tools yet.</p>
      ) : (
        <Stack gap="md">
          <p>The conversation and the call become part of the policy, with their texts.</p>
          <NativeSelect
            label="Call"
            data={examples.map(({ call: { name } }, index) => ({
              value: String(index),
              label: `${index + 1}. ${name}`,
            }))}
            value={String(at)}
            onChange={(event) => setAt(Number(event.currentTarget.value))}
          />
          <NativeSelect
            label="Rule"
            data={rules.map(({ id }) => id)}
            value={rule ?? ''}
            onChange={(event) => setRuleId(event.currentTarget.value)}
          />
          <NativeSelect
            label="Expected"
            data={[...EXPECTED]}
            value={expected}
            onChange={(event) => setExpected(event.currentTarget.value as Expected)}
          />
        </Stack>
      )}
    </ConfirmDialog>
  );
}
