import type { WantedContents } from "../../shared/download.ts";
import { archiveEntries, archiveFiles } from "./archive/archive.tsx";
import { archiveTexts } from "./archive/texts.ts";
import type { Contents } from "./contents.ts";
import { clockOf, placesOf } from "./file-names.ts";
import { type Manifest, type SummedEntry, storedEntry, withChecksums } from "./manifest.ts";
import type { FileToMeasure, Measured } from "./measured-files.ts";
import { namesEntry } from "./names-entry.ts";
import { attachedForm, ownForm, pageForms } from "./own-form.ts";

/** The files of a download, which have to be measured. */
export const filesFor = (contents: Contents, { archive }: WantedContents): FileToMeasure[] =>
  contents.memories.flatMap(({ items }) => [
    ...items.flatMap((item) => [ownForm(item), pageForms(item), attachedForm(item) ?? []].flat()),
    ...(archive ? items.flatMap(archiveFiles) : []),
  ]);

/** The number of photos and videos that are left out because they cannot be copied. */
export const leftOut = (contents: Contents, measured: Measured): number =>
  contents.memories.flatMap(({ items }) => items).filter((item) => measured.get(ownForm(item)) === null).length;

/** Assembles a download of measured files. `today` is a day as `2026-11-20`. */
export function manifestOf(contents: Contents, selection: WantedContents, measured: Measured, today: string): Manifest {
  const places = placesOf(contents);
  const items = contents.memories.flatMap((memory) => memory.items);
  // Dated by the newest item, so that the same photos yield the same file on another day.
  const dated =
    items
      .map(({ created_at }) => created_at)
      .sort()
      .at(-1)
      ?.slice(0, 19) ?? `${today}T00:00:00`;
  const entries = selection.archive
    ? archiveEntries({ contents, measured, places, language: selection.language, today })
    : plainEntries(contents, measured, places);
  return {
    name: `${places.folder}${selection.archive ? ` (${archiveTexts[selection.language].suffix})` : ""}.zip`,
    memories: contents.memories.map(({ id }) => id),
    ...(selection.archive && toldIn(contents)),
    files: items.length - leftOut(contents, measured),
    entries: withChecksums(places.folder, dated, entries),
  };
}

const toldIn = ({ memories }: Contents): Pick<Manifest, "told" | "named"> => ({
  told: memories.flatMap(({ stories, comments }) =>
    [...stories, ...comments.filter(({ body }) => body !== "")].map(({ id }) => id),
  ),
  named: memories.filter(({ names_told }) => names_told).map(({ id }) => id),
});

function plainEntries(contents: Contents, measured: Measured, places: ReturnType<typeof placesOf>): SummedEntry[] {
  return contents.memories.flatMap((memory) => {
    const folder = places.ofMemory(memory);
    return memory.items.flatMap((item) => {
      const form = ownForm(item);
      const file = measured.get(form);
      if (!file) return [];
      const path = `${folder}/${places.name(folder, item, file.type)}`;
      const entries = [storedEntry(path, clockOf(item), form, file), ...namesEntry(path, item)];
      for (const pageForm of pageForms(item)) {
        const page = measured.get(pageForm);
        if (page)
          entries.push(storedEntry(`${folder}/${places.name(folder, item, page.type)}`, clockOf(item), pageForm, page));
      }
      const attached = attachedForm(item);
      const part = attached && measured.get(attached);
      if (attached && part) {
        const name = places.attachedName(folder, item, part.type);
        entries.push(storedEntry(`${folder}/${name}`, clockOf(item), attached, part));
      }
      return entries;
    });
  });
}
