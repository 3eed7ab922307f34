import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ResponseOf } from '../../../../functions/contract/index.ts';
import { ApiError } from '../../api/client.ts';
import { call, OPERATIONS, pathTo } from '../../api/operations.ts';
import { FieldControl, messageAt } from '../../components/field-control.tsx';
import { type Form, type FormFault, toBody, toForm } from '../../components/field-form.ts';
import { NOTHING } from '../../components/format.ts';
import { ActionError } from '../../components/page.tsx';
import classes from './prices.module.css';

type Body = Parameters<typeof call<'setPrice'>>[1]['body'];

export type ModelPriceList = Extract<ResponseOf<'getPrices'>, { readonly object: 'list' }>;
export type ModelPriceView = ModelPriceList['data'][number];

const FIELDS = OPERATIONS.setPrice.body;

/** Reloads prices on every page. */
export function usePricesChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () =>
    client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(pathTo('getPrices')) });
}

interface PriceDialogProps {
  /** The price in force; absent for a new model. */
  readonly price?: ModelPriceView;
  onClose(): void;
}

/** Sets or removes the price of a model, and shows what changes before. */
export function PriceDialog({ price, onClose }: PriceDialogProps) {
  const [before] = useState(() => toForm(FIELDS, { input: null, output: null, ...price, validFrom: undefined }));
  const [form, setForm] = useState<Form>(before);
  const [fault, setFault] = useState<FormFault>();
  const pricesChanged = usePricesChanged();
  const onSuccess = async () => {
    await pricesChanged();
    onClose();
  };
  const saving = useMutation({
    // The form has no service tiers: those of the price stay.
    mutationFn: (body: Body) =>
      call('setPrice', { body: { ...(price?.serviceTiers && { serviceTiers: price.serviceTiers }), ...body } }),
    onSuccess,
  });
  const removing = useMutation({
    mutationFn: (model: string) => call('removePrice', { body: { model } }),
    onSuccess,
  });
  const error = saving.error ?? removing.error;
  const ofServer =
    error instanceof ApiError && error.param !== undefined ? { param: error.param, message: error.message } : undefined;
  const shown = fault ?? ofServer;

  function submit(event: FormEvent) {
    event.preventDefault();
    const made = toBody<Body>(FIELDS, form);
    setFault('fault' in made ? made.fault : undefined);
    if ('body' in made) saving.mutate(made.body);
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={price === undefined ? 'New price' : `Price of “${price.model}”`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <p className={classes.note}>US dollars per million tokens. Empty fields follow from input and output.</p>
          <div className={classes.fields}>
            {FIELDS.filter(({ name }) => price === undefined || name !== 'model').map((field, at) => (
              <FieldControl
                key={field.name}
                field={field}
                value={form[field.name]}
                error={messageAt(shown, field.name)}
                isFirst={at === 0}
                onChange={(value) => setForm({ ...form, [field.name]: value })}
              />
            ))}
          </div>
          {price === undefined ? null : <Changes before={before} after={form} />}
          {shown === undefined ? (
            <ActionError error={error} />
          ) : (
            <Alert color="red" role="alert" title="Invalid input">
              {shown.message}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            {price === undefined || price.source === 'table' ? null : (
              <Button
                variant="default"
                color="red"
                loading={removing.isPending}
                onClick={() => removing.mutate(price.model)}
              >
                Remove price
              </Button>
            )}
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isPending}>
              Save price
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The fields that would change. */
function Changes({ before, after }: { readonly before: Form; readonly after: Form }) {
  const changed = FIELDS.filter(({ name }) => String(before[name] ?? '') !== String(after[name] ?? ''));
  if (changed.length === 0) return <p className={classes.note}>Nothing is changed yet.</p>;
  return (
    <dl className={classes.changes} aria-label="Changes">
      {changed.map(({ name, label }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>
            {String(before[name] ?? '') || NOTHING} → {String(after[name] ?? '') || NOTHING}
          </dd>
        </div>
      ))}
    </dl>
  );
}
