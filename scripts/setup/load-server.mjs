// Copied beside the built server as `main.js`: loads it together with the code that V8 compiled of it before.
import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { createRequire, SourceMap } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

const folder = dirname(fileURLToPath(import.meta.url));
const file = join(folder, "server.cjs");
const compiledFile = join(folder, "server.compiled");

/** @param {string} path */
const read = (path) => {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
};

const compiled = read(compiledFile);
// Nothing but ASCII: the build sees to that.
const source = readFileSync(file, "latin1");
const script = new Script(`(function (exports, require, module, __filename, __dirname, __import) {${source}\n})`, {
  filename: file,
  // Of another version of Node.js it is refused, and what was refused is replaced below.
  ...(compiled && { cachedData: compiled }),
});

/** @type {SourceMap | undefined} */
let map;
// Node.js maps the positions of modules only. The map is read with the first error whose stack is.
Error.prepareStackTrace = (error, frames) => {
  try {
    map ??= new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
  } catch {
    // Without it, positions are those in the built file.
  }
  return [String(error), ...frames.map((frame) => `    at ${located(frame)}`)].join("\n");
};

/** @param {NodeJS.CallSite} frame */
function located(frame) {
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
  if (frame.getFileName() !== file || !line || !column) return String(frame);
  const entry = map?.findEntry(line - 1, column - 1);
  // Packages are not mapped line by line.
  if (!entry || !("originalSource" in entry) || entry.originalSource.includes("node_modules")) return String(frame);
  return String(frame).replace(`${file}:${line}:${column}`, () =>
    // From the package's folder, wherever the build was made.
    [entry.originalSource.replace(/^(\.\.\/)+/, ""), entry.originalLine + 1, entry.originalColumn + 1].join(":"),
  );
}

const module = { exports: /** @type {{ started: Promise<void> }} */ ({ started: Promise.resolve() }) };
script.runInThisContext()(
  module.exports,
  createRequire(file),
  module,
  file,
  folder,
  (/** @type {string} */ name) => import(name),
);

await module.exports.started;
if (!compiled || script.cachedDataRejected) {
  // Now it holds what a start runs. Where the folder is read-only, starts stay as they are.
  const fresh = `${compiledFile}.${process.pid}`;
  await writeFile(fresh, script.createCachedData()).then(
    () => rename(fresh, compiledFile),
    () => {},
  );
}
