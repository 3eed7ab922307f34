const { enableCompileCache, registerHooks } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const circus = require('jest-circus/runner');

const ROOT = pathToFileURL(path.resolve(__dirname, '..')).href;
/** Modules that each test file gets anew: ours, but for what `require` loads. */
const OURS = new RegExp(`^${ROOT}/(?!.*node_modules/).*\\.(?:ts|mjs)$`);
/** Where `@jest/globals` finds the functions of the file that runs. */
const GLOBALS = Symbol.for('svc-jest-globals');
const NAMES = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test'];

/** The number of the test file, in the address of each of its modules. */
let fileNumber = 0;

enableCompileCache(path.resolve(__dirname, '../node_modules/.cache/svc-compiled'));
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: `svc:jest-globals?${fileNumber}`, shortCircuit: true };
    const resolved = next(specifier, context);
    return OURS.test(resolved.url) ? { ...resolved, url: `${resolved.url}?${fileNumber}` } : resolved;
  },
  load(url, context, next) {
    if (!url.startsWith('svc:')) return next(url, context);
    const source = `export const { ${NAMES} } = globalThis[Symbol.for('${GLOBALS.description}')];`;
    return { format: 'module', source, shortCircuit: true };
  },
});

/**
 * Runs a test file as Jest does, but with modules that Node loads, instead of modules in a `vm` context. The packages' modules are then
 * loaded once per process, and ours are compiled once. Each file gets its own instances of our modules, and its own environment variables.
 */
module.exports = async function runTestFile(globalConfig, config, environment, runtime, file, sendMessageToJest) {
  fileNumber += 1;
  const { console } = globalThis;
  const { exitCode } = process;
  const env = { ...process.env };
  const { global, fakeTimersModern } = environment;
  environment.global = globalThis;
  environment.fakeTimersModern = new fakeTimersModern.constructor({ config, global: globalThis });
  runtime.setGlobalsForRuntime = (globals) => {
    Object.getPrototypeOf(runtime).setGlobalsForRuntime.call(runtime, globals);
    globalThis[GLOBALS] = runtime.jestGlobals.cjsGlobals(file);
    globalThis.jest = globalThis[GLOBALS].jest;
  };
  runtime.requireInternalModule = (framework) => {
    // It begins with the state and the handlers of the last file.
    delete require.cache[framework];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(framework);
  };
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = () => import(pathToFileURL(file).href);
  globalThis.console = global.console;
  try {
    return await circus.default(globalConfig, config, environment, runtime, file, sendMessageToJest);
  } finally {
    environment.fakeTimersModern.useRealTimers();
    environment.moduleMocker.restoreAllMocks();
    Object.assign(environment, { global, fakeTimersModern });
    delete globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')];
    globalThis.console = console;
    process.exitCode = exitCode;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  }
};
