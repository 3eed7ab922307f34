/** Import this first: ends the process with an error message if Node is too old. */
const MINIMUM = [22, 18];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  console.error(
    `This project needs Node ${MINIMUM.join('.')} or newer, and this is Node ${process.versions.node}. ` +
      'After "npm ci", npm scripts and npx use the Node 24 in node_modules (Linux); elsewhere install Node 24 from https://nodejs.org.',
  );
  process.exit(1);
}
