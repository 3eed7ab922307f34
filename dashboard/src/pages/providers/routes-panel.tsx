import { useQuery } from '@tanstack/react-query';
import type { ModelRoute } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { DocsLink, ErrorState, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { Tag } from '../../components/tag.tsx';
import classes from './providers.module.css';

/** The routes of models, in the order in which they are tried. */
export function RoutesPanel() {
  const query = useQuery({
    ...reading('listRoutes', {}),
  });
  if (query.data === undefined) {
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
  const own = query.data.data.filter(({ source }) => source === 'deployment');
  const standard = query.data.data.filter(({ source }) => source === 'standard');
  return (
    <>
      <Panel
        title="Routes"
        note="The first row that matches the name of the requested model decides. Standard routes follow."
      >
        {own.length === 0 ? (
          <p>
            This deployment defines no routes. Aliases, weights and fallbacks:{' '}
            <DocsLink page="providers.md">providers</DocsLink>
          </p>
        ) : (
          <RouteList routes={own} label="Routes" />
        )}
      </Panel>
      <Panel>
        <details>
          <summary className={classes.summary}>Standard routes ({standard.length})</summary>
          <RouteList routes={standard} label="Standard routes" />
        </details>
      </Panel>
    </>
  );
}

function RouteList({ routes, label }: { readonly routes: readonly ModelRoute[]; readonly label: string }) {
  return (
    <ol className={classes.routes} aria-label={label}>
      {routes.map((route, at) => (
        // The same pattern may occur twice.
        <li key={at}>
          <code>{route.models}</code>
          <span className={classes.targets}>
            {route.targets.map((target, index) => (
              <Target key={index} target={target}>
                {route.targets.length > 1 ? ` ${Math.round(target.share * 100)} %` : ''}
              </Target>
            ))}
            {route.fallbacks.length === 0 ? null : <span className={classes.small}>then</span>}
            {route.fallbacks.map((target, index) => (
              <Target key={`fallback ${index}`} target={target} />
            ))}
          </span>
        </li>
      ))}
    </ol>
  );
}

interface TargetProps {
  readonly target: ModelRoute['fallbacks'][number];
  readonly children?: React.ReactNode;
}

function Target({ target: { provider, model, isCallable }, children }: TargetProps) {
  return (
    <Tag tone="neutral">
      {model === null ? provider : `${provider}/${model}`}
      {children}
      {isCallable ? '' : ' (not configured)'}
    </Tag>
  );
}
