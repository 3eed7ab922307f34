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
      contents: withDroppableSchemas(change(file, readFileSync(file, 'utf8'))),
      loader: 'ts',
    }));
  },
};

/** A constant of a file: it ends before the first line that is not indented and closes nothing, as our formatter writes it. */
const CONSTANT = /^((?:export )?const \w+(?:: [^=\n]+)? =)(\s[\s\S]*?);\n(?!\n*[ )\]}])/gm;

/**
 * Marks the constants of a file with schemas as free of side effects, so that esbuild drops those that a bundle does not use. It cannot know that
 * zod's calls are: of the models' schemas the gateway uses few, and creating them all took 10 % of its start.
 */
export function withDroppableSchemas(code) {
  if (!code.includes("import * as z from 'zod'")) return code;
  return code.replace(CONSTANT, '$1 /* @__PURE__ */ (() => ($2))();\n');
}

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
