import { useQuery } from '@tanstack/react-query';
import { reading } from '../api/queries.ts';
import { useMay } from '../api/session.tsx';
import type { ChartMark } from './chart-drawing.tsx';

const FRESH_MS = 60_000;

/** The versions of the policy, newest first, for those who may read them. */
export function usePolicyMarks(): readonly ChartMark[] {
  const enabled = useMay('listPolicyVersions');
  const versions = useQuery({ ...reading('listPolicyVersions', {}), enabled, staleTime: FRESH_MS });
  return (versions.data?.data ?? []).flatMap(({ version, createdAt }) =>
    createdAt === null ? [] : [{ time: createdAt, name: `Policy version ${version}` }],
  );
}
