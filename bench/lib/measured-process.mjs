/** Loaded before a measured script: it replies to the bench's messages, and is otherwise left alone. */
import v8 from 'node:v8';
import vm from 'node:vm';
import { median } from './statistics.ts';

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
  return median(
    Array.from({ length: PARSES }, () => {
      const startedAt = performance.now();
      JSON.parse(text);
      return performance.now() - startedAt;
    }),
  );
}
