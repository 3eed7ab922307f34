import { Button, Checkbox, Menu, Switch } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useState } from 'react';
import { useKeyNameReader, useKeyNames, usePagedList } from '../../api/queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ExportDialog } from '../../components/export-dialog.tsx';
import { Icon } from '../../components/icons.tsx';
import { Empty, Page } from '../../components/page.tsx';
import { QueryBar } from '../../components/query-bar.tsx';
import { readRange, useListQuery, useUrlState, writeRange } from '../../components/url-state.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { DEFAULT_COLUMNS, type RequestColumn, requestColumns } from './request-columns.tsx';
import { csvHead, toCsvLine } from './request-csv.ts';
import { toRequestFilters } from './request-filters.ts';
import { RequestHistogram } from './request-histogram.tsx';
import { RequestPanel } from './request-panel.tsx';
import classes from './requests.module.css';
import { useLiveRows } from './use-live-rows.ts';

/** Requests of all keys, newest first. */
export default function RequestsPage() {
  const [read, write, go] = useUrlState();
  const [isExporting, setExporting] = useState(false);
  const [chosen, setChosen] = useLocalStorage({ key: 'svc-request-columns', defaultValue: [...DEFAULT_COLUMNS] });
  // A range of two times has an end, which new requests are behind.
  const isLive = read('live') === '1' && typeof readRange(read) === 'string';
  const query = useListQuery('listRequests', { toApi: toRequestFilters });
  const list = useLiveRows(usePagedList('listRequests', { query }), query, isLive);
  const names = useKeyNames(list.rows.map(({ keyId }) => keyId));
  const readNames = useKeyNameReader();
  const openId = read('open');
  const open = (id: string) => (openId === '' ? go({ open: id }) : write({ open: id }));
  const columns = requestColumns(names, open);
  const at = list.rows.findIndex(({ id }) => id === openId);
  const step = (by: 1 | -1) => {
    const next = list.rows[at + by]?.id;
    return next === undefined ? undefined : () => open(next);
  };
  const close = () => write({ open: '' });
  useShortcuts({ j: step(1), k: at < 0 ? undefined : step(-1), ...(openId !== '' && { Escape: close }) });
  const isDefault = DEFAULT_COLUMNS.length === chosen.length && DEFAULT_COLUMNS.every((id) => chosen.includes(id));
  const isFiltered = Object.keys(query).some((name) => name !== 'from' && name !== 'to');
  const shown = columns.filter(({ id }) => chosen.includes(id));

  return (
    <Page
      docs="dashboard.md#requests"
      title="Requests"
      actions={
        <>
          <Switch
            label="Live"
            checked={isLive}
            onChange={(event) => write({ live: event.currentTarget.checked ? '1' : '' })}
          />
          <ColumnMenu columns={columns} chosen={chosen} onChange={setChosen} />
          <Button size="xs" variant="default" onClick={list.refresh} leftSection={<Icon name="refresh" size={16} />}>
            Refresh
          </Button>
          <Button size="xs" variant="default" onClick={() => setExporting(true)}>
            Export
          </Button>
        </>
      }
    >
      <div className={classes.requests}>
        <QueryBar id="listRequests" label="Filter requests" rangeLabel="Time" />
        <RequestHistogram list={list} query={query} onZoom={(range) => go(writeRange(range))} />
        <div className={classes.split} data-open={openId !== ''}>
          <DataTable
            isDense
            selected={openId}
            label="Requests"
            list={list}
            // The first column is the row's link.
            columns={shown.length === 0 ? columns.slice(0, 1) : shown}
            keepsColumns={!isDefault}
            keyOf={({ id }) => id}
            empty={
              <Empty title={isFiltered ? 'No requests match these filters' : 'No requests in this time range'}>
                {isFiltered
                  ? 'Remove a filter or choose a longer time range.'
                  : 'Requests appear a few seconds after their response.'}
              </Empty>
            }
          />
          {openId === '' ? null : (
            <RequestPanel id={openId} onOlder={step(1)} onNewer={at < 0 ? undefined : step(-1)} onClose={close} />
          )}
        </div>
      </div>
      {isExporting ? (
        <ExportDialog
          title="Export requests"
          intro="Exports all requests that match the filters, without their texts."
          id="listRequests"
          query={query}
          name="requests"
          csv={{
            head: csvHead(),
            async lines(records) {
              const known = await readNames(records.map(({ keyId }) => keyId));
              return records.map((record) => toCsvLine(record, known));
            },
          }}
          onClose={() => setExporting(false)}
        />
      ) : null}
    </Page>
  );
}

interface ColumnMenuProps {
  readonly columns: readonly RequestColumn[];
  readonly chosen: readonly string[];
  onChange(chosen: string[]): void;
}

/** Which columns are shown, kept in this browser. */
function ColumnMenu({ columns, chosen, onChange }: ColumnMenuProps) {
  return (
    <Menu position="bottom-end" closeOnItemClick={false} width={220}>
      <Menu.Target>
        <Button size="xs" variant="default">
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.columns ?? ''}>
        {columns.map(({ id, header }) => (
          <Checkbox
            key={id}
            label={header}
            checked={chosen.includes(id)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
            }
          />
        ))}
        <Button variant="subtle" size="compact-sm" onClick={() => onChange([...DEFAULT_COLUMNS])}>
          Reset
        </Button>
      </Menu.Dropdown>
    </Menu>
  );
}
