/**
 * The quick tests of the templates, in one file for jest: separate files would each load CDK and synthesize the same stacks, which
 * takes longer than the tests.
 */
import './bundled-calls.cases.ts';
import './checks.cases.ts';
import './data-stack.cases.ts';
import './front-doors.cases.ts';
import './gateway-stack.cases.ts';
import './operations.cases.ts';
import './regions.cases.ts';
import './roles.cases.ts';
import './rollout.cases.ts';
import './web-function.cases.ts';
import './webhooks.cases.ts';
