/**
 * Builds the root file system that container/Dockerfile describes, without Docker: node container/rootfs.mjs FOLDER
 *
 * Executes the COPY and RUN lines. RUN lines run in a chroot with this machine's system folders; in the last stage the base image is replaced
 * by Node, the libraries it needs and the users root and node. FOLDER then has `rootfs` and `config.json` (environment, user, commands).
 * Needs Linux, root, mount namespaces and npm's registry.
 */
import '../scripts/check-node.mjs';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { isInContext, parseDockerfile } from './dockerfile.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const IGNORED = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8');
/** Of the official image. */
const NODE_USER = 1000;
const SYSTEM = ['usr', 'bin', 'lib', 'lib64', 'etc', 'dev', 'proc', 'root', 'tmp'];

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('usage: node container/rootfs.mjs FOLDER');
const folder = path.resolve(out);
rmSync(folder, { recursive: true, force: true });
const stages = parseDockerfile(readFileSync(path.join(import.meta.dirname, 'Dockerfile'), 'utf8'));
const roots = new Map();
const config = { env: { PATH: '/usr/local/bin:/usr/bin:/bin' }, user: '0:0', workdir: '/' };
for (const [at, stage] of stages.entries()) {
  const isLast = at === stages.length - 1;
  const root = path.join(folder, isLast ? 'rootfs' : stage.name);
  mkdirSync(root, { recursive: true });
  roots.set(stage.name, root);
  let workdir = '/';
  for (const step of stage.steps) {
    if (step.instruction === 'WORKDIR') {
      workdir = path.posix.resolve(workdir, step.value);
      mkdirSync(path.join(root, workdir), { recursive: true });
    } else if (step.instruction === 'COPY') copy(root, workdir, step);
    else if (step.instruction === 'RUN') run(root, workdir, step.command);
    else if (isLast) setConfig(step);
  }
  config.workdir = workdir;
}
const rootfs = path.join(folder, 'rootfs');
addBase(rootfs);
for (const [, root] of roots) if (root !== rootfs) rmSync(root, { recursive: true, force: true });
writeFileSync(path.join(folder, 'config.json'), `${JSON.stringify(config, undefined, 2)}\n`);
console.log(`${rootfs} is built`);

function setConfig({ instruction, name, value, command }) {
  if (instruction === 'ENV') config.env[name] = value;
  else if (instruction === 'USER') config.user = value;
  else if (instruction === 'CMD') config.command = command;
  else if (instruction === 'HEALTHCHECK') config.healthcheck = command;
}

/** Copies as Docker does: the content of a folder, or files into a folder whose name ends in a slash. */
function copy(root, workdir, { sources, target, from, chown }) {
  const base = from === undefined ? ROOT : roots.get(from);
  const to = path.join(root, path.posix.resolve(workdir, target));
  const isKept = (file) => from !== undefined || isInContext(IGNORED, path.relative(ROOT, file));
  for (const source of sources) {
    const names = source.includes('*') ? globSync(source, { cwd: base }) : [source];
    if (names.length === 0) throw new Error(`nothing to copy: ${source}`);
    for (const name of names) {
      const file = path.join(base, name);
      if (statSync(file).isDirectory()) copyFolder(file, to, isKept);
      else if (isKept(file)) cpSync(file, target.endsWith('/') ? path.join(to, path.basename(name)) : to);
      else throw new Error(`not in the build context: ${name}`);
    }
  }
  if (chown !== undefined) chownSync(to, ...chown.split(':').map(Number));
}

/** Entry by entry: a folder that is not in the context may hold an exception. */
function copyFolder(from, to, isKept) {
  mkdirSync(to, { recursive: true });
  chmodSync(to, statSync(from).mode);
  for (const entry of readdirSync(from)) {
    const source = path.join(from, entry);
    if (isKept(source))
      cpSync(source, path.join(to, entry), { recursive: true, filter: isKept, verbatimSymlinks: true });
  }
}

/** Runs a command in the stage, with the system folders of this machine instead of the base image's. */
function run(root, workdir, command) {
  console.log(`RUN ${command.join(' ')}`);
  const before = new Set(readdirSync(root));
  const node = path.join(root, '.base/bin');
  mkdirSync(node, { recursive: true });
  cpSync(process.execPath, path.join(node, 'node'));
  const mounts = SYSTEM.filter((name) => existsSync(`/${name}`)).map((name) => {
    mkdirSync(path.join(root, name), { recursive: true });
    return `mount --rbind /${name} "$0/${name}"`;
  });
  const script = `set -e; ${mounts.join('; ')}; exec unshare --root="$0" --wd=${workdir} "$@"`;
  execFileSync('unshare', ['--mount', 'sh', '-c', script, root, ...command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: `/.base/bin:${process.env.PATH}` },
  });
  rmSync(path.join(root, '.base'), { recursive: true });
  for (const name of SYSTEM) if (!before.has(name)) rmSync(path.join(root, name), { recursive: true, force: true });
}

/** What the service needs of the base image; no shell, no package manager. */
function addBase(root) {
  mkdirSync(path.join(root, 'usr/local/bin'), { recursive: true });
  cpSync(process.execPath, path.join(root, 'usr/local/bin/node'));
  const linked = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  for (const [file] of linked.matchAll(/\/\S+/g)) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    copyFileSync(file, path.join(root, file));
  }
  for (const name of ['etc', 'proc', 'dev', 'tmp']) mkdirSync(path.join(root, name), { recursive: true });
  chmodSync(path.join(root, 'tmp'), 0o1777);
  const passwd = [
    'root:x:0:0::/root:/usr/sbin/nologin',
    `node:x:${NODE_USER}:${NODE_USER}::/home/node:/usr/sbin/nologin`,
  ];
  writeFileSync(path.join(root, 'etc/passwd'), `${passwd.join('\n')}\n`);
  writeFileSync(path.join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
}
