import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const HERE = import.meta.dirname;
const CLIENT = path.join(HERE, 'node_modules/aws-lambda-ric');
const NATIVE = path.join(CLIENT, 'rapid-client.node');
/** The native part is the same in each clone on a machine. */
const CACHE = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'svc');

/**
 * Installs aws-lambda-ric by this folder's lockfile unless it is installed and loads. Its native part is built from
 * source, which takes a minute, unless an earlier build is in the user's cache and loads. Returns a message for the user if it cannot
 * be installed.
 */
export function installRuntimeClient() {
  const { dependencies } = JSON.parse(readFileSync(path.join(HERE, 'package.json'), 'utf8'));
  const wanted = dependencies['aws-lambda-ric'];
  if (isUsable(wanted)) return undefined;

  if (process.platform !== 'linux') return `aws-lambda-ric runs on Linux only, and this is ${process.platform}.`;
  const built = path.join(CACHE, `rapid-client-${wanted}-${process.arch}.node`);
  if (existsSync(built) && install('--ignore-scripts').status === 0) {
    copyFileSync(built, NATIVE);
    if (isUsable(wanted)) return undefined;
  }
  console.log(`installing aws-lambda-ric ${wanted} (built from source, about a minute) ...`);
  const npm = install();
  if (npm.status === 0 && isUsable(wanted)) {
    keep(built);
    return undefined;
  }
  const output = String(npm.error ?? `${npm.stdout}\n${npm.stderr}`).split('\n');
  return [
    // The archives that are unpacked for the build make tar warn hundreds of times.
    ...output.filter((line) => line.trim() !== '' && !/npm warn|tar: Ignoring/.test(line)).slice(-20),
    '',
    'aws-lambda-ric could not be installed. It is built from source, and so needs cmake, g++, make and python3',
    '(Debian, Ubuntu: apt-get install -y cmake g++ make python3), install scripts allowed, and for its first build',
    "either the network or npm's setting nodedir, for Node's header files.",
  ].join('\n');
}

function install(...options) {
  // Optimising takes a quarter of the build's CPU, and tests gain nothing from it.
  const env = { ...process.env, CFLAGS: '-O0', CXXFLAGS: '-O0' };
  return spawnSync('npm', ['ci', '--prefix', HERE, ...options, '--no-audit', '--no-fund'], {
    cwd: HERE,
    encoding: 'utf8',
    env,
  });
}

/** Copies the native part to the cache; other runs see the whole file or none. */
function keep(file) {
  const copy = `${file}.${process.pid}`;
  try {
    mkdirSync(CACHE, { recursive: true });
    copyFileSync(NATIVE, copy);
    renameSync(copy, file);
  } catch {
    // The home folder may be read-only. The next clone builds it again.
  }
}

function isUsable(version) {
  const manifest = path.join(CLIENT, 'package.json');
  if (!existsSync(manifest) || JSON.parse(readFileSync(manifest, 'utf8')).version !== version) return false;
  // In a separate process: a native part that was built for another platform fails and ends the whole process
  // where it finds no Runtime API in the environment.
  const load = `require(${JSON.stringify(NATIVE)})`;
  const env = { ...process.env, AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9' };
  return spawnSync(process.execPath, ['-e', load], { env }).status === 0;
}
