/**
 * The import of LiteLLM's configuration and keys, with LiteLLM's real proxy as the source: npm test import-litellm [jest's arguments]
 * Installs the LiteLLM of the benches where needed; the last line is "N passed, N failed", or says that it was skipped, and why.
 */
import '../../scripts/check-node.mjs';
import path from 'node:path';
import { runSuite } from '../support/own-suite.mjs';
import { installPython } from '../support/python-suite.mjs';

const HERE = import.meta.dirname;
const programs = installPython(path.resolve(HERE, '../../bench/peers'));

if (programs === undefined) process.exit(0);
process.env.SVC_TEST_LITELLM = programs;
runSuite(HERE, process.argv.slice(2));
