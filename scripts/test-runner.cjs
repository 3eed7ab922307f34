const { appendFileSync, readFileSync, statSync } = require('node:fs');
const { enableCompileCache, registerHooks, stripTypeScriptTypes } = require('node:module');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const circus = require('jest-circus/runner');

const ROOT = pathToFileURL(path.resolve(__dirname, '..')).href;
/** Modules that each test file gets anew: ours, but for what `require` loads. */
const OURS = new RegExp(`^${ROOT}/(?!.*node_modules/).*\\.(?:ts|mjs)$`);
/** But these are loaded once per process: they keep nothing but caches, and import only each other and packages (test/architecture). */
const SHARED = new RegExp(
  `^${ROOT}/functions/(?:contract|control|inspection|kernel|pipeline|translation)/(?!.*\\.(?:test|fixture)\\.ts$)`,
);
/** Where `@jest/globals` finds the functions of the file that runs. */
const GLOBALS = Symbol.for('svc-jest-globals');
/** A file that gets a line for each test file: the CPU seconds of its worker, and of the worker's processes that ended. Linux only. */
const CPU_LOG = process.env.SVC_TEST_CPU;
const NAMES = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test'];

/** The number of the test file, in the address of each of its modules. */
let fileNumber = 0;
/** The number in the address of shared modules. */
let sharedNumber = 0;

/** Resolved addresses, by the importing module and what it imports. */
const resolvedBy = new Map();
/** Our modules without types, by path. */
const sources = new Map();

// Workers run many files: what those compile costs more to write than is read again.
if (process.send === undefined) enableCompileCache(path.resolve(__dirname, '../node_modules/.cache/svc-compiled'));
withoutWarning(() => stripTypeScriptTypes(''));
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: `svc:jest-globals?${fileNumber}`, shortCircuit: true };
    const resolved = resolveOnce(specifier, context, next);
    if (!OURS.test(resolved.url)) return resolved;
    const number = SHARED.test(resolved.url) ? sharedNumber : fileNumber;
    return { ...resolved, url: `${resolved.url}?${number}` };
  },
  load(url, context, next) {
    if (url.startsWith('svc:')) {
      const source = `export const { ${NAMES} } = globalThis[Symbol.for('${GLOBALS.description}')];`;
      return { format: 'module', source, shortCircuit: true };
    }
    if (!/^file:.*\.ts\?\d+$/.test(url)) return next(url, context);
    return { format: 'module', source: withoutTypes(fileURLToPath(url)), shortCircuit: true };
  },
});

/** Node warns once that a function is experimental. */
function withoutWarning(call) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  call();
  process.emitWarning = emitWarning;
}

/** The same modules import the same in each test file. */
function resolveOnce(specifier, context, next) {
  const { parentURL = '', conditions, importAttributes } = context;
  const key = JSON.stringify([specifier, parentURL.replace(/\?\d+$/, ''), conditions, importAttributes]);
  let resolved = resolvedBy.get(key);
  if (resolved === undefined) {
    resolved = { ...next(specifier, context), shortCircuit: true };
    resolvedBy.set(key, resolved);
  }
  return resolved;
}

/** A module without types, at the same places; removed once for all test files, but anew after a change, as in a watch. */
function withoutTypes(file) {
  const { mtimeMs } = statSync(file);
  const known = sources.get(file);
  if (known?.mtimeMs === mtimeMs) return known.source;
  const source = stripTypeScriptTypes(readFileSync(file, 'utf8'));
  sources.set(file, { mtimeMs, source });
  return source;
}

/**
 * Runs a test file as Jest does, but with modules that Node loads, instead of modules in a `vm` context. The packages' modules are then
 * loaded once per process, as are SHARED ones of ours, and types are removed once. Each file gets its own instances of our other modules, and its own environment variables.
 */
module.exports = async function runTestFile(globalConfig, config, environment, runtime, file, sendMessageToJest) {
  fileNumber += 1;
  if (globalConfig.watch || globalConfig.watchAll) sharedNumber = fileNumber;
  const secondsBefore = CPU_LOG ? cpuSeconds() : 0;
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
    if (CPU_LOG) {
      const seconds = (cpuSeconds() - secondsBefore).toFixed(2);
      appendFileSync(CPU_LOG, `${seconds} ${path.relative(path.dirname(__dirname), file)}\n`);
    }
  }
};

/** Of this process and of those that it has waited for, in user and system mode. */
function cpuSeconds() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // After the name in parentheses; the times are in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
