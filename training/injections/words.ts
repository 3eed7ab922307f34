/** The entries of a slot of short words, written in one line. */
export const words = (line: string): readonly string[] => line.split('|');
