/**
 * Providers' own SDKs against the running service: node test/clients/run.mjs [--lambda | --web-function | --fargate] [jest's arguments]
 * The service is the HTTP server; with --lambda the deployed functions under AWS's runtime client (test/runtime); with --web-function the
 * same with the gateway as a Lambda Web Function; with --fargate as a container of `compute: fargate`.
 * Installs them by this folder's lockfile where needed, checks the tests' types, runs them; the last line is "N passed, N failed".
 */
import path from 'node:path';
import '../../scripts/check-node.mjs';
import { installRuntimeClient } from '../runtime/install-runtime-client.mjs';
import { checkTypes, installOwn, runScript, runSuite } from '../support/own-suite.mjs';
import { installPython } from '../support/python-suite.mjs';

const HERE = import.meta.dirname;

installOwn(HERE);
// Requests are compared with what providers publish.
installOwn(path.join(HERE, '../fidelity'));
if (installPython(path.join(HERE, 'boto3')) !== undefined) process.env.SVC_TEST_PYTHON = '1';
checkTypes(HERE);
const HOMES = ['--lambda', '--web-function', '--fargate'];
const args = process.argv.slice(2).filter((arg) => !HOMES.includes(arg));
if (args.length < process.argv.length - 2) {
  for (const home of ['web-function', 'fargate'])
    if (process.argv.includes(`--${home}`)) process.env.SVC_TEST_HOME = home;
  const fault = installRuntimeClient();
  if (fault !== undefined) {
    console.error(fault);
    process.exit(1);
  }
  runScript('scripts/build.mjs', 'gateway', 'web-function', 'container-gateway', 'admin-api', 'usage-counter');
  process.env.SVC_TEST_ENTRY = 'lambda';
}
runSuite(HERE, args);
