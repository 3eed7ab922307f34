/**
 * Prints each folder that is imported through its index: how many names the index exports, and how many files import it.
 * `node scripts/module-imports.ts`
 *
 * Counts the product without tests; types count too.
 */
import './check-node.mjs';
import { measureFaces } from '../test/architecture/faces.ts';
import { shippedSources } from '../test/architecture/sources.ts';

console.table(measureFaces(shippedSources()));
