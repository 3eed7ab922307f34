import { Button, Group } from '@mantine/core';
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { Mark, Page, Threat } from '../../api/types.ts';
import { ActionError } from '../../parts/states.tsx';

export const MARK_NAMES: Readonly<Record<Mark, string>> = { false_positive: 'False positive', confirmed: 'Confirmed' };
const MARKS = Object.keys(MARK_NAMES) as Mark[];
const THREATS_PATH = '/v1/analytics/threats';

/** What an operator thinks of a finding; pressing what is set takes it back. */
export function Marks({ threat }: { readonly threat: Threat }) {
  const client = useQueryClient();
  const marking = useMutation({
    mutationFn: (mark: Mark | null) =>
      call<Threat>('PATCH', `${THREATS_PATH}/${encodeURIComponent(threat.id)}`, { body: { mark } }),
    onSuccess: ({ mark }) => {
      // In its place in every list that was read, so that the reader stays where he is.
      client.setQueriesData<InfiniteData<Page<Threat>>>(
        { queryKey: [THREATS_PATH] },
        (lists) => lists && withMark(lists, threat.id, mark),
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
