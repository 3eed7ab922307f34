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
  logLevel: 'warning',
  // Some dependencies are CommonJS only and call require() for Node's own modules.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
};
