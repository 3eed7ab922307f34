import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fill, type Grammar, GrammarFolder } from './grammar.ts';
import { readOwnGrammars } from './own-grammars.ts';

const DATA = path.join(import.meta.dirname, 'data');

/** A grammar file as JSON. */
type Written = { about?: string } & { -readonly [K in keyof Grammar]?: unknown } & { slots: Record<string, unknown> };

describe('the data files', () => {
  const grammars = readOwnGrammars();

  it('are valid, and each is used', () => {
    expect(grammars.phrases[0]?.lang).toBe('en');
    expect(grammars.phrases.map(({ lang }) => lang)).toContain('sr-Cyrl');
    expect(grammars.wishesByLanguage.length).toBeGreaterThan(30);
  });

  it('hold each language once', () => {
    for (const list of [grammars.phrases, grammars.rolesByLanguage, grammars.wishesByLanguage]) {
      const languages = list.map(({ lang }) => lang);
      expect(new Set(languages).size).toBe(languages.length);
    }
  });

  it('make texts without open slots', () => {
    const last = () => 0.999;
    for (const { slots, attacks, harmless } of grammars.phrases) {
      for (const template of [...attacks, ...harmless]) expect(fill(template, slots, last)).not.toMatch(/\{\w+\}/);
    }
  });

  it('derive Serbian from Croatian', () => {
    const serbian = grammars.phrases.find(({ lang }) => lang === 'sr-Cyrl');
    expect(serbian?.harmless.join()).toMatch(/\p{Script=Cyrillic}/u);
    expect(Object.keys(serbian?.slots ?? {})).not.toHaveLength(0);
  });
});

describe('a fault in a data file', () => {
  let folder: string;

  beforeEach(() => {
    folder = path.join(mkdtempSync(path.join(tmpdir(), 'grammars-')), 'data');
    cpSync(DATA, folder, { recursive: true });
  });
  afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

  const edit = (file: string, change: (written: Written) => void) => {
    const written = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Written;
    change(written);
    writeFileSync(path.join(folder, file), JSON.stringify(written));
  };
  const read = () => readOwnGrammars(new GrammarFolder(folder));

  it.each<[string, string, (written: Written) => void, RegExp]>([
    [
      'a phrase that is no string',
      'roles/german.json',
      ({ slots }) => Object.assign(slots, { job: ['Koch', 7] }),
      /roles\/german\.json: slots\.job\.1: .*string/,
    ],
    [
      'a key that no grammar has',
      'everyday.json',
      (written) => Object.assign(written, { harmles: ['hello'] }),
      /everyday\.json: .*harmles/,
    ],
    [
      'a slot that does not exist',
      'phrases/german.json',
      (written) => Object.assign(written, { attacks: ['ignoriere {nichts}'] }),
      /phrases\/german\.json: attacks\.0: no slot \{nichts\}: ignoriere \{nichts\}/,
    ],
    [
      'a slot that no template uses',
      'roles/french.json',
      ({ slots }) => Object.assign(slots, { extra: ['a'] }),
      /roles\/french\.json: slots\.extra: no template uses it/,
    ],
    [
      'a slot that holds itself',
      'roles/french.json',
      ({ slots }) => Object.assign(slots, { job: ['un {job}'] }),
      /roles\/french\.json: slots\.job: leads back to itself/,
    ],
    [
      'a slot of another file of the grammar',
      'injections/goals.json',
      ({ slots }) => Object.assign(slots, { first: ['Ada'] }),
      /injections\/goals\.json: slots\.first: another file of this grammar has it too/,
    ],
    [
      'a wrapper without its payload',
      'injections/wrappers.json',
      (written) => Object.assign(written, { wrappers: ['<p>{filler}</p>'] }),
      /injections\/wrappers\.json: wrappers\.0: must hold \{payload\} once/,
    ],
    [
      'a list of requests that is missing',
      'wishes/german.json',
      (written) => Object.assign(written, { claim: undefined }),
      /wishes\/german\.json: claim: /,
    ],
    [
      'a language that is none',
      'wishes/german.json',
      (written) => Object.assign(written, { lang: 'German' }),
      /wishes\/german\.json: lang: a language code of BCP-47/,
    ],
  ])('is reported: %s', (_, file, change, message) => {
    edit(file, change);
    expect(read).toThrow(message);
  });

  it('is reported: a file that no list names', () => {
    cpSync(path.join(folder, 'phrases/german.json'), path.join(folder, 'phrases/estonian.json'));
    expect(read).toThrow(/phrases\/estonian\.json: no corpus uses this file; list it in languages\.json/);
  });

  it('is reported: a listed file that is missing', () => {
    rmSync(path.join(folder, 'phrases/german.json'));
    expect(read).toThrow(/phrases\/german\.json: .*no such file/);
  });

  it('is reported: a file that is no JSON', () => {
    writeFileSync(path.join(folder, 'everyday.json'), '{ "lang": "en", }');
    expect(read).toThrow(/everyday\.json: .*JSON/);
  });
});
