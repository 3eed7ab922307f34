import { useQuery } from '@tanstack/react-query';
import type { RowOf } from '../../../../functions/contract/index.ts';
import { reading } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';

/** All teams; none for a person who may not list them. */
export function useTeams(): readonly RowOf<'listTeams'>[] {
  const enabled = useMay('listTeams');
  return useQuery({ ...reading('listTeams', {}), enabled }).data?.data ?? [];
}
