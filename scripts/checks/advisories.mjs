import { run } from "../setup/processes.mjs";

/** Severities that fail the check. */
const SERIOUS = ["high", "critical"];

/** Checks that the server's packages have no serious advisory. If the registry has no report, only prints a note. */
export async function advisories() {
  const { output } = await run(
    "npm",
    ["audit", "--omit=dev", "--json", "--fetch-retries=0", "--fetch-timeout=20000", "--loglevel=silent"],
    { quiet: true, minutes: 1 },
  );
  const report = reportIn(output);
  if (!report) return { wrong: "", note: "the registry serves none" };
  const serious = Object.entries(report).filter(([, { severity }]) => SERIOUS.includes(severity));
  return { wrong: serious.map(([name, { severity, range }]) => `  ${name} ${range}: ${severity}`).join("\n") };
}

/**
 * @param {string} output
 * @returns {Record<string, { severity: string, range: string }> | undefined} by package; undefined without a report
 */
function reportIn(output) {
  try {
    return JSON.parse(output.slice(output.indexOf("{"))).vulnerabilities;
  } catch {
    return undefined;
  }
}
