/** The documentation of this version, each page a file of the build. */
const FILES = import.meta.glob<string>('../../../../docs/{*,reference/*}.md', { query: '?raw', import: 'default' });

/** What loads the text of each page, by its name. */
export const DOC_PAGES: ReadonlyMap<string, () => Promise<string>> = new Map(
  Object.entries(FILES).map(([path, load]) => [path.replace(/^.*\/docs\/|\.md$/g, ''), load]),
);

/** `reference/clients-matrix` as `Reference: clients matrix`. */
export function docTitle(name: string): string {
  const words = name.replaceAll('-', ' ').replace('/', ': ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
