/** Tool calls in responses, with one gateway: a start of the service takes longer than most of these. */
import './hosted-tools.cases.ts';
import './removed-calls.cases.ts';
import './session-calls.cases.ts';
import './tool-calls.cases.ts';
