import { Alert, Button, Group, Modal, Stack, Table } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../api/client.ts';
import type { FormField } from '../api/operations.ts';
import type { FieldChange } from './field-changes.ts';
import type { FieldControlProps } from './field-control.tsx';
import type { Form, FormFault, Made } from './field-form.ts';
import classes from './fields.module.css';
import { FormFields } from './form-fields.tsx';
import { ActionError } from './page.tsx';

interface FormDialogProps<Body> {
  readonly title: string;
  /** The button's text: a verb. */
  readonly submit: string;
  readonly intro?: ReactNode;
  /** They may depend on what is entered. */
  readonly fields: readonly FormField[] | ((form: Form) => readonly FormField[]);
  readonly begin: Form;
  readonly saving: Pick<UseMutationResult<unknown, Error, Body>, 'mutate' | 'reset' | 'isPending' | 'error'>;
  toBody(form: Form): Made<Body>;
  /** What the body changes, which is shown before it is saved. */
  changesOf?(body: Body): readonly FieldChange[];
  /** Reads what another user has saved meanwhile. */
  onReload?(body: Body): void;
  controlOf?(at: string, props: FieldControlProps): ReactNode;
  onClose(): void;
}

/** A form in a dialog. The first fault is at its field, the browser's and then the server's. */
export function FormDialog<Body>(props: FormDialogProps<Body>) {
  const { title, submit, intro, fields, begin, saving, toBody, changesOf, onReload, controlOf, onClose } = props;
  const [form, setForm] = useState(begin);
  const [fault, setFault] = useState<FormFault>();
  const [reviewed, setReviewed] = useState<Body>();
  const { error } = saving;
  const serverFault = faultOf(error);
  const changes = reviewed === undefined || serverFault !== undefined ? undefined : changesOf?.(reviewed);

  function send(event: FormEvent) {
    event.preventDefault();
    if (changes !== undefined) return saving.mutate(reviewed as Body);
    const made = toBody(form);
    setFault('fault' in made ? made.fault : undefined);
    if ('fault' in made) return;
    saving.reset();
    if (changesOf === undefined) saving.mutate(made.body);
    else setReviewed(made.body);
  }

  const isOvertaken = error instanceof ApiError && error.status === 412 && reviewed !== undefined;
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={send} noValidate autoComplete="off">
        <Stack gap="md">
          {intro === undefined || changes !== undefined ? null : <div>{intro}</div>}
          {changes === undefined ? (
            <FormFields
              {...{ form, isFirst: true }}
              fields={typeof fields === 'function' ? fields(form) : fields}
              {...(controlOf && { controlOf })}
              fault={fault ?? serverFault}
              onChange={setForm}
            />
          ) : (
            <Changes changes={changes} />
          )}
          {isOvertaken && onReload !== undefined ? (
            <Overtaken onReload={() => onReload(reviewed)} />
          ) : (
            <ActionError error={error} />
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={changes === undefined ? onClose : () => setReviewed(undefined)}>
              {changes === undefined ? 'Cancel' : 'Back'}
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={changes?.length === 0 || isOvertaken}>
              {changesOf !== undefined && changes === undefined ? 'Review changes' : submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The field that the server's error is about. */
function faultOf(error: Error | null): FormFault | undefined {
  if (!(error instanceof ApiError) || error.param === undefined || error.status === 412) return undefined;
  return { param: error.param, message: error.message };
}

function Overtaken({ onReload }: { onReload(): void }) {
  return (
    <Alert color="yellow" role="alert" title="Another user saved a newer version">
      <Stack gap="sm">
        <p>Nothing was saved. Reload to compare your changes with the newer version.</p>
        <Group>
          <Button size="sm" variant="default" onClick={onReload}>
            Reload
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function Changes({ changes }: { readonly changes: readonly FieldChange[] }) {
  if (changes.length === 0) return <p>Nothing has changed.</p>;
  return (
    <Table aria-label="Changes" className={classes.changes ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Field</Table.Th>
          <Table.Th>Now</Table.Th>
          <Table.Th>After saving</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ label, before, after }) => (
          <Table.Tr key={label}>
            <Table.Td>{label}</Table.Td>
            <Table.Td>{before}</Table.Td>
            <Table.Td>{after}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
