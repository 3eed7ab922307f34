/** What needs no setting, and few requests; a start of the service and the browser takes as much CPU as most of these. */
// Without a request so far.
import './sign-in.cases.ts';
import './keys.cases.ts';
import './prices.cases.ts';
import './spend.cases.ts';
import './reference.cases.ts';
