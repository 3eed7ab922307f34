/** The tools of an agent. The tests of approvals come first, since they decide all that wait. */
import './tool-calls.cases.ts';
import './tools.cases.ts';
