/** A part as a client would write it. */
export interface WrittenPart {
  readonly head: string;
  readonly content: string | Uint8Array;
}

export function field(name: string, content: string): WrittenPart {
  return { head: `Content-Disposition: form-data; name="${name}"`, content };
}

export function file(content: string | Uint8Array, filename = 'a.wav', name = 'file', type = 'audio/wav'): WrittenPart {
  const disposition = `Content-Disposition: form-data; name="${name}"; filename="${filename}"`;
  return { head: `${disposition}\r\nContent-Type: ${type}`, content };
}

/** A form, byte by byte as RFC 7578 has it. */
export function writtenForm(parts: readonly WrittenPart[], boundary = 'b'): Buffer {
  const pieces = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}
