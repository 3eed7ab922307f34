/**
 * Coding agents against the running service: node test/agents/run.mjs [jest's arguments]
 * Installs them by this folder's lockfile where needed (2 GB: most bring a binary), checks the tests' types, runs them; the
 * last line is "N passed, N failed".
 */
import path from 'node:path';
import '../../scripts/check-node.mjs';
import { checkTypes, installOwn, runSuite } from '../support/own-suite.mjs';

const HERE = import.meta.dirname;

installOwn(HERE, { isPartial: true });
// Requests are compared with what providers publish.
installOwn(path.join(HERE, '../fidelity'));
checkTypes(HERE);
runSuite(HERE, process.argv.slice(2));
