const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a cached date format. Creating one takes as long as rendering twenty photos. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}
