import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reading } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import type { Settings } from './policy-settings.ts';
import { toolRulesOf, unmatchedRules } from './tool-settings.ts';

const WEEK_MS = 7 * 86_400_000;
const MOST_TOOLS = 100;

/** A warning about rules for tools that would have looked at no call of the last week: a wrong name or effect. */
export function UnmatchedRules({ saved }: { readonly saved: Settings }) {
  const [from] = useState(() => new Date(Date.now() - WEEK_MS).toISOString());
  const { data } = useQuery({
    ...reading('listTools', { query: { from, limit: MOST_TOOLS } }),
    enabled: useMay('listTools') && toolRulesOf(saved).length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // Of more tools not all are known.
  const ids = data === undefined || data.nextCursor !== null ? [] : unmatchedRules(saved, data.data);
  if (ids.length === 0) return null;
  return (
    <Alert color="yellow" title="Rules for tools that no agent called in the last 7 days">
      {ids.join(', ')}. Compare the names and effects of the rules with those on the page Tools.
    </Alert>
  );
}
