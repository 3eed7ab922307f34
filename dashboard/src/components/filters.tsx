import { NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './components.module.css';
import { fromLocalInput, toLocalInput } from './format.ts';
import { CUSTOM, RANGES, type Range, type RangeName, timesOf, writeRange } from './url-state.ts';

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
