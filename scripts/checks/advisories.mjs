import { closureOf, readLockfile } from "../setup/lockfile.mjs";
import { run } from "../setup/processes.mjs";
import { packagesOfServer } from "./production-packages.mjs";

/** Severities that fail the check. */
const SERIOUS = ["high", "critical"];

/**
 * Checks that the server's packages, bundled ones included, have no serious advisory. If the registry has no report, only prints
 * a note.
 */
export async function advisories() {
  const { output } = await run(
    "npm",
    ["audit", "--json", "--fetch-retries=0", "--fetch-timeout=20000", "--loglevel=silent"],
    { quiet: true, minutes: 1 },
  );
  const report = reportIn(output);
  if (!report) return { wrong: "", note: "the registry serves none" };
  const { outside, bundled } = await packagesOfServer();
  const { packages } = readLockfile("package-lock.json");
  const used = new Set([...closureOf(packages, outside.keys()), ...bundled]);
  const serious = Object.entries(report).filter(
    ([, { severity, nodes }]) => SERIOUS.includes(severity) && nodes.some((path) => used.has(path)),
  );
  return { wrong: serious.map(([name, { severity, range }]) => `  ${name} ${range}: ${severity}`).join("\n") };
}

/**
 * @param {string} output
 * @returns {Record<string, { severity: string, range: string, nodes: string[] }> | undefined} by package; undefined without a report
 */
function reportIn(output) {
  try {
    return JSON.parse(output.slice(output.indexOf("{"))).vulnerabilities;
  } catch {
    return undefined;
  }
}
