import { ActionIcon, Burger, Button, Drawer, Modal, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Fragment, useState } from 'react';
import { Link, Router, useLocation } from 'wouter';
import type { OperationId } from '../../functions/contract/index.ts';
import { useMay, useSession } from './api/session.tsx';
import { useWaitingCalls } from './api/waiting-calls.ts';
import { Account } from './components/account.tsx';
import { Icon, type IconName, Logo } from './components/icons.tsx';
import search from './components/search.module.css';
import { SearchDialog } from './components/search-dialog.tsx';
import { StatusBanner } from './components/status-banner.tsx';
import { useShortcuts } from './components/use-shortcuts.ts';
import { RoutedPage } from './routes.tsx';
import classes from './shell.module.css';

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
