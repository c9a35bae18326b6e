/** Returns the name of a country by its ISO 3166 code of two capitals. Any other text is returned unchanged. */
export function countryName(code: string, locale: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames([locale], { type: "region" }).of(code) ?? code;
}
