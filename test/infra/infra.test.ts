/**
 * All that is said of the templates, in one file for jest: each file would load CDK anew and synthesize the same stacks, which
 * takes longer than what is asked of them.
 */
import './bundled-calls.cases.ts';
import './checks.cases.ts';
import './combinations.cases.ts';
import './front-doors.cases.ts';
import './operations.cases.ts';
import './rollout.cases.ts';
import './stacks.cases.ts';
import './upgrade.cases.ts';
import './webhooks.cases.ts';
