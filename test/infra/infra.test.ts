/**
 * The quick tests of the templates, in one file for jest: separate files would each load CDK and synthesize the same stacks, which
 * takes longer than the tests.
 */
// First, because the others read the stacks that it validates.
import './checks.cases.ts';
import './alarm-notifications.cases.ts';
import './alarm-resources.cases.ts';
import './alarm-thresholds.cases.ts';
import './bundled-calls.cases.ts';
import './data-stack.cases.ts';
import './distribution.cases.ts';
import './fargate.cases.ts';
import './front-doors.cases.ts';
import './gateway-stack.cases.ts';
import './health-alarm.cases.ts';
import './landing-zone.cases.ts';
import './operations-dashboard.cases.ts';
import './origin-secret.cases.ts';
import './regions.cases.ts';
import './rest-api.cases.ts';
import './roles.cases.ts';
import './rollout.cases.ts';
import './web-acls.cases.ts';
import './web-function.cases.ts';
import './webhooks.cases.ts';
