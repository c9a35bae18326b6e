/** Characters that start a formula in spreadsheets. */
const FORMULA = /^[=+\-@\t\r]/;

/** Returns a quoted CSV cell that no spreadsheet reads as a formula. */
export function cell(value: string): string {
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return `"${harmless.replaceAll('"', '""')}"`;
}

/** Returns the lines of a CSV file with these column names. */
export const csvText = (names: readonly string[], rows: readonly (readonly string[])[]): string =>
  // The byte order mark tells spreadsheets that the file is UTF-8.
  `\ufeff${[names, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("")}`;
