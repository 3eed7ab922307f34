import type { RowOf } from '../../../../functions/contract/index.ts';
import { choicesOf } from '../../components/labels.ts';
import { filterOf } from '../../components/query-chips.ts';
import { StateTag } from '../../components/tag.tsx';
import { visibleStart } from '../../components/visible-text.ts';

export const STATE_FILTER = filterOf('listApprovals', 'state');
const NAMES = new Map(choicesOf(STATE_FILTER).map(({ value, label }) => [value, label]));

export function ApprovalState({ state }: { readonly state: RowOf<'listApprovals'>['state'] }) {
  return <StateTag state={NAMES.get(state) ?? state} />;
}

const LONGEST_VALUE = 300;
const LONGEST_NAME = 60;
const MAX_ARGUMENTS = 12;

/** The first arguments of a call with the starts of their values; those of a text that is no JSON object as a whole. */
export function argumentsOf(written: string): readonly (readonly [name: string, value: string])[] {
  const start = (value: unknown) =>
    visibleStart(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_VALUE);
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const all = Object.entries(value);
      const shown = all
        .slice(0, MAX_ARGUMENTS)
        .map(([name, one]) => [visibleStart(name, LONGEST_NAME), start(one)] as const);
      const more = all.length - shown.length;
      return more > 0 ? [...shown, ['Not shown', `${more} more arguments`]] : shown;
    }
  } catch {}
  return written === '' ? [] : [['Arguments', start(written)]];
}
