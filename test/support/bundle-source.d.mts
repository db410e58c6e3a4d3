export function bundleSource(entry: string, file?: string): Promise<string>;
