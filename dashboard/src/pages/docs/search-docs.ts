import { DOC_PAGES, docTitle } from './doc-files.ts';
import { type DocSection, findSections, sectionsOf } from './doc-sections.ts';

const MAX_FOUND = 5;

let all: Promise<readonly DocSection[]> | undefined;

/** Sections of the documentation with the words of a text. All pages are loaded at the first call. */
export async function searchDocs(text: string): Promise<readonly { readonly name: string; readonly href: string }[]> {
  all ??= Promise.all([...DOC_PAGES].map(async ([page, load]) => sectionsOf(page, await load()))).then((pages) =>
    pages.flat(),
  );
  try {
    return findSections(await all, text, MAX_FOUND).map(({ page, heading, anchor }) => ({
      name: `${docTitle(page)}: ${heading}`,
      href: `/docs/${page}#${anchor}`,
    }));
  } catch (error) {
    // The next search loads them again.
    all = undefined;
    throw error;
  }
}
