import { anchorOf } from './render-markdown.ts';

/** A section of a page of the documentation. */
export interface DocSection {
  readonly page: string;
  readonly heading: string;
  readonly anchor: string;
  /** In lower case. */
  readonly text: string;
}

/** The sections of a page. A heading in a block of code begins none. */
export function sectionsOf(page: string, text: string): DocSection[] {
  const sections: { page: string; heading: string; anchor: string; text: string }[] = [];
  const used = new Map<string, number>();
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : /^#{1,4} (.+)$/.exec(line)?.[1]?.replaceAll('`', '');
    if (heading !== undefined) {
      const anchor = anchorOf(heading);
      const count = used.get(anchor) ?? 0;
      used.set(anchor, count + 1);
      sections.push({ page, heading, anchor: count === 0 ? anchor : `${anchor}-${count}`, text: '' });
    }
    const last = sections.at(-1);
    if (last !== undefined) last.text += `${line.toLowerCase()}\n`;
  }
  return sections;
}

/** The sections with all words of a text, those with all of them in their heading first. */
export function findSections(sections: readonly DocSection[], text: string, limit: number): DocSection[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const hasAll = (where: string) => words.every((word) => where.includes(word));
  const named = sections.filter(({ heading }) => hasAll(heading.toLowerCase()));
  const others = sections.filter((section) => !named.includes(section) && hasAll(section.text));
  return [...named, ...others].slice(0, limit);
}
