// Copied to the built server as `main.js`: loads it with V8's code cache of an earlier start.
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
// The build guarantees ASCII.
const source = readFileSync(file, "latin1");
const script = new Script(`(function (exports, require, module, __filename, __dirname, __import) {${source}\n})`, {
  filename: file,
  // V8 rejects the cache of another version; it is replaced below.
  ...(compiled && { cachedData: compiled }),
});

/** @type {SourceMap | undefined} */
let map;
// Node.js maps positions only for modules. The source map is read for the first stack trace.
Error.prepareStackTrace = (error, frames) => {
  try {
    map ??= new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
  } catch {
    // Without the map, positions are those in the built file.
  }
  return [String(error), ...frames.map((frame) => `    at ${located(frame)}`)].join("\n");
};

/** @param {NodeJS.CallSite} frame */
function located(frame) {
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
  if (frame.getFileName() !== file || !line || !column) return String(frame);
  const entry = map?.findEntry(line - 1, column - 1);
  // Packages have no line mapping.
  if (!entry || !("originalSource" in entry) || entry.originalSource.includes("node_modules")) return String(frame);
  return String(frame).replace(`${file}:${line}:${column}`, () =>
    // Relative to the package's folder, wherever it was built.
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
  // The script now contains the code that a start compiles. In a read-only folder nothing is cached.
  const fresh = `${compiledFile}.${process.pid}`;
  await writeFile(fresh, script.createCachedData()).then(
    () => rename(fresh, compiledFile),
    () => {},
  );
}
