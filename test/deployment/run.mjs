/**
 * What is deployed, tried without an account: node test/deployment/run.mjs [jest's arguments]
 * Installs by this folder's lockfile where needed a simulator of IAM, for the calls that `npm run generate recorded-calls` wrote down, and
 * AWS's cfn-guard, for the rules of rules.guard; checks the tests' types, runs them; the last line is "N passed, N failed".
 */
import '../../scripts/check-node.mjs';
import { checkTypes, installOwn, runSuite } from '../support/own-suite.mjs';

const HERE = import.meta.dirname;

installOwn(HERE);
checkTypes(HERE);
runSuite(HERE, process.argv.slice(2));
