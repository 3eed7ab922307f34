import {
  ActionIcon,
  Burger,
  Button,
  Drawer,
  Menu,
  Modal,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { Component, Fragment, lazy, type ReactNode, Suspense, useState } from 'react';
import { Link, Route, Router, Switch, useLocation } from 'wouter';
import type { OperationId, ResponseOf } from '../../functions/contract/index.ts';
import { useMay, useSession } from './api/session.tsx';
import { useWaitingCalls } from './api/waiting-calls.ts';
import { Icon, type IconName, Logo } from './components/icons.tsx';
import { capitalised } from './components/labels.ts';
import { Empty, NoPermission, Page } from './components/page.tsx';
import { Placeholder } from './components/placeholder.tsx';
import search from './components/search.module.css';
import { SearchDialog } from './components/search-dialog.tsx';
import { StatusBanner } from './components/status-banner.tsx';
import { lastSegment } from './components/url-state.ts';
import { useShortcuts } from './components/use-shortcuts.ts';
import classes from './shell.module.css';

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

interface NavItem {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  /** What it reads. */
  readonly wanted: OperationId;
  /** After `g`, opens the page. */
  readonly key: string;
}

const NAV_ITEMS: readonly NavItem[] = [
  { path: '/', name: 'Overview', icon: 'overview', wanted: 'getSummary', key: 'o' },
  { path: '/requests', name: 'Requests', icon: 'requests', wanted: 'listRequests', key: 'r' },
  { path: '/threats', name: 'Findings', icon: 'threats', wanted: 'listThreats', key: 't' },
  { path: '/sessions', name: 'Sessions', icon: 'sessions', wanted: 'listSessions', key: 's' },
  { path: '/spend', name: 'Spend', icon: 'spend', wanted: 'getSpend', key: 'd' },
  { path: '/tools', name: 'Tools', icon: 'tools', wanted: 'listTools', key: 'l' },
  { path: '/mcp', name: 'MCP servers', icon: 'mcp', wanted: 'listMcpServers', key: 'u' },
  { path: '/approvals', name: 'Approvals', icon: 'approvals', wanted: 'listApprovals', key: 'v' },
  { path: '/keys', name: 'Keys', icon: 'keys', wanted: 'listKeys', key: 'k' },
  { path: '/teams', name: 'Teams', icon: 'teams', wanted: 'listTeams', key: 'i' },
  { path: '/identities', name: 'Identities', icon: 'identities', wanted: 'listIdentities', key: 'n' },
  { path: '/alerts', name: 'Alerts', icon: 'alerts', wanted: 'listAlerts', key: 'b' },
  { path: '/webhooks', name: 'Webhooks', icon: 'webhooks', wanted: 'listWebhooks', key: 'w' },
  { path: '/policy', name: 'Policy', icon: 'policy', wanted: 'getPolicy', key: 'p' },
  { path: '/providers', name: 'Providers', icon: 'providers', wanted: 'listProviders', key: 'm' },
  { path: '/prices', name: 'Prices', icon: 'prices', wanted: 'getPrices', key: 'c' },
  { path: '/audit', name: 'Audit log', icon: 'audit', wanted: 'listAudit', key: 'a' },
  { path: '/playground', name: 'Playground', icon: 'playground', wanted: 'replayPolicy', key: 'y' },
  { path: '/settings', name: 'Settings', icon: 'settings', wanted: 'getSettings', key: 'e' },
];

/** What the pages are for; those that are not named configure. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Observe: ['/', '/requests', '/threats', '/sessions', '/spend', '/tools'],
  Protect: ['/approvals', '/policy', '/audit', '/playground'],
};
const LAST_GROUP = 'Configure';

function groupOf({ path }: NavItem): string {
  return Object.keys(GROUPS).find((name) => GROUPS[name]?.includes(path)) ?? LAST_GROUP;
}

/** Pages that only Find and links lead to; all but the last need no more than a session. */
const OTHER_PAGES = [
  { path: '/docs', name: 'Documentation' },
  { path: '/docs/api', name: 'API reference' },
  { path: '/start', name: 'First request' },
];

/** Where the pages are; the folder of the page's files too, in vite.config.ts. */
const BASE = '/dashboard';

/** The signed-in dashboard. */
export default function Shell() {
  return (
    <Router base={BASE}>
      <Frame />
    </Router>
  );
}

/** Pages that the user may open. */
function usePages(): readonly NavItem[] {
  const mine = useSession().session?.operations ?? [];
  return NAV_ITEMS.filter(({ wanted }) => mine.includes(wanted));
}

/** Navigation, search and the current page. */
function Frame() {
  const [isOpen, menu] = useDisclosure(false);
  const [dialog, setDialog] = useState<'search' | 'shortcuts'>();
  const [, navigate] = useLocation();
  const pages = usePages();
  const others = useMay('createKey') ? OTHER_PAGES : OTHER_PAGES.slice(0, -1);
  const openSearch = () => setDialog('search');
  const close = () => setDialog(undefined);
  useShortcuts({
    '/': openSearch,
    'mod+k': openSearch,
    '?': () => setDialog('shortcuts'),
    ...Object.fromEntries(pages.map(({ key, path }) => [`g ${key}`, () => navigate(path)])),
  });
  return (
    <div className={classes.shell}>
      {dialog === 'search' ? (
        <SearchDialog
          pages={[...pages, ...others].map(({ name, path }) => ({ kind: 'Page', name, href: path }))}
          onClose={close}
        />
      ) : null}
      {dialog === 'shortcuts' ? <ShortcutsDialog pages={pages} onClose={close} /> : null}
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <header className={classes.bar}>
        <Burger opened={isOpen} onClick={menu.toggle} size="sm" aria-label="Menu" />
        <Link href="/" className={classes.brand}>
          <Logo size={24} /> svc
        </Link>
        <ActionIcon variant="subtle" color="gray" aria-label="Find" onClick={openSearch}>
          <Icon name="search" />
        </ActionIcon>
        <Account />
      </header>
      <aside className={classes.side}>
        <Link href="/" className={classes.brand}>
          <Logo size={26} /> svc
        </Link>
        <Button
          variant="default"
          className={classes.find ?? ''}
          leftSection={<Icon name="search" size={16} />}
          rightSection={<kbd className={classes.hint}>/</kbd>}
          onClick={openSearch}
        >
          Find
        </Button>
        <Navigation />
        <div className={classes.bottom}>
          <Account />
        </div>
      </aside>
      <Drawer opened={isOpen} onClose={menu.close} title="svc" size={260} closeButtonProps={{ 'aria-label': 'Close' }}>
        <Navigation onGo={menu.close} />
      </Drawer>
      <main id="content" className={classes.main} tabIndex={-1}>
        <StatusBanner />
        <RoutedPage />
      </main>
    </div>
  );
}

/** The current page, loaded when first opened. */
function RoutedPage() {
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

function allowed(wanted: OperationId, page: React.ReactNode) {
  return <Allowed wanted={wanted}>{page}</Allowed>;
}

function Allowed({ wanted, children }: { readonly wanted: OperationId; readonly children: React.ReactNode }) {
  return useMay(wanted) ? children : <NoPermission />;
}

function Navigation({ onGo }: { readonly onGo?: () => void }) {
  const [location] = useLocation();
  const items = usePages();
  return (
    <nav aria-label="Pages">
      {[...Object.keys(GROUPS), LAST_GROUP].map((group) => {
        const places = items.filter((item) => groupOf(item) === group);
        return places.length === 0 ? null : (
          <Fragment key={group}>
            <h2 className={classes.group}>{group}</h2>
            <ul className={classes.places}>
              {places.map(({ path, name, icon }) => (
                <Place key={path} {...{ path, name, icon, location, onGo }} />
              ))}
            </ul>
          </Fragment>
        );
      })}
    </nav>
  );
}

interface PlaceProps extends Pick<NavItem, 'path' | 'name' | 'icon'> {
  readonly location: string;
  readonly onGo: (() => void) | undefined;
}

function Place({ path, name, icon, location, onGo }: PlaceProps) {
  const isHere = path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);
  return (
    <li>
      <Link
        href={path}
        className={classes.place ?? ''}
        aria-current={isHere ? 'page' : undefined}
        onClick={() => onGo?.()}
      >
        <Icon name={icon} /> {name}
        {path === '/approvals' ? <WaitingCalls /> : null}
      </Link>
    </li>
  );
}

/** How many tool calls wait for a person, unless there are none. */
function WaitingCalls() {
  const count = useWaitingCalls() ?? '0';
  if (count === '0') return null;
  return (
    <span className={classes.count}>
      {count}
      <VisuallyHidden> waiting</VisuallyHidden>
    </span>
  );
}

interface ShortcutsDialogProps {
  readonly pages: readonly NavItem[];
  onClose(): void;
}

function ShortcutsDialog({ pages, onClose }: ShortcutsDialogProps) {
  const all = [
    ['/', 'Find'],
    ['?', 'These shortcuts'],
    ...pages.map(({ key, name }) => [`g ${key}`, name] as const),
  ] as const;
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" closeButtonProps={{ 'aria-label': 'Close' }}>
      <dl className={search.keys}>
        {all.map(([keys, name]) => (
          <Fragment key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{name}</dd>
          </Fragment>
        ))}
      </dl>
    </Modal>
  );
}

const SCHEMES = [
  ['auto', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** The role in the deployment, and the one in the team. */
function rolesOf({ permissions, team }: ResponseOf<'getDashboardSession'>): string {
  const named = [
    ['admin', 'Administrator'],
    ['security', 'Security'],
    ['operator', 'Operator'],
    ['analytics', 'Analytics'],
  ] as const;
  const [role] = named.flatMap(([permission, name]) => (permissions.includes(permission) ? [name] : []));
  const inTeam = team && (team.role === null ? `Team ${team.name}` : `${capitalised(team.role)} of ${team.name}`);
  return [role, inTeam].filter((text) => text).join(', ');
}

function Account() {
  const { session, signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leaving = useMutation({ mutationFn: signOut });
  if (session == null) return null;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-md" className={classes.account ?? ''}>
          <Icon name="keys" size={16} />
          <span className={classes.name}>{session.name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          Signed in as {session.name}
          <Text size="xs">{rolesOf(session)}</Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>Colour scheme</Menu.Label>
        {SCHEMES.map(([scheme, name]) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            leftSection={
              <Icon name={colorScheme === scheme ? 'check' : scheme === 'dark' ? 'moon' : 'sun'} size={16} />
            }
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} href="/docs">
          Documentation
        </Menu.Item>
        <Menu.Item component={Link} href="/docs/api">
          API reference
        </Menu.Item>
        <Menu.Item onClick={() => leaving.mutate()}>
          {leaving.error === null ? 'Sign out' : 'Sign out: try again'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
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
