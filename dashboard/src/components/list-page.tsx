import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { PagedList } from '../api/queries.ts';
import { type Column, DataTable } from './data-table.tsx';
import { Icon } from './icons.tsx';
import { Empty, Page } from './page.tsx';

interface ListPageProps<Row> {
  readonly docs: string;
  readonly title: string;
  readonly intro: string;
  readonly list: PagedList<Row>;
  readonly columns: readonly Column<Row>[];
  /** Shown without rows: a heading, and what they are for. */
  readonly empty: readonly [title: string, text: string];
  /** The button for a new one, and its dialog; undefined if the person may not create any. */
  readonly create?: readonly [label: string, dialog: (onClose: () => void) => ReactNode] | undefined;
  /** Dialogs. */
  readonly children?: ReactNode;
}

/** A page that lists what has an id, with a dialog for a new one. */
export function ListPage<Row extends { readonly id: string }>({
  docs,
  title,
  intro,
  list,
  columns,
  empty: [emptyTitle, emptyText],
  create,
  children,
}: ListPageProps<Row>) {
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      docs={docs}
      title={title}
      intro={intro}
      actions={
        create === undefined ? undefined : (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
            {create[0]}
          </Button>
        )
      }
    >
      <DataTable
        label={title}
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty title={emptyTitle}>{emptyText}</Empty>}
      />
      {isCreating && create !== undefined ? create[1](() => setCreating(false)) : null}
      {children}
    </Page>
  );
}
