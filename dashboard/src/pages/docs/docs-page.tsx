import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { Empty, ErrorState, Page } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { DOC_PAGES, docTitle } from './doc-files.ts';
import classes from './docs.module.css';
import { renderMarkdown } from './render-markdown.ts';

const NAMES: ReadonlySet<string> = new Set(DOC_PAGES.keys());
const BASE = '/dashboard';

/** A page of the documentation, and the list of all. */
export default function DocsPage({ name }: { readonly name: string }) {
  const load = DOC_PAGES.get(name);
  return (
    <Page docs="dashboard.md" title="Documentation">
      <div className={classes.columns}>
        <nav aria-label="Documentation">
          <ul className={classes.list}>
            <li>
              <Link href="/docs/api">API: try it</Link>
            </li>
            {[...NAMES].map((page) => (
              <li key={page}>
                <Link href={`/docs/${page}`} aria-current={page === name ? 'page' : undefined}>
                  {docTitle(page)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {load === undefined ? <Empty title="This page does not exist" /> : <Text key={name} name={name} load={load} />}
      </div>
    </Page>
  );
}

function Text({ name, load }: { readonly name: string; load(): Promise<string> }) {
  const [, navigate] = useLocation();
  const page = useQuery({
    queryKey: ['docs', name],
    queryFn: async () => renderMarkdown(await load(), name, NAMES),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = page;
  useEffect(() => {
    const id = decodeURIComponent(window.location.hash.slice(1));
    if (data !== undefined && id !== '') document.getElementById(id)?.scrollIntoView();
  }, [data]);

  /** Links between pages load no new document. */
  function follow(event: MouseEvent) {
    const href = (event.target as Element).closest('a')?.getAttribute('href');
    if (href == null || !href.startsWith(`${BASE}/`) || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    navigate(href.slice(BASE.length));
  }

  if (data === undefined) {
    return page.error === null ? (
      <Placeholder label="Loading the page" lines={12} />
    ) : (
      <ErrorState error={page.error} retry={() => void page.refetch()} />
    );
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the links inside are operated by keyboard
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are
    <div className={classes.text} onClick={follow} dangerouslySetInnerHTML={{ __html: data }} />
  );
}
