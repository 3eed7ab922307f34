import { Button, Menu, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { RowOf } from '../../../functions/contract/index.ts';
import { call } from '../api/operations.ts';
import { reading } from '../api/queries.ts';
import { useMay, useSession } from '../api/session.tsx';
import { Icon } from './icons.tsx';
import { ActionError } from './page.tsx';
import classes from './query-bar.module.css';
import { withChanges } from './url-state.ts';

type View = RowOf<'listViews'>;

const VIEWS = reading('listViews', {});

/** Filters and range under names: a person's own, and those that are shared with them. The server keeps both. */
export function SavedViews() {
  const [path, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const page = path.slice(1) as View['page'];
  const views = useQuery({ ...VIEWS, enabled: isOpen });
  const queries = useQueryClient();
  const removing = useMutation({
    mutationFn: (id: string) => call('deleteView', { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: VIEWS.queryKey }),
  });
  const mayDeleteAll = useMay('createKey');
  const ofPage = views.data?.data.filter((view) => view.page === page) ?? [];
  const groups = [
    ['My views', ofPage.filter(({ shared }) => !shared)],
    [`Shared with ${useAudience()}`, ofPage.filter(({ shared }) => shared)],
  ] as const;
  return (
    <Menu position="bottom-end" width={280} trapFocus opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button variant="default" size="xs">
          Views
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {groups.map(([title, shown]) =>
          shown.length === 0 ? null : (
            <div key={title}>
              <Menu.Label>{title}</Menu.Label>
              {shown.map(({ id, name, search, own, savedBy }) => (
                <div key={id} className={classes.view}>
                  <Menu.Item
                    title={own ? undefined : `Saved by ${savedBy}`}
                    onClick={() => navigate(search === '' ? path : `${path}?${search}`)}
                  >
                    {name}
                  </Menu.Item>
                  {own || mayDeleteAll ? (
                    <button
                      type="button"
                      className={classes.chipClose}
                      aria-label={`Delete view ${name}`}
                      onClick={() => removing.mutate(id)}
                    >
                      <Icon name="close" size={12} />
                    </button>
                  ) : null}
                </div>
              ))}
            </div>
          ),
        )}
        <SaveForm page={page} />
        <ActionError error={views.error ?? removing.error} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Who sees shared views. */
function useAudience(): string {
  const { session } = useSession();
  const isEverywhere = session?.permissions.includes('analytics') === true;
  return session?.team && !isEverywhere ? `team ${session.team.name}` : 'everyone who sees all teams';
}

function SaveForm({ page }: { readonly page: View['page'] }) {
  const [search] = useSearchParams();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const queries = useQueryClient();
  const audience = useAudience();
  const saving = useMutation({
    mutationFn: () => {
      const shown = withChanges(search, { open: '' }).toString();
      return call('createView', { body: { page, name: name.trim(), search: shown, shared: isShared } });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: VIEWS.queryKey });
      setName('');
    },
  });

  function save(event: FormEvent) {
    event.preventDefault();
    if (name.trim() !== '') saving.mutate();
  }

  return (
    <form onSubmit={save} className={classes.save}>
      <div className={classes.named}>
        <TextInput
          size="xs"
          aria-label="Name of the view"
          placeholder="Name of this view"
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          // A menu moves its focus by letters.
          onKeyDown={(event) => event.stopPropagation()}
        />
        <Button type="submit" size="xs" loading={saving.isPending} disabled={name.trim() === ''}>
          Save
        </Button>
      </div>
      <Switch
        size="xs"
        label={`Share with ${audience}`}
        checked={isShared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
      <ActionError error={saving.error} />
    </form>
  );
}
