/**
 * What providers publish against what the gateway does: node test/fidelity/run.mjs [jest's arguments]
 * Installs what reads and serves it by this folder's lockfile where needed, checks the tests' types, runs them; the last line is
 * "N passed, N failed".
 */
import '../../scripts/check-node.mjs';
import { checkTypes, installOwn, runSuite } from '../support/own-suite.mjs';

const HERE = import.meta.dirname;

installOwn(HERE);
checkTypes(HERE);
runSuite(HERE, process.argv.slice(2));
