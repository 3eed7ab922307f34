import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An import or re-export of an `index.ts` by names; test/architecture.test.ts lets an index have nothing else. */
const BY_NAME = /^(import|export)(\s+type)?\s*\{([^}]*)\}\s*from\s*'(\.[^']*\/index\.ts)';/gm;
/** What an index re-exports. */
const RE_EXPORT = /^export(\s+type)?\s*\{([^}]*)\}\s*from\s*'([^']+)';/gm;

/**
 * Makes a function that changes the code of a file so that it imports each name from the file that declares it instead of from an `index.ts`.
 * @returns {(file: string, code: string) => string}
 */
export function createPastIndexes() {
  const indexes = new Map();
  /** The file and the name that each name of an index refers to. */
  const namesOf = (index) => {
    if (!indexes.has(index)) indexes.set(index, reExports(index, readFileSync(index, 'utf8')));
    return indexes.get(index);
  };
  const declarationOf = (index, name) => {
    const found = namesOf(index).get(name);
    // Declared in the index.
    if (found === undefined) return { file: index, name };
    return path.basename(found.file) === 'index.ts' ? declarationOf(found.file, found.name) : found;
  };
  return (file, code) =>
    code.replace(BY_NAME, (statement, keyword, isType, list, target) => {
      const index = path.resolve(path.dirname(file), target);
      const direct = isType ? [] : valuesIn(list).map(({ name, as }) => ({ ...declarationOf(index, name), as }));
      const imports = direct.map(
        ({ file: from, name, as }) => `${keyword} { ${name} as ${as} } from ${JSON.stringify(from)};`,
      );
      // With as many lines as before, for the places of errors.
      return imports.join(' ') + statement.replace(/[^\n]/g, '');
    });
}

/**
 * esbuild assigns whole files to chunks: through an index, code that is loaded on demand would be loaded at the start with the index.
 * @type {import('esbuild').Plugin}
 */
export const pastIndexes = {
  name: 'past-indexes',
  setup(build) {
    const change = createPastIndexes();
    build.onLoad({ filter: /[\\/](?:functions|lib|bin)[\\/](?:[^\\/]+[\\/])*[^\\/]+\.ts$/ }, ({ path: file }) => ({
      contents: change(file, readFileSync(file, 'utf8')),
      loader: 'ts',
    }));
  },
};

function reExports(index, code) {
  const names = new Map();
  for (const [, isType, list, target] of code.matchAll(RE_EXPORT)) {
    const file = path.resolve(path.dirname(index), target);
    if (!isType) for (const { name, as } of valuesIn(list)) names.set(as, { file, name });
  }
  return names;
}

/** The names in braces that are no types. */
function valuesIn(list) {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((written) => {
      const [name, as = name] = written.split(/\s+as\s+/);
      return { name, as };
    });
}
