import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../setup/root.mjs";
import { sources } from "./sources.mjs";

/** Where the texts of slow patterns are short or our own: a folder or file, and the reason. */
const BOUNDED = Object.entries({
  "server/backup/": "settings, and names of our own",
  "server/downloads/file-names.ts": "a name was cut before",
  "server/files/dates/clock-time.ts": "LONGEST_DATE",
  "server/gateways/sms.ts": "a setting",
  "server/http/request-log.ts": "LONGEST_MESSAGE",
  "server/http/security-headers.ts": "the build's own page",
  "server/pages/page-html.ts": "the build's own page",
  "server/pages/web-page.ts": "the build's own page",
  "server/settings/": "settings of the operator",
  "server/supabase/auth/admin-requests.ts": "durations of nine digits",
  "server/supabase/auth/redirects.ts": "a setting",
  "server/supabase/storage/listing.ts": "at most 1024 characters",
  "shared/device-kind.ts": "LONGEST_USER_AGENT",
  "shared/device-name.ts": "LONGEST_USER_AGENT",
  "shared/story-html.ts": "LONGEST_STYLE",
  "shared/typed-address.ts": "LONGEST_TYPED_ADDRESS",
  "shared/typed-addresses.ts": "only in the browser, of the person who pastes",
  "shared/typed-pin.ts": "only in the browser, of the person who pastes",
  "shared/typed-text.ts": "LONGEST_TYPED, or only in the browser",
}).map(([path]) => path);

/** The automaton finds the same each time, unlike the search with random texts. */
const OPTIONS = /** @type {const} */ ({ checker: "automaton", timeout: 60_000 });

/**
 * Checks that the server's patterns take linear time: one stranger could stop it for everybody with a long text. It does
 * not see patterns that are put together while the server runs.
 */
export async function slowPatterns() {
  const { checkSync } = await import("recheck");
  const wrong = [];
  let count = 0;
  for (const folder of ["server", "shared"]) {
    for (const path of sources(/(?<!\.test)\.tsx?$/, folder)) {
      if (BOUNDED.some((bounded) => path.startsWith(bounded))) continue;
      for (const { line, pattern, flags } of patternsIn(await readFile(join(root, path), "utf8"))) {
        count += 1;
        const verdict = checkSync(pattern, flags, OPTIONS);
        if (verdict.status === "vulnerable")
          wrong.push(`  ${path}:${line}: ${verdict.complexity.summary}: /${pattern}/`);
      }
    }
  }
  return { wrong: wrong.join("\n"), note: `${count} patterns` };
}

/** @param {string} text */
function patternsIn(text) {
  const source = ts.createSourceFile("file.tsx", text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  /** @type {{ line: number, pattern: string, flags: string }[]} */
  const patterns = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      patterns.push({ line, pattern: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return patterns;
}
