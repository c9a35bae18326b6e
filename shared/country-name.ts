/** The name of a country by its code of two capitals (ISO 3166); what is no such code stays as it was written. */
export function countryName(code: string, locale: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames([locale], { type: "region" }).of(code) ?? code;
}
