/**
 * What providers publish against what the gateway does: node test/fidelity/run.mjs [--lambda | --web-function | --fargate] [jest's arguments]
 * Installs what reads and serves it by this folder's lockfile where needed, checks the tests' types, runs them; the last line is
 * "N passed, N failed".
 */
import '../../scripts/check-node.mjs';
import { installRuntimeClient } from '../runtime/install-runtime-client.mjs';
import { checkTypes, installOwn, runScript, runSuite } from '../support/own-suite.mjs';

const HERE = import.meta.dirname;

installOwn(HERE);
checkTypes(HERE);
const HOMES = ['--lambda', '--web-function', '--fargate'];
const [home] = process.argv.filter((arg) => HOMES.includes(arg));
if (home !== undefined) {
  const fault = installRuntimeClient();
  if (fault !== undefined) {
    console.error(fault);
    process.exit(1);
  }
  runScript('scripts/build.mjs', 'gateway', 'web-function', 'container-gateway', 'admin-api', 'usage-counter');
  process.env.SVC_TEST_ENTRY = 'lambda';
  if (home !== '--lambda') process.env.SVC_TEST_HOME = home.slice(2);
}
runSuite(
  HERE,
  process.argv.slice(2).filter((arg) => arg !== home),
);
