/** Loaded before a measured script: it reports its memory on request, and is otherwise left alone. */
import v8 from 'node:v8';
import vm from 'node:vm';

process.on('message', (asked) => {
  if (asked === 'collect') collect();
  if (asked === 'memory' || asked === 'collect') process.send(process.memoryUsage());
});
process.channel?.unref();

/** Frees what is garbage by now. */
function collect() {
  v8.setFlagsFromString('--expose-gc');
  vm.runInNewContext('gc')();
}
