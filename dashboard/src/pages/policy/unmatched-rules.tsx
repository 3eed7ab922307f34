import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reading } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import type { Settings } from './policy-settings.ts';
import { toolRulesOf } from './tool-settings.ts';

const WEEK_MS = 7 * 86_400_000;

/** Warnings about rules for tools, and their arguments, that would have looked at no call of the last week: a wrong name or effect. */
export function UnmatchedRules({ saved }: { readonly saved: Settings }) {
  const [from] = useState(() => new Date(Date.now() - WEEK_MS).toISOString());
  const rules = toolRulesOf(saved);
  const { queryKey, queryFn } = reading('listTools', { query: { from, limit: 1 } });
  const { data } = useQuery({
    // Another policy has other rules.
    queryKey: [...queryKey, rules],
    queryFn,
    enabled: useMay('listTools') && rules.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const ids = data?.unmatchedRules ?? [];
  const missing = (data?.unmatchedArguments ?? []).map(({ rule, argument }) => `${argument} (${rule})`);
  return (
    <>
      {ids.length === 0 ? null : (
        <Alert color="yellow" title="Rules for tools that no agent called in the last 7 days">
          {ids.join(', ')}. Compare the names and effects of the rules with those on the page Tools.
        </Alert>
      )}
      {missing.length === 0 ? null : (
        <Alert color="yellow" title="Arguments of rules that no recorded call had in the last 7 days">
          {missing.join(', ')}. Compare the names with those on the page of the tool.
        </Alert>
      )}
    </>
  );
}
