const assert = require('node:assert');

/** Node's assertions, with a message for those of one value (scripts/bundle-options.mjs). */
function ok(value, message = 'an assertion failed') {
  assert(value, message);
}

module.exports = Object.assign(ok, assert, { ok });
