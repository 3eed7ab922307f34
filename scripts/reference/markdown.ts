/** A Markdown table; `|` in cells is escaped. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

/** Inline code; empty for an empty text. */
export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

/** A page of blocks with empty lines between them. */
export function toPage(...blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
