/**
 * Loaded before a measured script: it replies to the bench's messages, and is otherwise left alone. It imports no TypeScript, since Node's
 * reader of that takes 19 MB in the process.
 */
import v8 from 'node:v8';
import vm from 'node:vm';

/** Odd: the median is one of them. */
const PARSES = 21;

process.on('message', ({ kind, text }) => {
  if (kind === 'collect') collect();
  process.send(kind === 'parse' ? parseMs(text) : process.memoryUsage());
});
process.channel?.unref();

/** Frees what is garbage by now. */
function collect() {
  v8.setFlagsFromString('--expose-gc');
  vm.runInNewContext('gc')();
}

/** How long `JSON.parse` of a text takes here, milliseconds: a unit that has the speed of the machine and of the process. */
function parseMs(text) {
  const times = Array.from({ length: PARSES }, () => {
    const startedAt = performance.now();
    JSON.parse(text);
    return performance.now() - startedAt;
  });
  return times.sort((one, other) => one - other)[(PARSES - 1) / 2];
}
