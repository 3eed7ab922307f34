/** What needs no setting: a start of the service takes longer than most of these. */
import './bodies.cases.ts';
import './headers.cases.ts';
import './honest/honest-agents.cases.ts';
import './honest/honest-documents.cases.ts';
import './ids/item-references.cases.ts';
import './input/hidden-definitions.cases.ts';
import './input/input-escapes.cases.ts';
import './input/input-names.cases.ts';
import './input/past-calls.cases.ts';
import './input/split-parts.cases.ts';
import './input/tool-pins.cases.ts';
import './input/uninspected-input.cases.ts';
import './responses/shown-text.cases.ts';
import './tenants.cases.ts';
