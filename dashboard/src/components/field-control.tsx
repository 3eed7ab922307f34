import { MultiSelect, NativeSelect, NumberInput, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { FormField } from '../api/operations.ts';
import type { Amount, Entered, FormFault } from './field-form.ts';
import classes from './fields.module.css';
import { choicesOf, periodName } from './labels.ts';

export interface FieldControlProps {
  readonly field: FormField;
  readonly value: Entered;
  readonly error: string | undefined;
  /** Of a text. */
  readonly type?: 'url';
  /** Has the focus when the dialog opens. */
  readonly isFirst?: boolean;
  onChange(value: Entered): void;
}

/** The control of a field, by its kind. */
export function FieldControl(props: FieldControlProps) {
  const { field, value, error, onChange } = props;
  const described = { label: field.label, description: field.hint, error };
  switch (field.kind) {
    case 'amount':
      return <AmountControl {...{ field, error, onChange }} value={value as Amount} />;
    case 'number':
      return <NumberControl {...{ field, error, onChange }} value={value as number | '' | undefined} />;
    case 'switch':
      return (
        <Switch {...described} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
      );
    case 'select':
      return (
        <NativeSelect
          {...described}
          data={field.isNullable ? [{ value: '', label: 'None' }, ...choicesOf(field)] : choicesOf(field)}
          value={value as string}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'choices':
    case 'list':
    case 'pairs': {
      const list = { ...described, value: [...(value as string[])], onChange };
      return field.kind === 'choices' && !field.isOpen ? (
        <MultiSelect {...list} data={choicesOf(field)} />
      ) : (
        <TagsInput {...list} acceptValueOnBlur />
      );
    }
    default:
      return <TextControl {...props} />;
  }
}

/** A text, a time or JSON. A text has its hint where it will be. */
function TextControl({ field, value, error, type, isFirst, onChange }: FieldControlProps) {
  const { label, hint, kind, isRequired, maxLength } = field;
  const named = { label, error, value: value as string };
  if (kind === 'json') {
    return (
      <Textarea
        {...named}
        description={hint}
        onChange={(event) => onChange(event.currentTarget.value)}
        rows={5}
        spellCheck={false}
        classNames={{ input: classes.code ?? '' }}
      />
    );
  }
  const shown =
    kind === 'time'
      ? { type: 'datetime-local', step: 1, description: hint }
      : { ...(type && { type }), ...(hint && { placeholder: hint }), ...(maxLength && { maxLength }) };
  return (
    <TextInput
      {...named}
      {...shown}
      {...(isRequired && { required: true })}
      {...(isFirst && { 'data-autofocus': true })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface NumberControlProps {
  readonly field: FormField;
  readonly value: number | '' | undefined;
  readonly error: string | undefined;
  onChange(value: number | ''): void;
}

/** A count has its hint where its digits will be; a fraction has steps. */
function NumberControl({ field, value = '', error, onChange }: NumberControlProps) {
  const { label, hint, minimum = 0, maximum, isWhole } = field;
  const isFraction = maximum === 1;
  return (
    <NumberInput
      {...{ label, error, value, min: minimum, ...(maximum !== undefined && { max: maximum }) }}
      {...(isFraction ? { description: hint, step: 0.05 } : { thousandSeparator: ',', hideControls: true })}
      {...(!isFraction && hint !== undefined && { placeholder: hint })}
      {...(!isFraction && { decimalScale: isWhole ? 0 : 6 })}
      onChange={(next) => onChange(typeof next === 'number' ? next : '')}
    />
  );
}

interface AmountControlProps {
  readonly field: FormField;
  readonly value: Amount;
  readonly error: string | undefined;
  onChange(value: Amount): void;
}

function AmountControl({ field, value, error, onChange }: AmountControlProps) {
  const periods = (field.periods ?? []).map((period) => ({ value: period, label: `per ${periodName(period)}` }));
  return (
    <div className={classes.amount}>
      <NumberControl
        field={field}
        value={value.amount}
        error={error}
        onChange={(amount) => onChange({ ...value, amount })}
      />
      <NativeSelect
        aria-label={`${field.label}: period`}
        data={periods}
        value={value.period}
        onChange={(event) => onChange({ ...value, period: event.currentTarget.value })}
      />
    </div>
  );
}

/** The message of a fault that is about one of these places or a member of them. */
export function messageAt(fault: FormFault | undefined, ...places: readonly string[]): string | undefined {
  const isAt = (place: string) =>
    fault?.param === place || fault?.param.startsWith(`${place}.`) || fault?.param.startsWith(`${place}[`);
  return places.some(isAt) ? fault?.message : undefined;
}
