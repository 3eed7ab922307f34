/**
 * The programs behind `npm run bench NAME`, `npm run generate NAME` and `npm test SUITE`: commands.json has the arguments of
 * Node for each; training and scoring hold all texts in memory. As a program:
 * node scripts/commands.mjs bench|generate NAME [ARGUMENTS]
 */
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import commands from './commands.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '..');

/** Whether commands.json has a command of this name in the group. */
export function isCommand(group, name) {
  return name !== undefined && Object.hasOwn(commands[group], name);
}

/** Runs one command in the repository's root and returns its exit status. */
export function runCommand(group, name, args) {
  return spawnSync(process.execPath, [...commands[group][name], ...args], { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

if (process.argv[1] === import.meta.filename) {
  const [group, name, ...args] = process.argv.slice(2);
  if (isCommand(group, name)) process.exitCode = runCommand(group, name, args);
  else {
    console.error(`usage: npm run ${group} NAME -- [OPTIONS]; names: ${Object.keys(commands[group]).join(', ')}`);
    process.exitCode = 2;
  }
}
