import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** An import or re-export of an `index.ts` by names; test/architecture.test.ts lets an index have nothing else. */
const BY_NAME = /^(import|export)(\s+type)?\s*\{([^}]*)\}\s*from\s*'(\.[^']*\/index\.ts)';/gm;
/** What an index re-exports. */
const RE_EXPORT = /^export(\s+type)?\s*\{([^}]*)\}\s*from\s*'([^']+)';/gm;

/**
 * Imports each name from the file that declares it instead of from an `index.ts`. esbuild assigns whole files to chunks: through an index, code
 * that is loaded on demand would be loaded at the start with the index.
 * @type {import('esbuild').Plugin}
 */
export const pastIndexes = {
  name: 'past-indexes',
  setup(build) {
    const indexes = new Map();
    /** The file and the name that each name of an index refers to. */
    const namesOf = (index) => {
      if (!indexes.has(index))
        indexes.set(
          index,
          readFile(index, 'utf8').then((code) => reExports(index, code)),
        );
      return indexes.get(index);
    };
    const declarationOf = async (index, name) => {
      const found = (await namesOf(index)).get(name);
      // Declared in the index.
      if (found === undefined) return { file: index, name };
      return path.basename(found.file) === 'index.ts' ? declarationOf(found.file, found.name) : found;
    };
    build.onStart(() => indexes.clear());
    build.onLoad({ filter: /[\\/](?:functions|lib|bin)[\\/](?:[^\\/]+[\\/])*[^\\/]+\.ts$/ }, async ({ path: file }) => {
      const folder = path.dirname(file);
      const code = await readFile(file, 'utf8');
      const statements = await Promise.all(
        [...code.matchAll(BY_NAME)].map(async ([, keyword, isType, list, target]) => {
          if (isType) return '';
          const direct = await Promise.all(
            valuesIn(list).map(async ({ name, as }) => {
              const found = await declarationOf(path.resolve(folder, target), name);
              return `${keyword} { ${found.name} as ${as} } from ${JSON.stringify(found.file)};`;
            }),
          );
          return direct.join(' ');
        }),
      );
      return { contents: code.replace(BY_NAME, () => statements.shift()), loader: 'ts' };
    });
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
