export function installPython(folder: string): string | undefined;
