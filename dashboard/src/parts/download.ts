/** Hands the reader a file of these lines, without asking the server for it. */
export function downloadLines(fileName: string, lines: readonly string[]): void {
  const address = URL.createObjectURL(
    new Blob(
      lines.map((line) => `${line}\n`),
      { type: 'application/x-ndjson' },
    ),
  );
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
