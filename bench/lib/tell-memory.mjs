/** Loaded before a script that is measured: it tells its memory when it is asked, and is otherwise left alone. */
process.on('message', (asked) => {
  if (asked === 'memory') process.send(process.memoryUsage());
});
process.channel?.unref();
