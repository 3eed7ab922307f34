import { useQuery } from '@tanstack/react-query';
import { reading } from './queries.ts';
import { useMay } from './session.tsx';

const REFRESH_MS = 15_000;
/** More are shown as "100+". */
const COUNTED = 100;

/** How many tool calls wait for a person; undefined until loaded, and without the permission to decide. */
export function useWaitingCalls(): string | undefined {
  const { data } = useQuery({
    ...reading('listApprovals', { query: { state: 'pending', limit: COUNTED } }),
    enabled: useMay('listApprovals'),
    refetchInterval: REFRESH_MS,
  });
  return data && `${data.data.length}${data.nextCursor === null ? '' : '+'}`;
}
