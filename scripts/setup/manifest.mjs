/**
 * A file of the build, as described by Vite's manifest.
 * @typedef {{ file: string, name?: string, imports?: string[] }} Chunk
 */

/**
 * The chunk of a module, or of this name, and everything it imports statically.
 * @param {string} name
 * @param {Record<string, Chunk>} manifest
 * @param {Set<string>} [files]
 */
export function filesOf(name, manifest, files = new Set()) {
  const chunk = manifest[name] ?? Object.values(manifest).find((chunk) => chunk.name === name);
  if (!chunk) throw new Error(`The build has no chunk of its own for ${name}. Correct the list of pages.`);
  if (files.has(chunk.file)) return files;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) filesOf(imported, manifest, files);
  return files;
}
