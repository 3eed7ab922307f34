import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useId, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { OperationId } from '../../../functions/contract/index.ts';
import type { Query } from '../api/client.ts';
import type { FormField } from '../api/operations.ts';
import { RangeFields } from './filters.tsx';
import { formatCount } from './format.ts';
import { Icon } from './icons.tsx';
import classes from './query-bar.module.css';
import { type Chip, chipsIn, filtersOf, type Suggestion, withChip, withoutChip, withoutChips } from './query-chips.ts';
import { fieldsMatching, matching, useSuggestions, useValueNames } from './query-suggestions.ts';
import { SavedViews } from './saved-views.tsx';
import { type RangeName, readRange, timesOf, withChanges } from './url-state.ts';

interface QueryBarProps {
  /** Its filters are offered. */
  readonly id: OperationId;
  /** For assistive technology. */
  readonly label: string;
  /** Of the time range, where the list has one. */
  readonly rangeLabel?: string;
  /** Of a list with few entries a day; by default the last 24 hours. */
  readonly defaultRange?: RangeName;
  readonly placeholder?: string;
}

/** The filters of a page as chips, found by typing a name or a value. All are in the URL, and each change is a step for the back button. */
export function QueryBar({
  id,
  label,
  rangeLabel,
  defaultRange,
  placeholder = 'Filter by key, model…',
}: QueryBarProps) {
  const [search, setSearch] = useSearchParams();
  const fields = filtersOf(id);
  const chips = chipsIn(search, id);
  const nameOf = useValueNames(chips, fields);
  const fieldOf = (name: string) => fields.find((field) => field.name === name) as FormField;
  const canExclude = EXCLUDING.has(id);
  const range = readRange((name) => search.get(name) ?? '', defaultRange);
  return (
    <search className={classes.bar} aria-label={label}>
      {rangeLabel === undefined ? null : (
        <RangeFields
          range={range}
          label={rangeLabel}
          isLabelHidden
          onChange={(changes) => setSearch((before) => withChanges(before, changes))}
        />
      )}
      <div className={classes.box}>
        <Icon name="search" size={14} />
        {chips.map((chip) => (
          <ChipView
            key={`${chip.name}=${chip.value}${chip.isNot}`}
            chip={chip}
            label={fieldOf(chip.name).label}
            value={nameOf(chip)}
            onToggle={
              canExclude
                ? () => setSearch((before) => withChip(before, { ...chip, isNot: !chip.isNot }, fieldOf(chip.name)))
                : undefined
            }
            onRemove={() => setSearch((before) => withoutChip(before, chip))}
          />
        ))}
        <Finder
          id={id}
          fields={fields}
          range={rangeLabel === undefined ? {} : { ...timesOf(range, Date.now()) }}
          canExclude={canExclude}
          placeholder={chips.length === 0 ? placeholder : ''}
          onChip={(chip) => setSearch((before) => withChip(before, chip, fieldOf(chip.name)))}
          onBack={() => {
            const last = chips.at(-1);
            if (last !== undefined) setSearch((before) => withoutChip(before, last));
          }}
        />
        {chips.length === 0 ? null : (
          <Button variant="subtle" size="compact-xs" onClick={() => setSearch((before) => withoutChips(before, id))}>
            Clear
          </Button>
        )}
      </div>
      <SavedViews />
    </search>
  );
}

/** Lists that take filters which must not hold. */
const EXCLUDING: ReadonlySet<OperationId> = new Set(['listRequests', 'listThreats']);

interface ChipViewProps {
  readonly chip: Chip;
  readonly label: string;
  readonly value: string;
  readonly onToggle: (() => void) | undefined;
  onRemove(): void;
}

function ChipView({ chip: { isNot }, label, value, onToggle, onRemove }: ChipViewProps) {
  const text = (
    <>
      <span className={classes.chipName}>
        {label} {isNot ? 'is not' : 'is'}
      </span>{' '}
      {value}
    </>
  );
  return (
    <span className={classes.chip} data-not={isNot}>
      {onToggle === undefined ? (
        <span className={classes.chipText}>{text}</span>
      ) : (
        <button
          type="button"
          className={classes.chipText}
          title={isNot ? 'Only these' : 'All but these'}
          onClick={onToggle}
        >
          {text}
        </button>
      )}
      <button type="button" className={classes.chipClose} aria-label={`Remove ${label} ${value}`} onClick={onRemove}>
        <Icon name="close" size={12} />
      </button>
    </span>
  );
}

interface FinderProps {
  readonly id: OperationId;
  readonly fields: readonly FormField[];
  readonly range: Query;
  readonly canExclude: boolean;
  readonly placeholder: string;
  onChip(chip: Chip): void;
  onBack(): void;
}

/** A field that suggests filters, and then their values. A `-` before it excludes. */
function Finder({ id, fields, range, canExclude, placeholder, onChip, onBack }: FinderProps) {
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [written, setWritten] = useState('');
  const [chosen, setChosen] = useState<FormField>();
  const [at, setAt] = useState(0);
  const isNot = canExclude && written.startsWith('-');
  const text = isNot ? written.slice(1) : written;
  const [settled] = useDebouncedValue(text.trim(), 200);
  const suggestions = useSuggestions(id, chosen === undefined ? fields : [chosen], range, settled, isOpen);
  const values = matching(suggestions, fields, text, chosen);
  const names = chosen === undefined ? fieldsMatching(fields, text) : [];
  const options: readonly (Suggestion | FormField)[] = [...names, ...values];
  const active = Math.min(at, options.length - 1);

  function reset() {
    setWritten('');
    setChosen(undefined);
    setAt(0);
  }

  function choose(option: Suggestion | FormField | undefined) {
    if (option === undefined) return;
    if ('field' in option) {
      onChip({ name: option.field.name, value: option.value, isNot });
      reset();
      setOpen(false);
    } else {
      setOpen(true);
      setChosen(option);
      setWritten(isNot ? '-' : '');
      setAt(0);
    }
  }

  function onKey(event: KeyboardEvent) {
    if (event.key === 'Enter') choose(options[Math.max(0, active)]);
    else if (event.key === 'ArrowDown') {
      setOpen(true);
      setAt(Math.min(active + 1, options.length - 1));
    } else if (event.key === 'ArrowUp') setAt(Math.max(active - 1, 0));
    else if (event.key === 'Escape') {
      reset();
      setOpen(false);
    } else if (event.key === 'Backspace' && written === '') {
      if (chosen === undefined) onBack();
      else setChosen(undefined);
    } else return;
    event.preventDefault();
  }

  return (
    <div className={classes.finder}>
      {chosen === undefined ? null : <span className={classes.chipName}>{chosen.label}:</span>}
      <input
        className={classes.input}
        role="combobox"
        aria-label={chosen === undefined ? 'Add a filter' : chosen.label}
        aria-expanded={isOpen && options.length > 0}
        aria-controls={listId}
        aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
        aria-autocomplete="list"
        placeholder={chosen === undefined ? placeholder : (chosen.hint ?? '')}
        value={written}
        onChange={(event) => {
          setWritten(event.currentTarget.value);
          setAt(0);
          setOpen(true);
        }}
        onKeyDown={onKey}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
      />
      {isOpen && options.length > 0 ? (
        <div id={listId} role="listbox" aria-label="Filters and values" className={classes.list}>
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={'field' in option ? `${option.field.name}=${option.value}` : option.name}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              className={classes.option}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
              onPointerMove={() => setAt(index)}
            >
              {'field' in option ? (
                <ValueOption option={option} isNot={isNot} isAlone={chosen !== undefined} />
              ) : (
                `${option.label}…`
              )}
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}

interface ValueOptionProps {
  readonly option: Suggestion;
  readonly isNot: boolean;
  /** Whether its filter is chosen already. */
  readonly isAlone: boolean;
}

function ValueOption({ option: { field, label, count }, isNot, isAlone }: ValueOptionProps) {
  return (
    <>
      {isAlone ? null : (
        <span className={classes.chipName}>
          {field.label} {isNot ? 'is not' : 'is'}{' '}
        </span>
      )}
      <span className={classes.value}>{label}</span>
      {count === undefined ? null : <span className={classes.count}>{formatCount(count)}</span>}
    </>
  );
}
