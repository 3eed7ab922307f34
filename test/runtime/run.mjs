/**
 * The bundle that is deployed, driven by AWS's own runtime client: node test/runtime/run.mjs [jest's arguments]
 * Installs the client where needed, builds the bundles, runs the tests; the last line is "N passed, N failed".
 */
import '../../scripts/check-node.mjs';
import { runScript, runSuite } from '../support/own-suite.mjs';
import { installRuntimeClient } from './install-runtime-client.mjs';

const fault = installRuntimeClient();
if (fault !== undefined) {
  console.error(fault);
  process.exit(1);
}
runScript('scripts/build.mjs', 'functions', 'container-gateway');
runSuite(import.meta.dirname, process.argv.slice(2));
