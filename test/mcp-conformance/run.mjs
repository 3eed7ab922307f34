/**
 * MCP's own conformance suite against the service in front of a server that has all it asks for: npm test mcp-conformance. Installs it by
 * this folder's lockfile where needed, checks the tests' types, runs them; the last line is "N passed, N failed".
 */
import '../../scripts/check-node.mjs';
import { checkTypes, installOwn, runSuite } from '../support/own-suite.mjs';

installOwn(import.meta.dirname);
checkTypes(import.meta.dirname);
runSuite(import.meta.dirname, process.argv.slice(2));
