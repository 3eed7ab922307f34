import { Modal, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { reading, usePagedList } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { changedFields, type Form } from '../../components/field-form.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { formatTime } from '../../components/format.ts';
import { ActionError } from '../../components/page.tsx';
import { useChange } from '../providers/use-change.ts';
import { type Alert, type AlertBody, fieldsOf, toAlertBody, toAlertForm } from './alert-form.ts';
import { stateText, valueText } from './alert-text.ts';

interface DialogProps {
  onClose(): void;
}
type OneProps = DialogProps & { readonly alert: Alert };

/** Fields with the webhooks and teams that there are; without teams for a person who may not list them. */
function useFields() {
  const { rows } = usePagedList('listWebhooks', {});
  const { data: teams } = useQuery({ ...reading('listTeams', {}), enabled: useMay('listTeams') });
  return (form: Form) => fieldsOf(form, rows, teams?.data);
}

/** Creates an alert. */
export function CreateAlertDialog({ onClose }: DialogProps) {
  const creating = useChange((body: AlertBody) => call('createAlert', { body }), onClose);
  return (
    <FormDialog
      title="New alert"
      submit="Create alert"
      intro={<p>It is evaluated every minute.</p>}
      fields={useFields()}
      begin={toAlertForm()}
      saving={creating}
      toBody={toAlertBody}
      onClose={onClose}
    />
  );
}

/** Changes an alert. Only what was changed is sent. */
export function EditAlertDialog({ alert, onClose }: OneProps) {
  const begin = toAlertForm(alert);
  const before = toAlertBody(begin);
  const saving = useChange(
    (body: AlertBody) =>
      call('updateAlert', {
        params: { id: alert.id },
        body: 'body' in before ? changedFields(before.body, body) : body,
      }),
    onClose,
  );
  return (
    <FormDialog
      title={`Edit “${alert.name}”`}
      submit="Save"
      fields={useFields()}
      begin={begin}
      saving={saving}
      toBody={toAlertBody}
      onClose={onClose}
    />
  );
}

/** When an alert began to fire and was resolved. */
export function AlertHistoryDialog({ alert, onClose }: OneProps) {
  const { data, error, isPending } = useQuery(reading('getAlertHistory', { params: { id: alert.id } }));
  return (
    <Modal
      opened
      onClose={onClose}
      title={`History of “${alert.name}”`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {isPending ? <p>Loading…</p> : null}
      <ActionError error={error} />
      {data?.data.length === 0 ? <p>It has never fired.</p> : null}
      {data === undefined || data.data.length === 0 ? null : (
        <Table aria-label="Changes">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Time</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Value</Table.Th>
              <Table.Th>Requests</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map(({ at, state, value, requests, silenced }) => (
              <Table.Tr key={at}>
                <Table.Td>{formatTime(at)}</Table.Td>
                <Table.Td>{`${stateText(state)}${silenced ? ', silenced' : ''}`}</Table.Td>
                <Table.Td>{valueText(alert.metric, value)}</Table.Td>
                <Table.Td>{requests}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Modal>
  );
}

/** Deletes an alert. */
export function DeleteAlertDialog({ alert: { id, name }, onClose }: OneProps) {
  const deleting = useChange(() => call('deleteAlert', { params: { id } }), onClose);
  return (
    <ConfirmDialog
      title={`Delete “${name}”`}
      confirm="Delete alert"
      danger
      isPending={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      Its history is deleted too. Nothing is sent, also if it fires.
    </ConfirmDialog>
  );
}
