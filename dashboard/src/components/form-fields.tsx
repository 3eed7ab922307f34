import { Button, Fieldset, Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { FormField } from '../api/operations.ts';
import { rowName } from './field-changes.ts';
import { FieldControl, type FieldControlProps, messageAt } from './field-control.tsx';
import { defaultsOf, type Entered, type Form, type FormFault, toForm } from './field-form.ts';
import classes from './fields.module.css';
import { capitalised } from './labels.ts';

interface FormFieldsProps {
  readonly fields: readonly FormField[];
  readonly form: Form;
  readonly fault: FormFault | undefined;
  /** The place of the object with these fields, such as `filter.`. */
  readonly within?: string;
  /** The first field has the focus when the dialog opens. */
  readonly isFirst?: boolean;
  /** Another control of a field, by its place; undefined for the usual one. */
  controlOf?(at: string, props: FieldControlProps): ReactNode;
  onChange(form: Form): void;
}

/** The controls of fields: those of groups and of rows in their own sets. */
export function FormFields({ fields, within = '', isFirst = false, ...rest }: FormFieldsProps) {
  const { form, fault, controlOf, onChange } = rest;
  return fields.map((field, index) => {
    const at = `${within}${field.name}`;
    const change = (value: Entered) => onChange({ ...form, [at]: value });
    if (field.kind === 'group') {
      return (
        <Fieldset key={at} legend={capitalised(field.name)}>
          <Stack gap="md">
            <FormFields {...rest} fields={field.fields ?? []} within={`${at}.`} />
          </Stack>
        </Fieldset>
      );
    }
    if (field.kind === 'rows') {
      return <Rows key={at} field={field} rows={form[at] as readonly Form[]} fault={fault} at={at} onChange={change} />;
    }
    const control = { field, value: form[at], error: messageAt(fault, at), onChange: change };
    return (
      <div key={at}>{controlOf?.(at, control) ?? <FieldControl {...control} isFirst={isFirst && index === 0} />}</div>
    );
  });
}

interface RowsProps {
  readonly field: FormField;
  readonly rows: readonly Form[];
  readonly fault: FormFault | undefined;
  readonly at: string;
  onChange(rows: readonly Form[]): void;
}

/** A list of objects, each with its fields, in an order. */
function Rows({ field, rows, fault, at, onChange }: RowsProps) {
  const { label, hint, fields = [], minItems = 0, maxItems = Number.POSITIVE_INFINITY } = field;
  const [added, setAdded] = useState<number>();
  const list = useRef<HTMLDivElement>(null);
  const adding = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (added !== undefined) list.current?.children[added]?.querySelector<HTMLElement>('input, select')?.focus();
  }, [added]);
  const error = fault?.param === at ? fault.message : undefined;

  function add() {
    onChange([...rows, toForm(fields, defaultsOf(fields))]);
    setAdded(rows.length);
  }
  function remove(index: number) {
    onChange(rows.toSpliced(index, 1));
    setAdded(undefined);
    adding.current?.focus();
  }

  return (
    <Fieldset legend={label}>
      <Stack gap="sm">
        {hint === undefined ? null : <p className={classes.hint}>{hint}</p>}
        {error === undefined ? null : (
          <p className={classes.error} role="alert">
            {error}
          </p>
        )}
        <div ref={list} className={classes.rows}>
          {rows.map((row, index) => (
            <Row
              // A row has no other name than its place.
              key={index}
              {...{ name: rowName(field, index), fields, row }}
              fault={inRow(fault, `${at}[${index}].`)}
              onChange={(next) => onChange(rows.with(index, next))}
              {...(index > 0 && { onUp: () => onChange(swapped(rows, index)) })}
              {...(rows.length > minItems && { onRemove: () => remove(index) })}
            />
          ))}
        </div>
        <Group>
          <Button ref={adding} variant="default" size="xs" disabled={rows.length >= maxItems} onClick={add}>
            Add {rowName(field, 0).replace(/ 1$/, '').toLowerCase()}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

/** The row before this one after it. */
function swapped(rows: readonly Form[], index: number): readonly Form[] {
  return rows.toSpliced(index - 1, 2, rows[index] as Form, rows[index - 1] as Form);
}

/** The fault of a field of a row, by its place there. */
function inRow(fault: FormFault | undefined, at: string): FormFault | undefined {
  return fault?.param.startsWith(at) ? { ...fault, param: fault.param.slice(at.length) } : undefined;
}

interface RowProps {
  readonly name: string;
  readonly fields: readonly FormField[];
  readonly row: Form;
  readonly fault: FormFault | undefined;
  onChange(row: Form): void;
  onUp?(): void;
  onRemove?(): void;
}

function Row({ name, fields, row, fault, onChange, onUp, onRemove }: RowProps) {
  return (
    <Fieldset legend={name} className={classes.row ?? ''}>
      <div className={classes.grid}>
        <FormFields fields={fields} form={row} fault={fault} onChange={onChange} />
      </div>
      <Group gap="xs">
        {onUp === undefined ? null : (
          <Button variant="default" size="xs" onClick={onUp} aria-label={`Move up ${name}`}>
            Move up
          </Button>
        )}
        {onRemove === undefined ? null : (
          <Button variant="default" size="xs" onClick={onRemove} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        )}
      </Group>
    </Fieldset>
  );
}
