import type { RowOf } from '../../../../functions/contract/index.ts';
import { choicesOf } from '../../components/labels.ts';
import { filterOf } from '../../components/list-filters.ts';
import { StateTag } from '../../components/tag.tsx';

export const STATE_FILTER = filterOf('listApprovals', 'state');
const NAMES = new Map(choicesOf(STATE_FILTER).map(({ value, label }) => [value, label]));

export function ApprovalState({ state }: { readonly state: RowOf<'listApprovals'>['state'] }) {
  return <StateTag state={NAMES.get(state) ?? state} />;
}

const LONGEST_VALUE = 120;
const MAX_ARGUMENTS = 12;

/** The first arguments of a call with the starts of their values; those of a text that is no JSON object as a whole. */
export function argumentsOf(written: string): readonly (readonly [name: string, value: string])[] {
  const start = (value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
  };
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.entries(value)
        .slice(0, MAX_ARGUMENTS)
        .map(([name, one]) => [name, start(one)]);
  } catch {}
  return written === '' ? [] : [['Arguments', start(written)]];
}
