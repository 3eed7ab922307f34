import { Button, Group, Modal, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { ResponseOf } from '../../../../functions/contract/index.ts';
import { reading } from '../../api/queries.ts';
import shared from '../../components/components.module.css';
import { formatExact } from '../../components/format.ts';
import { ErrorState } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import classes from './tools.module.css';

export type Proposal = ResponseOf<'suggestTools'>['proposals'][number];

/** Rules that the calls of the last week suggest. */
export function useSuggestion(isWanted: boolean) {
  return useQuery({ ...reading('suggestTools', {}), staleTime: 300_000, enabled: isWanted });
}

/** Opens the form of the policy with changes of its `tools`, which the viewer may save. */
export function useOpenInPolicy(): (adds: readonly Proposal['adds'][]) => void {
  const [, go] = useLocation();
  return (adds) => go('/policy', { state: { adds } });
}

/** The proposals for all tools, before they are added to the form of the policy. */
export function SuggestionDialog({ onClose }: { readonly onClose: () => void }) {
  const suggestion = useSuggestion(true);
  const open = useOpenInPolicy();
  const { data, error } = suggestion;
  return (
    <Modal opened onClose={onClose} title="Suggested rules" size="xl" closeButtonProps={{ 'aria-label': 'Close' }}>
      {data === undefined ? (
        error === null ? (
          <Placeholder label="Reading the calls of the last 7 days" lines={6} />
        ) : (
          <ErrorState error={error} retry={() => void suggestion.refetch()} />
        )
      ) : (
        <Stack gap="md">
          <p>
            From {formatExact(data.requests)} requests of the last 7 days. Each proposal rests on at least{' '}
            {data.minCalls} calls, and flags only.
          </p>
          {data.proposals.length === 0 ? (
            <p>No proposals: there are too few calls, or the policy has such rules.</p>
          ) : null}
          <ProposalList proposals={data.proposals} />
          <Limits sentences={data.unknown} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button disabled={data.proposals.length === 0} onClick={() => open(data.proposals.map(({ adds }) => adds))}>
              Open in the policy
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

export function ProposalList({ proposals }: { readonly proposals: readonly Proposal[] }) {
  return (
    <ul className={shared.plainList}>
      {proposals.map(({ tool, argument, adds, reason }) => (
        <li key={JSON.stringify(adds)}>
          <strong>{[tool ?? 'All tools', argument].filter(Boolean).join(', ')}</strong>: {textOf(adds)}
          <br />
          <span className={classes.small}>{reason}</span>
        </li>
      ))}
    </ul>
  );
}

export function Limits({ sentences }: { readonly sentences: readonly string[] }) {
  return <p className={classes.small}>{sentences.join(' ')}</p>;
}

/** What a proposal adds, in words. */
export function textOf({ effects = {}, unlisted, rules = [] }: Proposal['adds']): string {
  return [
    ...Object.values(effects).map((effect) => `effect ${effect}`),
    ...(unlisted === undefined ? [] : ['flag tools without an effect']),
    ...rules.map(({ args = {}, after }) => {
      const sources = Object.values(args).flatMap(({ from = [] }) => from);
      return after === undefined
        ? `flag values that are not from ${sources.join(', ')}`
        : 'flag calls after public results';
    }),
  ].join('; ');
}
