import { readFileSync } from "node:fs";
import type { SettingProblem } from "./production.ts";

const SUFFIX = "_FILE";
/** Settings whose spaces count, because backups were encrypted with them. */
const VERBATIM = new Set(["BACKUP_PASSPHRASE"]);

/**
 * The values of settings: those of the environment, and for `NAME_FILE` the text of that file, as container engines and
 * systemd hand secrets to a process; both without white space around them, which editors and panels add. An empty value
 * counts as unset, because `PORT= npm start` should not fail because of an invalid number.
 */
export function readSettingFiles(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): { values: Record<string, string>; problems: SettingProblem[] } {
  const values = Object.fromEntries(
    Object.entries(environment).flatMap(([name, text]) => {
      const value = text && (VERBATIM.has(name) ? text : text.trim());
      return value ? [[name, value] as const] : [];
    }),
  );
  const problems: SettingProblem[] = [];
  for (const name of names) {
    const path = values[name + SUFFIX];
    if (!path) continue;
    delete values[name + SUFFIX];
    if (values[name]) {
      problems.push({ name: name + SUFFIX, message: `is set together with ${name}: keep one of them` });
      continue;
    }
    const text = VERBATIM.has(name) ? textOf(path) : textOf(path)?.trim();
    if (text) values[name] = text;
    else
      problems.push({
        name: name + SUFFIX,
        message: `names a file that is empty or cannot be read (${path}): the user of the server must be able to read it`,
      });
  }
  return { values, problems };
}

/** The text of a file without its last line break; undefined if it cannot be read. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch {
    return undefined;
  }
}
