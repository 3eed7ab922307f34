/** Import this first: ends the process with an error message if Node is too old, or the packages are not installed. */
import { existsSync } from 'node:fs';
import { isNodeTooOld, MINIMUM_NODE } from '../bin/minimum-node.mjs';

if (isNodeTooOld()) {
  fail(
    `This project needs Node ${MINIMUM_NODE} or newer, and this is Node ${process.versions.node}. ` +
      'Run "npm ci", then use npm scripts, which have Node 24 on Linux; elsewhere install Node 24 from https://nodejs.org.',
  );
}
if (!existsSync(new URL('../node_modules/', import.meta.url)))
  fail('The packages are not installed. Run "npm ci" first.');

function fail(message) {
  console.error(message);
  process.exit(1);
}
