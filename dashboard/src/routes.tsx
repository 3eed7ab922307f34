import { Button } from '@mantine/core';
import { Component, lazy, type ReactNode, Suspense } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import type { OperationId } from '../../functions/contract/index.ts';
import { useMay } from './api/session.tsx';
import { Empty, NoPermission, Page } from './components/page.tsx';
import { Placeholder } from './components/placeholder.tsx';
import { lastSegment } from './components/url-state.ts';

const Overview = lazy(() => import('./pages/overview/overview-page.tsx'));
const Requests = lazy(() => import('./pages/requests/requests-page.tsx'));
const OneRequest = lazy(() => import('./pages/requests/request-page.tsx'));
const Threats = lazy(() => import('./pages/threats/threats-page.tsx'));
const OneThreat = lazy(() => import('./pages/threats/threat-page.tsx'));
const Sessions = lazy(() => import('./pages/sessions/sessions-page.tsx'));
const OneSession = lazy(() => import('./pages/sessions/session-page.tsx'));
const Spend = lazy(() => import('./pages/spend/spend-page.tsx'));
const Tools = lazy(() => import('./pages/tools/tools-page.tsx'));
const OneTool = lazy(() => import('./pages/tools/tool-page.tsx'));
const Approvals = lazy(() => import('./pages/approvals/approvals-page.tsx'));
const OneApproval = lazy(() => import('./pages/approvals/approval-page.tsx'));
const McpServers = lazy(() => import('./pages/mcp/servers-page.tsx'));
const OneMcpServer = lazy(() => import('./pages/mcp/server-page.tsx'));
const Keys = lazy(() => import('./pages/keys/keys-page.tsx'));
const OneKey = lazy(() => import('./pages/keys/key-page.tsx'));
const Teams = lazy(() => import('./pages/teams/teams-page.tsx'));
const Identities = lazy(() => import('./pages/teams/identities-page.tsx'));
const Alerts = lazy(() => import('./pages/alerts/alerts-page.tsx'));
const Webhooks = lazy(() => import('./pages/webhooks/webhooks-page.tsx'));
const OneWebhook = lazy(() => import('./pages/webhooks/webhook-page.tsx'));
const Audit = lazy(() => import('./pages/audit/audit-page.tsx'));
const Playground = lazy(() => import('./pages/playground/playground-page.tsx'));
const Policy = lazy(() => import('./pages/policy/policy-page.tsx'));
const Replay = lazy(() => import('./pages/policy/replay-page.tsx'));
const Docs = lazy(() => import('./pages/docs/docs-page.tsx'));
const Reference = lazy(() => import('./pages/reference/reference-page.tsx'));
const Providers = lazy(() => import('./pages/providers/providers-page.tsx'));
const Prices = lazy(() => import('./pages/prices/prices-page.tsx'));
const Settings = lazy(() => import('./pages/settings/settings-page.tsx'));
const Start = lazy(() => import('./pages/start-page.tsx'));

/** The current page, loaded when first opened. */
export function RoutedPage() {
  const [location] = useLocation();
  return (
    <ErrorBoundary key={location}>
      <Suspense fallback={<Placeholder label="Loading" lines={10} />}>
        <Switch>
          <Route path="/">{allowed('getSummary', <Overview />)}</Route>
          <Route path="/requests">{allowed('listRequests', <Requests />)}</Route>
          <Route path="/requests/:id">{({ id }) => allowed('getRequest', <OneRequest key={id} id={id} />)}</Route>
          <Route path="/threats/:id">{({ id }) => allowed('getThreat', <OneThreat key={id} id={id} />)}</Route>
          <Route path="/threats">{allowed('listThreats', <Threats />)}</Route>
          <Route path="/spend">{allowed('getSpend', <Spend />)}</Route>
          <Route path="/sessions">{allowed('listSessions', <Sessions />)}</Route>
          <Route path="/sessions/:id">
            {() => allowed('getSession', <OneSession id={lastSegment(window.location.pathname)} />)}
          </Route>
          <Route path="/tools">{allowed('listTools', <Tools />)}</Route>
          <Route path="/tools/:name">
            {({ name }) => allowed('listTools', <OneTool key={name} name={lastSegment(window.location.pathname)} />)}
          </Route>
          <Route path="/mcp">{allowed('listMcpServers', <McpServers />)}</Route>
          <Route path="/mcp/:name">
            {({ name }) =>
              allowed('getMcpServer', <OneMcpServer key={name} name={lastSegment(window.location.pathname)} />)
            }
          </Route>
          <Route path="/approvals">{allowed('listApprovals', <Approvals />)}</Route>
          <Route path="/approvals/:id">{({ id }) => allowed('getApproval', <OneApproval key={id} id={id} />)}</Route>
          <Route path="/keys">{allowed('listKeys', <Keys />)}</Route>
          <Route path="/keys/:id">
            {({ id }) => allowed('getKey', <OneKey key={id} id={lastSegment(window.location.pathname)} />)}
          </Route>
          <Route path="/teams">{allowed('listTeams', <Teams />)}</Route>
          <Route path="/identities">{allowed('listIdentities', <Identities />)}</Route>
          <Route path="/alerts">{allowed('listAlerts', <Alerts />)}</Route>
          <Route path="/webhooks">{allowed('listWebhooks', <Webhooks />)}</Route>
          <Route path="/webhooks/:id">
            {({ id }) => allowed('getWebhook', <OneWebhook key={id} id={lastSegment(window.location.pathname)} />)}
          </Route>
          <Route path="/audit">{allowed('listAudit', <Audit />)}</Route>
          <Route path="/playground">{allowed('replayPolicy', <Playground />)}</Route>
          <Route path="/policy">{allowed('getPolicy', <Policy />)}</Route>
          <Route path="/replay">{allowed('replayPolicy', <Replay />)}</Route>
          <Route path="/docs/api">
            <Reference />
          </Route>
          <Route path="/docs/*?">{({ '*': name }) => <Docs name={name || 'dashboard'} />}</Route>
          <Route path="/providers">{allowed('listProviders', <Providers />)}</Route>
          <Route path="/prices">{allowed('getPrices', <Prices />)}</Route>
          <Route path="/settings">{allowed('getSettings', <Settings />)}</Route>
          <Route path="/start">{allowed('createKey', <Start />)}</Route>
          <Route>
            <Page docs="dashboard.md" title="Not found">
              <Empty title="This page does not exist" action={<Link href="/">Open the overview</Link>} />
            </Page>
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

function allowed(wanted: OperationId, page: ReactNode) {
  return <Allowed wanted={wanted}>{page}</Allowed>;
}

function Allowed({ wanted, children }: { readonly wanted: OperationId; readonly children: ReactNode }) {
  return useMay(wanted) ? children : <NoPermission />;
}

/** Shown if a page fails to render, or if a newer version of the dashboard removed its files. */
class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Empty title="This page failed to load" action={<Button onClick={() => window.location.reload()}>Reload</Button>}>
        A newer version of the dashboard may be available.
      </Empty>
    );
  }
}
