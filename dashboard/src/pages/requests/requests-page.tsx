import { Button, Checkbox, Group, Menu, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useState } from 'react';
import type { RequestRecord } from '../../api/client.ts';
import { useKeyNameReader, useKeyNames, usePagedList } from '../../api/queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ExportDialog } from '../../components/export-dialog.tsx';
import { FilterBar, RangeFields } from '../../components/filters.tsx';
import { Icon } from '../../components/icons.tsx';
import { Empty, Page } from '../../components/page.tsx';
import { readRange, useListQuery, useUrlState } from '../../components/url-state.ts';
import { DEFAULT_COLUMNS, type RequestColumn, requestColumns } from './request-columns.tsx';
import { csvHead, toCsvLine } from './request-csv.ts';
import { FILTERS, MORE_SELECTS, SELECTS, TEXTS, toApiFilters } from './request-filters.ts';
import classes from './requests.module.css';
import { useLiveRows } from './use-live-rows.ts';

const PATH = '/v1/analytics/requests';

/** Requests of all keys, newest first. */
export default function RequestsPage() {
  const [read, write] = useUrlState();
  const [isExporting, setExporting] = useState(false);
  const [chosen, setChosen] = useLocalStorage({ key: 'svc-request-columns', defaultValue: [...DEFAULT_COLUMNS] });
  // A range of two times has an end, which new requests are behind.
  const isLive = read('live') === '1' && typeof readRange(read) === 'string';
  const query = useListQuery(read, FILTERS, toApiFilters);
  const list = useLiveRows(usePagedList<RequestRecord>(PATH, query), query, isLive);
  const names = useKeyNames(list.rows.map(({ keyId }) => keyId));
  const readNames = useKeyNameReader();
  const columns = requestColumns(names);
  const isDefault = DEFAULT_COLUMNS.length === chosen.length && DEFAULT_COLUMNS.every((id) => chosen.includes(id));
  const isFiltered = FILTERS.some((name) => read(name) !== '');
  const shown = columns.filter(({ id }) => chosen.includes(id));

  return (
    <Page
      docs="dashboard.md#requests"
      title="Requests"
      intro="Every request with a valid key, newest first. A request appears a few seconds after its response."
      actions={
        <>
          <Switch
            label="Live"
            checked={isLive}
            onChange={(event) => write({ live: event.currentTarget.checked ? '1' : '' })}
          />
          <ColumnMenu columns={columns} chosen={chosen} onChange={setChosen} />
          <Button variant="default" onClick={list.refresh} leftSection={<Icon name="refresh" size={16} />}>
            Refresh
          </Button>
          <Button variant="default" onClick={() => setExporting(true)}>
            Export
          </Button>
        </>
      }
    >
      <RequestFilters isFiltered={isFiltered} read={read} write={write} />
      <DataTable
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
      {isExporting ? (
        <ExportDialog<RequestRecord>
          title="Export requests"
          intro="Exports all requests that match the filters, without their texts."
          path={PATH}
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
        <Button variant="default">Columns</Button>
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

interface RequestFiltersProps {
  readonly isFiltered: boolean;
  read(name: string): string;
  write(changes: Readonly<Record<string, string>>): void;
}

function RequestFilters({ isFiltered, read, write }: RequestFiltersProps) {
  const [areMoreShown, setMoreShown] = useState(false);
  // Filters in use are always shown, so that a link explains its list.
  const isShown = ([name]: readonly [string, ...unknown[]]) => areMoreShown || read(name) !== '';
  return (
    <FilterBar label="Filter requests">
      <RangeFields range={readRange(read)} label="Time" onChange={write} />
      {[...SELECTS, ...MORE_SELECTS.filter(isShown)].map(([name, label, data]) => (
        <NativeSelect
          key={name}
          label={label}
          data={[...data]}
          value={read(name)}
          onChange={(event) => write({ [name]: event.currentTarget.value })}
        />
      ))}
      {TEXTS.filter(isShown).map(([name, label, hint]) => (
        <TextInput
          key={name}
          label={label}
          placeholder={hint}
          value={read(name)}
          onChange={(event) => write({ [name]: event.currentTarget.value })}
        />
      ))}
      <Group gap="xs">
        <Button variant="subtle" onClick={() => setMoreShown(!areMoreShown)}>
          {areMoreShown ? 'Fewer filters' : 'More filters'}
        </Button>
        {isFiltered ? (
          <Button variant="subtle" onClick={() => write(Object.fromEntries(FILTERS.map((name) => [name, ''])))}>
            Clear
          </Button>
        ) : null}
      </Group>
    </FilterBar>
  );
}
