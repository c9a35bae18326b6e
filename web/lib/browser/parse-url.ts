/** Parses a URL; undefined for other text. `URL.canParse` and `URL.parse` are younger than the oldest supported browsers. */
export function parseUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}
