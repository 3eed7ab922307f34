/** Tests of the templates that synthesize many stages: settings in combination, and upgrades from earlier releases. */
import './combinations.cases.ts';
import './upgrade.cases.ts';
