import { Button, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModelRoute, ModelRouteList } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { DocsLink, ErrorState, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { StateTag, Tag } from '../../components/tag.tsx';
import classes from './providers.module.css';
import { type ChosenRoute, RemoveRouteDialog, RouteDialog } from './route-dialogs.tsx';
import { SwitchRouteDialog } from './switch-route-dialog.tsx';

type Action = 'change' | 'switch' | 'remove';
interface Opened {
  readonly action: Action | 'add';
  /** Absent for a new one. */
  readonly route?: ModelRoute;
  /** Its place among the deployment's. */
  readonly at: number;
}

/** The routes of models, in the order in which they are tried. */
export function RoutesPanel() {
  const query = useQuery(reading('getRoutes', { query: { effective: true } }));
  const [opened, setOpened] = useState<Opened>();
  const list = query.data as ModelRouteList | undefined;
  if (list === undefined) {
    return (
      <Panel title="Routes">
        {query.error === null ? (
          <Placeholder label="Loading routes" lines={6} />
        ) : (
          <ErrorState error={query.error} retry={() => void query.refetch()} />
        )}
      </Panel>
    );
  }
  const own = list.data.filter(({ source }) => source === 'deployment');
  const ofProviders = list.data.filter(({ source }) => source === 'provider');
  const standard = list.data.filter(({ source }) => source === 'standard');
  return (
    <>
      <Panel
        title="Routes"
        note="The first row that matches the name of the requested model decides. Standard routes follow."
        actions={
          <Button size="compact-sm" onClick={() => setOpened({ action: 'add', at: own.length })}>
            New route
          </Button>
        }
      >
        {own.length === 0 ? (
          <p>
            This deployment defines no routes. Aliases, weights and fallbacks:{' '}
            <DocsLink page="providers.md">providers</DocsLink>
          </p>
        ) : (
          <RouteList routes={own} label="Routes" isEditable onOpen={setOpened} />
        )}
        {ofProviders.length === 0 ? null : (
          <RouteList
            routes={ofProviders}
            label="Routes of providers"
            // The provider has them.
            fixed={ofProviders.map(({ models }) => models)}
            onOpen={setOpened}
          />
        )}
        {list.isOverridden ? (
          <p>The settings of the deployment have other routes, which do not count any more.</p>
        ) : null}
      </Panel>
      <Panel>
        <details>
          <summary className={classes.summary}>Standard routes ({standard.length})</summary>
          <RouteList
            routes={standard}
            label="Standard routes"
            // The deployment's route with this name decides.
            fixed={own.map(({ models }) => models)}
            onOpen={setOpened}
          />
        </details>
      </Panel>
      {opened === undefined ? null : <RouteAction {...opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** The dialog of an action. */
function RouteAction({ action, route, at, onClose }: Opened & { onClose(): void }) {
  if (route === undefined) return <RouteDialog onClose={onClose} />;
  const chosen: ChosenRoute = { at, models: route.models };
  switch (action) {
    case 'switch':
      return <SwitchRouteDialog route={route} onClose={onClose} />;
    case 'remove':
      return <RemoveRouteDialog route={chosen} onClose={onClose} />;
    default:
      return <RouteDialog route={chosen} onClose={onClose} />;
  }
}

interface RouteListProps {
  readonly routes: readonly ModelRoute[];
  readonly label: string;
  /** Names of routes that have no effect, and so no button. */
  readonly fixed?: readonly string[];
  /** Whether they can be changed and removed. */
  readonly isEditable?: boolean;
  onOpen(opened: Opened): void;
}

function RouteList({ routes, label, fixed = [], isEditable = false, onOpen }: RouteListProps) {
  return (
    <ol className={classes.routes} aria-label={label}>
      {routes.map((route, at) => (
        // The same pattern may occur twice.
        <li key={at}>
          <span>
            <code>{route.models}</code>
            {route.state === 'disabled' ? (
              <>
                {' '}
                <StateTag state="disabled" />
              </>
            ) : null}
          </span>
          <span className={classes.targets}>
            {route.targets.map((target, index) => (
              <Target key={index} target={target}>
                {route.targets.length > 1 && isByWeight(route) ? ` ${Math.round(target.share * 100)} %` : ''}
              </Target>
            ))}
            {route.targets.length > 1 ? <span className={classes.small}>{choiceOf(route)}</span> : null}
            {route.fallbacks.length === 0 ? null : <span className={classes.small}>then</span>}
            {route.fallbacks.map((target, index) => (
              <Target key={`fallback ${index}`} target={target} />
            ))}
          </span>
          {fixed.includes(route.models) ? null : (
            <span className={classes.targets}>
              {actionsOf(route, isEditable).map(([action, verb]) => (
                <Button key={action} variant="default" size="compact-sm" onClick={() => onOpen({ action, route, at })}>
                  {verb}
                  <VisuallyHidden> {route.models}</VisuallyHidden>
                </Button>
              ))}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function actionsOf({ state }: ModelRoute, isEditable: boolean): readonly (readonly [Action, string])[] {
  const switching = ['switch', state === 'disabled' ? 'Enable' : 'Disable'] as const;
  return isEditable ? [['change', 'Change'], switching, ['remove', 'Remove']] : [switching];
}

function isByWeight({ choose = 'weight' }: ModelRoute): boolean {
  return choose === 'weight';
}

/** How one of several targets is chosen. */
function choiceOf(route: ModelRoute): string {
  const kept = route.sticky === undefined ? '' : `, kept by ${route.sticky}`;
  return `${isByWeight(route) ? 'by weight' : `the ${route.choose === 'cost' ? 'cheapest' : 'fastest'}`}${kept}`;
}

interface TargetProps {
  readonly target: ModelRoute['fallbacks'][number];
  readonly children?: React.ReactNode;
}

function Target({ target: { provider, model, isCallable, state }, children }: TargetProps) {
  return (
    <Tag tone="neutral">
      {model === null ? provider : `${provider}/${model}`}
      {children}
      {state === 'disabled' ? ' (disabled)' : isCallable ? '' : ' (not configured)'}
    </Tag>
  );
}
