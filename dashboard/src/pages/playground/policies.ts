import { useQuery } from '@tanstack/react-query';
import type { PolicyVersionView } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';

/** A policy to inspect with. */
export interface PolicyOption {
  readonly value: string;
  readonly label: string;
  /** Whose policy it is. */
  readonly keyId?: string;
  /** Instead of the policy in force. */
  readonly policy?: object;
}

/** What the guard is asked with: the key whose policy applies, a policy, or neither for the policy in force. */
export type ChosenPolicy = Pick<PolicyOption, 'label' | 'keyId' | 'policy'>;

/** The value of the option whose policy is written on the page. */
export const WRITTEN = 'written';

const PRESETS = ['monitor', 'balanced', 'strict'];
/** Keys in the list: the newest. */
const MAX_KEYS = 100;

/** The policies to choose from: the deployment's, the candidate of its roll-out, the presets, those of keys, and a written one. */
export function usePolicies(): readonly PolicyOption[] {
  const keys = useQuery(reading('listKeys', { query: { limit: MAX_KEYS } }));
  const current = useQuery({ ...reading('getPolicy', {}), enabled: useMay('getPolicy') });
  const candidate = (current.data as PolicyVersionView | undefined)?.rollout?.policy;
  return [
    { value: '', label: 'Deployment policy' },
    ...(candidate === undefined ? [] : [candidateOption(candidate)]),
    ...PRESETS.map((preset) => ({ value: preset, label: `Preset: ${preset}`, policy: { preset } })),
    ...(keys.data?.data ?? []).map(({ id, name }) => ({ value: id, label: `Key: ${name}`, keyId: id })),
    { value: WRITTEN, label: 'Policy as JSON' },
  ];
}

/** Budgets do not inspect, and no other policy than the deployment's has them. */
function candidateOption({ tagBudgets: _, ...policy }: { readonly tagBudgets?: unknown }): PolicyOption {
  return { value: 'candidate', label: 'Candidate of the roll-out', policy };
}

/** The option of a value; one that is gone meanwhile is the policy in force. */
export function chosenPolicy(
  value: string,
  options: readonly PolicyOption[],
  written: object | undefined,
): ChosenPolicy {
  const { label, keyId, policy } = options.find((one) => one.value === value) ?? { label: 'Deployment policy' };
  if (value === WRITTEN) return { label, ...(written !== undefined && { policy: written }) };
  return { label, ...(keyId !== undefined && { keyId }), ...(policy !== undefined && { policy }) };
}
