/** Texts and tool calls in responses, with one gateway: a start of the service takes longer than most of these. */
import './answer-findings.cases.ts';
import './answer-log-probabilities.cases.ts';
import './answer-places.cases.ts';
import './answer-streams.cases.ts';
import './cut-streams.cases.ts';
import './hosted-tools.cases.ts';
import './removed-calls.cases.ts';
import './session-calls.cases.ts';
import './tool-calls.cases.ts';
