import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pastIndexes } from './bundle-past-indexes.mjs';

/** Distinguishes a table from the module that loads it. */
const FILE_SUFFIX = '?table';

/** Smaller tables stay in the code. */
const MIN_TABLE_BYTES = 16 * 1024;

/**
 * Writes large generated tables to JSON files beside the code: Node parses JSON several times as fast as code.
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

/** Used in bundles instead of Node's assertions. */
const ASSERT = path.join(import.meta.dirname, 'bundled-assert.cjs');

/**
 * For an assertion without a message Node parses the file that failed. It cannot parse a minified one, and throws its parser's
 * SyntaxError instead of the assertion's error.
 * @type {import('esbuild').Plugin}
 */
const assertWithMessages = {
  name: 'assert-with-messages',
  setup(build) {
    build.onResolve({ filter: /^(?:node:)?assert$/ }, ({ importer }) =>
      importer === ASSERT ? undefined : { path: ASSERT },
    );
  },
};

/**
 * Dynalite, one of the embedded stores, requires its actions by name. esbuild knows the files of a folder with their extension only.
 * @type {import('esbuild').Plugin}
 */
const actionsOfDynalite = {
  name: 'actions-of-dynalite',
  setup(build) {
    build.onLoad({ filter: /[\\/]dynalite[\\/]index\.js$/ }, async ({ path: file }) => {
      const code = await readFile(file, 'utf8');
      return { contents: code.replaceAll("/' + action)", "/' + action + '.js')"), loader: 'js' };
    });
  },
};

/**
 * While a queue has a receiver, fauxqs looks 50 times a second for messages whose delay or visibility timeout has ended. This is half of the CPU
 * of a local service without requests.
 * @type {import('esbuild').Plugin}
 */
const calmQueues = {
  name: 'calm-queues',
  setup(build) {
    build.onLoad({ filter: /[\\/]fauxqs[\\/]dist[\\/]sqs[\\/]sqsStore\.js$/ }, async ({ path: file }) => {
      const code = await readFile(file, 'utf8');
      const calm = code.replace(/(this\.processTimers\(\);\s+\}, )20\)/, '$1200)');
      if (calm === code) throw new Error('fauxqs has another timer');
      return { contents: calm, loader: 'js' };
    });
  },
};

/** The same JSON without spaces and in ASCII. Node reads a file with other characters several times as slowly. */
function inAscii(json) {
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(JSON.parse(json)).replace(/[^ -~]/g, escaped);
}

/**
 * Options of esbuild for all functions.
 * @type {import('esbuild').BuildOptions}
 */
export const BUNDLE_OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  // The ESM builds are a third smaller than the CommonJS ones that platform "node" prefers.
  mainFields: ['module', 'main'],
  // Keeps rarely used code (other credential providers) out of the file that a cold start loads.
  splitting: true,
  chunkNames: 'chunk-[hash]',
  minify: true,
  legalComments: 'none',
  assetNames: '[name]-[hash]',
  plugins: [tablesBeside, assertWithMessages, actionsOfDynalite, calmQueues, pastIndexes],
  logLevel: 'warning',
  // Some dependencies are CommonJS only: they read __dirname and call require() for Node's own modules.
  define: { __dirname: 'import.meta.dirname' },
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
};
