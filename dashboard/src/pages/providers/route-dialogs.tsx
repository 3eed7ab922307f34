import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BodyOf, ResponseOf } from '../../../../functions/contract/index.ts';
import { ApiError, type ProviderView } from '../../api/client.ts';
import { call, pathTo } from '../../api/operations.ts';
import { reading } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { changesOf } from '../../components/field-changes.ts';
import { changedFields, toForm } from '../../components/field-form.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ErrorState } from '../../components/page.tsx';
import { type PlacedRoute, placedRoute, routeFields, toRoute, withRoute } from './route-form.ts';
import { useChange } from './use-change.ts';

type Version = ResponseOf<'putRoutes'>;
type Routes = BodyOf<'putRoutes'>['routes'];

/** A route of the deployment: its place in the list, and its models. */
export interface ChosenRoute {
  readonly at: number;
  readonly models: string;
}

interface RouteDialogProps {
  /** Absent: a new route. */
  readonly route?: ChosenRoute | undefined;
  onClose(): void;
}

/** Adds or changes a route, after it has shown what differs. */
export function RouteDialog({ route, onClose }: RouteDialogProps) {
  // Loaded once: a refresh must not change what is edited.
  const query = useQuery({
    ...{ queryKey: [pathTo('getRoutes'), 'edited'], queryFn: () => call('getRoutes', {}) },
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false },
  });
  const providers = useQuery(reading('listProviders', {}));
  const [kept, setKept] = useState<Partial<PlacedRoute>>({});
  const version = query.data as Version | undefined;
  if (query.error !== null) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  if (version === undefined || providers.isPending) return null;
  return (
    <RouteForm
      key={version.version}
      {...{ version, route, kept, onClose }}
      providers={providers.data?.data}
      onReload={(changes) => {
        setKept(changes);
        void query.refetch();
      }}
    />
  );
}

interface RouteFormProps extends RouteDialogProps {
  readonly version: Version;
  readonly providers: readonly ProviderView[] | undefined;
  /** What was entered before a newer version was read. */
  readonly kept: Partial<PlacedRoute>;
  onReload(kept: Partial<PlacedRoute>): void;
}

function RouteForm({ version, route, providers, kept, onReload, onClose }: RouteFormProps) {
  const { routes } = version;
  const at = route && placeOf(routes, route);
  const others = at === undefined ? routes : routes.toSpliced(at, 1);
  const fields = routeFields(others, providers);
  const before = placedRoute(routes, at);
  const saving = useChange(async (made: PlacedRoute) => {
    await putRoutes(withRoute(others, made), version.version).catch((error) => {
      throw atRoute(error, made.order);
    });
  }, onClose);
  return (
    <FormDialog
      title={route === undefined ? 'New route' : `Change “${route.models}”`}
      submit="Save"
      intro="The first route that matches the name of the requested model decides. In force within 10 seconds."
      fields={fields}
      begin={toForm(fields, { ...before, ...kept })}
      saving={saving}
      toBody={(form) => toRoute(fields, form)}
      changesOf={(made) => changesOf(fields, at === undefined ? {} : before, made)}
      onReload={(made) => onReload(changedFields<object>(before, made))}
      onClose={onClose}
    />
  );
}

/** Where the route is in this version; undefined if another user has removed it. */
function placeOf(routes: Routes, { at, models }: ChosenRoute): number | undefined {
  const found = routes[at]?.models === models ? at : routes.findIndex((one) => one.models === models);
  return found === -1 ? undefined : found;
}

async function putRoutes(routes: Routes, version: number): Promise<void> {
  await call('putRoutes', { body: { routes }, headers: { 'If-Match': `"${version}"` } });
}

/** `routes[2].targets` of the server is `targets` of the form. */
function atRoute(error: unknown, order: string): unknown {
  const of = `routes[${order}].`;
  if (!(error instanceof ApiError) || !error.param?.startsWith(of)) return error;
  const { status, code, message, param, requestId } = error;
  return new ApiError(status, code, message.replace(of, ''), param.slice(of.length), requestId);
}

/** Removes a route. */
export function RemoveRouteDialog({ route, onClose }: { readonly route: ChosenRoute; onClose(): void }) {
  const removing = useChange(async () => {
    const { version, routes } = (await call('getRoutes', {})) as Version;
    const at = placeOf(routes, route);
    if (at !== undefined) await putRoutes(routes.toSpliced(at, 1), version);
  }, onClose);
  return (
    <ConfirmDialog
      title={`Remove “${route.models}”`}
      confirm="Remove route"
      danger
      isPending={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      Within 10 seconds the next route that matches decides, or requests for these models are refused with 404. A roll
      back of the versions restores it.
    </ConfirmDialog>
  );
}
