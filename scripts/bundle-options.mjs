import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** Tells the table itself from the module that reads it. */
const FILE_SUFFIX = '?table';

/** Smaller tables are not worth a file of their own. */
const MIN_TABLE_BYTES = 16 * 1024;

/**
 * Leaves large generated tables beside the code, to be read as JSON: as code they are scanned and compiled, which takes
 * several times as long.
 * @type {import('esbuild').Plugin}
 */
const tablesBeside = {
  name: 'tables-beside',
  setup(build) {
    build.onLoad({ filter: /\.generated\.json$/, namespace: 'file' }, async ({ path: file, suffix }) => {
      if (suffix === FILE_SUFFIX) return { contents: inAscii(await readFile(file, 'utf8')), loader: 'file' };
      if ((await stat(file)).size < MIN_TABLE_BYTES) return undefined;
      return {
        contents: `import { readFileSync } from 'node:fs';
          import name from ${JSON.stringify(`./${path.basename(file)}${FILE_SUFFIX}`)};
          export default JSON.parse(readFileSync(new URL(name, import.meta.url), 'latin1'));`,
        resolveDir: path.dirname(file),
      };
    });
  },
};

/** JSON that says the same without spaces and in ASCII: one letter above it, and Node reads all of a file several times as slowly. */
function inAscii(json) {
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(JSON.parse(json)).replace(/[^ -~]/g, escaped);
}

/**
 * How the functions are bundled, for what deploys them and what measures their parts.
 * @type {import('esbuild').BuildOptions}
 */
export const BUNDLE_OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  // The ESM builds are a third smaller than the CommonJS ones that platform "node" prefers.
  mainFields: ['module', 'main'],
  // What only a rare path loads (other credential providers) stays out of the file that a cold start reads.
  splitting: true,
  chunkNames: 'chunk-[hash]',
  minify: true,
  legalComments: 'none',
  assetNames: '[name]-[hash]',
  plugins: [tablesBeside],
  logLevel: 'warning',
  // Some dependencies are CommonJS only and call require() for Node's own modules.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
};
