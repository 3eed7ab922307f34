/** Loaded only if needed. In a bundle, a package of CommonJS that is itself loaded so has no names. */
export { parseDocument, stringify } from 'yaml';
