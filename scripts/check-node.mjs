/** Import this first: ends the process with an error message if Node is too old, or the packages are not installed. */
import { existsSync } from 'node:fs';

const MINIMUM = [22, 19];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  fail(
    `This project needs Node ${MINIMUM.join('.')} or newer, and this is Node ${process.versions.node}. ` +
      'Run "npm ci", then use npm scripts, which have Node 24 on Linux; elsewhere install Node 24 from https://nodejs.org.',
  );
}
if (!existsSync(new URL('../node_modules/', import.meta.url)))
  fail('The packages are not installed. Run "npm ci" first.');

function fail(message) {
  console.error(message);
  process.exit(1);
}
