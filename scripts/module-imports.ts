/**
 * Prints how many names other code imports from each module, and from how many of its files: node scripts/module-imports.ts
 *
 * Counts the product without tests; types count too.
 */
import './check-node.mjs';
import { countModuleUse, shippedSources } from '../test/import-rules.ts';

console.table(countModuleUse(shippedSources()));
