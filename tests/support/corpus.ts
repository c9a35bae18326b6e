import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { LONG } from "./long-tests.ts";

const corpus = new URL("../../../shared/corpus", import.meta.url).pathname;

/**
 * The names and paths of third-party files in these folders of the shared corpus, which is not part of the project.
 * Available in long runs; each kind of file has small fixtures for the others. If there are none, the only entry is the
 * missing folder, so that `test.runIf(available).each(files)` shows a skipped test.
 */
export function corpusFiles(...folders: string[]): { available: boolean; files: [name: string, path: string][] } {
  const paths = folders.map((folder) => join(corpus, folder)).filter((path) => existsSync(path));
  const files = paths.flatMap((path) => readdirSync(path).map((file) => join(path, file)));
  if (files.length === 0) return { available: false, files: folders.map((folder) => [`shared/corpus/${folder}`, ""]) };
  return { available: LONG, files: files.map((path) => [basename(path), path]) };
}
