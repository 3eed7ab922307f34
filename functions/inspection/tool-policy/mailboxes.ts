/** `kim@x.example`, `Kim <kim@x.example>`: the name is no address. */
const MAILBOX =
  /^(?:"?[^"<>()@,;:\\\p{Cc}]{0,100}"?\s*<([^<>()\s@,;:"\p{Cc}]+@[^<>()\s@,;:"\p{Cc}]+)>|([^<>()\s@,;:"\p{Cc}]+@[^<>()\s@,;:"\p{Cc}]+))$/u;

/** The addresses of a text that has nothing else than addresses, with names, parted by commas or semicolons; undefined for any other text. */
export function mailboxesIn(text: string): readonly string[] | undefined {
  if (!text.includes('@')) return undefined;
  const addresses: string[] = [];
  for (const part of text.split(/[,;]/)) {
    const [, named, bare] = MAILBOX.exec(part.trim()) ?? [];
    const address = named ?? bare;
    if (address === undefined) return undefined;
    addresses.push(address);
  }
  return addresses;
}
