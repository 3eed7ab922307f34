import { Marked, type Tokens } from 'marked';

/** GitHub's anchor for a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/<[^>]+>|[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** The page of the dashboard for a link in a page of the documentation; undefined for a file that is not in the dashboard. */
export function targetOf(href: string, from: string, names: ReadonlySet<string>): string | undefined {
  if (/^https?:/.test(href) || href.startsWith('#')) return href;
  const { pathname, hash } = new URL(href, `http://docs/${from}`);
  const name = pathname.slice(1).replace(/\.md$/, '');
  return names.has(name) ? `/dashboard/docs/${name}${hash}` : undefined;
}

/**
 * A page of our documentation as HTML. `name` is its path without `.md`, `names` are those of all pages. The text is part of the build and
 * trusted.
 */
export function renderMarkdown(text: string, name: string, names: ReadonlySet<string>): string {
  const used = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading(this: { parser: { parseInline(tokens: Tokens.Generic[]): string } }, { depth, tokens, text: plain }) {
        const anchor = anchorOf(plain.replaceAll('`', ''));
        const count = used.get(anchor) ?? 0;
        used.set(anchor, count + 1);
        const id = count === 0 ? anchor : `${anchor}-${count}`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link(this: { parser: { parseInline(tokens: Tokens.Generic[]): string } }, { href, tokens }) {
        const target = targetOf(href, `${name}.md`, names);
        const inner = this.parser.parseInline(tokens);
        return target === undefined ? inner : `<a href="${target.replaceAll('"', '&quot;')}">${inner}</a>`;
      },
      // Pictures of the dashboard, in the dashboard.
      image: () => '',
    },
  });
  return marked.parse(text, { async: false });
}
