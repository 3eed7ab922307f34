/**
 * The stacks and what calls AWS, on Python's moto: npm test moto [-- --write] [jest's arguments]
 * Installs moto where needed; --write writes README.md; the last line is "N passed, N failed", or says that it was skipped, and why.
 */
import '../../scripts/check-node.mjs';
import { checkTypes, installOwn, runSuite } from '../support/own-suite.mjs';
import { installPython } from '../support/python-suite.mjs';

const HERE = import.meta.dirname;

if (installPython(HERE) === undefined) process.exit(0);
installOwn(HERE);
checkTypes(HERE);
const args = process.argv.slice(2);
process.env.SVC_TEST_STORE = 'moto';
if (args.includes('--write')) process.env.SVC_TEST_WRITE = '1';
runSuite(
  HERE,
  args.filter((arg) => arg !== '--write'),
);
