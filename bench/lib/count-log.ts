/** Keeps what is logged from the screen and counts its bytes. */
export function countLog() {
  const write = process.stdout.write;
  let bytes = 0;
  process.stdout.write = (line: string | Uint8Array) => {
    bytes += Buffer.byteLength(line);
    return true;
  };
  return {
    /** Since this was last asked. */
    take(): number {
      const taken = bytes;
      bytes = 0;
      return taken;
    },
    stop(): void {
      process.stdout.write = write;
    },
  };
}
