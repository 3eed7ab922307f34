#!/usr/bin/env node
import packageJson from '../package.json' with { type: 'json' };
import { isNodeTooOld, MINIMUM_NODE } from './minimum-node.mjs';

/** Takes the arguments after its name. @returns the exit code */
type Run = (args: readonly string[]) => Promise<number>;

interface Command {
  readonly summary: string;
  readonly load: () => Promise<Run>;
}

/** All commands, in the order of the help. An old Node cannot load their code. */
const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    summary: 'Run the service on this machine.',
    load: async () => (await import('./start.ts')).start,
  },
  demo: {
    summary: 'Delete the data of svc start --demo.',
    load: async () => (await import('./demo.ts')).demo,
  },
  admin: {
    summary: 'Manage keys, policies and providers of a service.',
    load: async () => (await import('./admin.ts')).admin,
  },
  'admin-key': {
    summary: 'Create another admin key for the service on this machine.',
    load: async () => (await import('./admin-key.ts')).adminKey,
  },
  'create-tables': {
    summary: 'Create tables, queues and secrets in AWS for containers.',
    load: async () => (await import('./create-tables.ts')).createTablesCommand,
  },
  restore: {
    summary: 'Copy tables at an earlier time into a stage in AWS.',
    load: async () => (await import('./restore.ts')).restore,
  },
  scan: {
    summary: 'Inspect files of texts.',
    load: async () => (await import('./scan.ts')).scan,
  },
  import: {
    summary: 'Turn the configuration of LiteLLM or Portkey into ours.',
    load: async () => (await import('./import.ts')).importCommand,
  },
  login: {
    summary: 'Sign in to a gateway through its identity provider.',
    load: async () => (await import('./login.ts')).login,
  },
  token: {
    summary: 'Print a valid token of a sign-in, in place of a key.',
    load: async () => (await import('./token.ts')).token,
  },
  logout: {
    summary: 'End a sign-in.',
    load: async () => (await import('./logout.ts')).logout,
  },
};

const USAGE = `Usage: svc COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(13)} ${summary}`)
  .join('\n')}

Options of a command: svc COMMAND --help. The version: svc --version`;

async function main([name = '', ...args]: readonly string[]): Promise<number> {
  if (isNodeTooOld()) {
    process.stderr.write(`svc needs Node ${MINIMUM_NODE} or newer, and this is Node ${process.versions.node}.\n`);
    return 1;
  }
  if (Object.hasOwn(COMMANDS, name)) return (await (COMMANDS[name] as Command).load())(args);
  if (name === '--version') {
    process.stdout.write(`${packageJson.version}\n`);
    return 0;
  }
  if (name === '--help' || name === '-h') {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  process.stderr.write(`error: ${name === '' ? 'a command is missing' : 'unknown command'}.\n\n${USAGE}\n`);
  return 2;
}

process.exitCode = await main(process.argv.slice(2));
