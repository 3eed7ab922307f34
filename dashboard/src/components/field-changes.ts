import type { FormField } from '../api/operations.ts';
import { fieldText, rowText } from './field-text.ts';
import { choicesOf } from './labels.ts';

/** What a save would change: a field, or a row of one, with its value now and then. */
export interface FieldChange {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

type Values = Readonly<Record<string, unknown>>;

/** The fields that differ between two bodies, as people read them; rows are compared one by one. */
export function changesOf(fields: readonly FormField[], before: object, after: object): readonly FieldChange[] {
  const [was, is] = [before as Values, after as Values];
  const all = fields.flatMap((field) => {
    const values = [was[field.name], is[field.name]] as const;
    if (field.kind === 'rows') return rowChanges(field, ...(values as readonly [Rows, Rows]));
    const [from, to] = values.map((value) => shown(field, value));
    return [{ label: field.label, before: from as string, after: to as string }];
  });
  return all.filter((change) => change.before !== change.after);
}

type Rows = readonly object[] | undefined;

function rowChanges(field: FormField, before: Rows = [], after: Rows = []): readonly FieldChange[] {
  const text = (row: object | undefined) => (row === undefined ? 'none' : rowText(field, row));
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => ({
    label: rowName(field, at),
    before: text(before[at]),
    after: text(after[at]),
  }));
}

/** `Target 1`, of the field `Targets`. */
export function rowName({ label }: FormField, at: number): string {
  return `${label.replace(/s$/, '')} ${at + 1}`;
}

/** An absent choice is the first one: what the API does by default. */
function shown(field: FormField, value: unknown): string {
  const isFirst = field.kind === 'select' && value === undefined;
  return isFirst ? (choicesOf(field)[0]?.label ?? 'none') : fieldText(field, value, 'none');
}
