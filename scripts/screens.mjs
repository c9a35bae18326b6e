import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { endTogether, run } from "./setup/processes.mjs";
import { prepare } from "./setup/ready.mjs";
import { root } from "./setup/root.mjs";

/**
 * `npm run screens [WORDS]`: photographs every screen in every state, at three widths, in both themes and languages,
 * and writes a page with all pictures. WORDS select areas by title; the pattern `SCREENS_ONLY` selects states by
 * `ROUTE, STATE`.
 */
const folder = join(root, "test-results/screens");
const DESK = "admin--as-it-opens--1440-light-en.webp";
/** The height of the desk's picture, down to the first plots. */
const DESK_SHOWN = 1450;

endTogether();
await prepare();
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const filter = process.argv.slice(2).join(" ");
const chosen = filter ? ["-g", filter] : ["-g", "everybody can use"];
const { code } = await run(
  process.execPath,
  [
    join(root, "node_modules/@playwright/test/cli.js"),
    "test",
    "tests/e2e/screens.test.ts",
    "--output",
    ".cache/screens",
    ...chosen,
  ],
  { env: { ...process.env, SCREENS_FOLDER: folder } },
);
const sheet = join(folder, "index.html");
const pictures = (await readdir(folder)).filter((name) => name.endsWith(".webp")).sort();
await writeFile(sheet, sheetOf(pictures));
// The demonstration, source of the other pictures, has no desk.
if (pictures.includes(DESK)) {
  const { default: sharp } = await import("sharp");
  const top = await sharp(join(folder, DESK)).extract({ left: 0, top: 0, width: 1440, height: DESK_SHOWN }).toBuffer();
  await sharp(top).resize({ width: 1080 }).webp({ quality: 74 }).toFile(join(root, "docs/screens/desk.webp"));
}
console.log(`The sheet is ${relative(process.cwd(), sheet)}.`);
process.exitCode = code ?? 1;

/**
 * A page with a row of pictures for each state.
 * @param {string[]} names of the pictures, as tests/support/screens/sheet.ts writes them
 */
function sheetOf(names) {
  /** @type {Map<string, string[]>} */
  const rows = new Map();
  for (const name of names) {
    const title = name.split("--").slice(0, 2).join(" · ").replaceAll("-", " ");
    rows.set(title, [...(rows.get(title) ?? []), name]);
  }
  const body = [...rows].map(
    ([title, pictures]) =>
      `<h2>${title}</h2><div>${pictures.map((name) => `<a href="${name}"><img loading="lazy" src="${name}" alt="${name}"></a>`).join("")}</div>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>body{font:1rem system-ui;margin:2rem;background:#ddd}div{display:flex;gap:1rem;overflow-x:auto;align-items:start}img{height:24rem;background:#fff}</style>
<h1>${rows.size} states</h1>${body.join("\n")}`;
}
