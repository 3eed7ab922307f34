import { Button, Group } from '@mantine/core';
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Mark, Threat, ThreatDetail } from '../../api/client.ts';
import { call, pathTo } from '../../api/operations.ts';
import type { Page } from '../../api/queries.ts';
import classes from '../../components/components.module.css';
import { formatScore } from '../../components/format.ts';
import { ruleName, THREAT_NAMES } from '../../components/labels.ts';
import { ActionError } from '../../components/page.tsx';
import { ActionTag } from '../../components/tag.tsx';

export const MARK_NAMES: Readonly<Record<Mark, string>> = { false_positive: 'False alarm', confirmed: 'Confirmed' };
const MARKS = Object.keys(MARK_NAMES) as Mark[];

export function FindingLink({ threat }: { readonly threat: Pick<Threat, 'id' | 'type'> }) {
  return <Link href={`/threats/${encodeURIComponent(threat.id)}`}>{THREAT_NAMES[threat.type]}</Link>;
}

/** Findings of one request, each with its decision, score, rule and mark. */
export function FindingList({ findings }: { readonly findings: readonly Threat[] }) {
  return (
    <ul className={classes.plainList}>
      {findings.map((finding) => (
        <li key={finding.id}>
          <FindingLink threat={finding} /> <ActionTag action={finding.action} /> {formatScore(finding.score)}{' '}
          <code>{ruleName(finding)}</code> {finding.mark === null ? '' : MARK_NAMES[finding.mark]}
        </li>
      ))}
    </ul>
  );
}

/** Buttons that mark a finding; pressing the active one removes the mark. */
export function Marks({ threat }: { readonly threat: Threat }) {
  const client = useQueryClient();
  const marking = useMutation({
    mutationFn: (mark: Mark | null) => call('markThreat', { params: { id: threat.id }, body: { mark } }),
    onSuccess: (marked) => {
      client.setQueryData<ThreatDetail>(
        [pathTo('getThreat', { id: threat.id })],
        (detail) => detail && { ...detail, ...marked },
      );
      void client.invalidateQueries({ queryKey: [pathTo('getRequest', { id: threat.requestId })] });
      // Updated in place in all loaded lists, so that they do not jump.
      client.setQueriesData<InfiniteData<Page<Threat>>>(
        { queryKey: [pathTo('listThreats')] },
        (lists) => lists && withMark(lists, threat.id, marked.mark),
      );
    },
  });
  return (
    <>
      <Group gap="sm">
        {MARKS.map((mark) => (
          <Button
            key={mark}
            size="sm"
            variant={threat.mark === mark ? 'filled' : 'default'}
            aria-pressed={threat.mark === mark}
            loading={marking.isPending && marking.variables === mark}
            onClick={() => marking.mutate(threat.mark === mark ? null : mark)}
          >
            {MARK_NAMES[mark]}
          </Button>
        ))}
      </Group>
      <ActionError error={marking.error} />
    </>
  );
}

function withMark(lists: InfiniteData<Page<Threat>>, id: string, mark: Mark | null): InfiniteData<Page<Threat>> {
  const pages = lists.pages.map((page) =>
    page.data.some((threat) => threat.id === id)
      ? { ...page, data: page.data.map((threat) => (threat.id === id ? { ...threat, mark } : threat)) }
      : page,
  );
  return { ...lists, pages };
}
