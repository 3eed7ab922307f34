import type { Registry } from './name-filter.ts';

const NPM_NAME = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9][\w.-]{0,127}$/;
const PYPI_NAME = /^[a-z0-9][\w.-]{0,127}$/i;
/** Names that say that another is to stand there. */
const PLACEHOLDER =
  /^(?:@?(?:your|my|some|the|example|sample|foo|bar|baz|test|demo|acme|scope|org|package|module|name)s?)(?:[-_/.]|$)|(?:package|module|project|app)[-_.]?(?:name)?$/i;
const SOURCE_FILE = /\.(?:tsx?|jsx|vue|svelte|astro|s?css|svg|png)$/;
/** Options whose value is no package. */
const WITH_VALUE =
  /^(?:-[rcieftwCb]|--(?:requirement|constraint|index-url|extra-index-url|find-links|target|prefix|registry|workspace|filter|python|cwd|editable|group|extra|tag|loglevel|cache-dir|proxy))$/;

/** The packages that an install command names, up to where it becomes something else. */
export function packagesIn(commandArguments: string, registry: Registry): string[] {
  const names: string[] = [];
  const words = commandArguments.split(/[ \t]+/).filter((word) => word !== '');
  for (let at = 0; at < words.length; at++) {
    const quoted = words[at] as string;
    const word = quoted.replace(/^["']|["']$/g, '');
    if (WITH_VALUE.test(word)) at += 1;
    else if (!word.startsWith('-')) {
      const name = packageName(word, registry);
      // A path, an address, a variable, or the prose that the command stands in.
      if (name === undefined) break;
      names.push(name);
      // What quotes the command ends here.
      if (/^[^"'].*["']$/.test(quoted)) break;
    }
  }
  return names;
}

/** The name in `name@1.2`, `name==1.2`, `name[extra]`; undefined where it is no name of a package to fetch. */
function packageName(word: string, registry: Registry): string | undefined {
  if (registry === 'npm') {
    const name = word.replace(/(?<=.)@[\w.^~<>=*-]*$/, '');
    return NPM_NAME.test(name) ? name : undefined;
  }
  const [name = ''] = word.split(/[[=<>~!]/, 1);
  return PYPI_NAME.test(name) && !/\.(?:txt|whl|gz|zip|toml|cfg|py)$/i.test(name) ? name : undefined;
}

/** The npm package that an import's specifier leads to; undefined for files, aliases and modules of other languages. */
export function importedPackage(specifier: string): string | undefined {
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] as string);
  // With a dot in its name: a file, or a module of Lua, which has `require` too.
  return NPM_NAME.test(name) && !name.includes('.') && !SOURCE_FILE.test(specifier) ? name : undefined;
}

export function isPlaceholder(name: string): boolean {
  return PLACEHOLDER.test(name);
}
