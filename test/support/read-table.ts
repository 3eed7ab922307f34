/** The rows of the Markdown table whose head begins with these cells; cells without backquotes. */
export function readTable(page: string, ...head: string[]): string[][] {
  const lines = page.split('\n').map((line) => line.replace(/ +/g, ' '));
  const from = lines.findIndex((line) => line.startsWith(`| ${head.join(' | ')} |`));
  const rest = lines.slice(from + 2);
  const rows = rest.slice(
    0,
    rest.findIndex((line) => !line.startsWith('|')),
  );
  return rows.map((row) => {
    const cells = row.replaceAll('`', '').slice(2, -2).split(' | ');
    return cells.map((cell) => cell.trim());
  });
}
