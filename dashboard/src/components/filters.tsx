import { NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { FormField } from '../api/operations.ts';
import classes from './components.module.css';
import { fromLocalInput, toLocalInput } from './format.ts';
import { choicesOf } from './labels.ts';
import { CUSTOM, RANGES, type Range, type RangeName, timesOf, writeRange } from './url-state.ts';

interface FilterFieldProps {
  readonly field: FormField;
  /** The choice without a filter. */
  readonly all?: string;
  /** Whether the label is only for assistive technology. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  onChange(changes: Readonly<Record<string, string>>): void;
}

/** A filter by a choice or by a text; numbers are texts, because they are typed digit by digit. */
export function FilterField({ field, all = 'All', isLabelHidden = false, value, onChange }: FilterFieldProps) {
  const { name, label, hint, kind } = field;
  const named = isLabelHidden ? { 'aria-label': label } : { label };
  return kind === 'select' || kind === 'switch' ? (
    <NativeSelect
      {...named}
      data={[{ value: '', label: all }, ...(kind === 'switch' ? YES_OR_NO : choicesOf(field))]}
      value={value}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  ) : (
    <TextInput
      {...named}
      placeholder={hint}
      value={value}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
}

const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** The filter fields of a page. */
export function FilterBar({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <search className={classes.filters} aria-label={label}>
      {children}
    </search>
  );
}

interface RangeFieldsProps {
  readonly range: Range;
  readonly label: string;
  /** Whether the label is only for assistive technology. */
  readonly isLabelHidden?: boolean;
  onChange(changes: Readonly<Record<string, string>>): void;
}

const OPTIONS = [
  ...Object.entries(RANGES).map(([value, { label }]) => ({ value, label })),
  { value: CUSTOM, label: 'Custom range' },
];

/** A time range, by name or by two times. */
export function RangeFields({ range, label, isLabelHidden = false, onChange }: RangeFieldsProps) {
  const isCustom = typeof range !== 'string';
  return (
    <>
      <NativeSelect
        {...(isLabelHidden ? { 'aria-label': label } : { label })}
        data={OPTIONS}
        value={isCustom ? CUSTOM : range}
        onChange={(event) => {
          const value = event.currentTarget.value;
          // The custom range starts with the range shown before.
          onChange(writeRange(value === CUSTOM ? timesOf(range, Date.now()) : (value as RangeName)));
        }}
      />
      {isCustom ? (
        <>
          <TimeField
            label="From"
            iso={range.from}
            isLabelHidden={isLabelHidden}
            onTime={(from) => onChange({ from })}
          />
          <TimeField label="To" iso={range.to} isLabelHidden={isLabelHidden} onTime={(to) => onChange({ to })} />
        </>
      ) : null}
    </>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly iso: string;
  readonly isLabelHidden: boolean;
  onTime(iso: string): void;
}

/** Takes effect on blur, so that a half-typed time sends no request. */
function TimeField({ label, iso, isLabelHidden, onTime }: TimeFieldProps) {
  const [text, setText] = useState(() => toLocalInput(iso));
  return (
    <TextInput
      type="datetime-local"
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => {
        const time = fromLocalInput(text);
        if (time === undefined) setText(toLocalInput(iso));
        else onTime(time);
      }}
    />
  );
}
