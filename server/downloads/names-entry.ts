import { type PhotoEdit, shownPoint } from "../../shared/photo-edit.ts";
import type { Item, ItemName } from "./contents.ts";
import { clockOf } from "./file-names.ts";
import { type SummedEntry, textEntry } from "./manifest.ts";
import { regionsXmp } from "./regions-xmp.ts";

/**
 * The file with the names on a photo or video, beside it: `IMG_1.jpg.xmp`; none without names. Points are those of the file
 * beside it: the original, or a copy as the photo is shown.
 */
export function namesEntry(path: string, item: Item): SummedEntry[] {
  const { object, width, height, names } = item;
  if (names.length === 0) return [];
  const edit = object.edit ?? null;
  const [fileWidth, fileHeight] = edit?.of ?? [width, height];
  const beside =
    object.access === "original"
      ? { names, width: fileWidth, height: fileHeight }
      : { names: names.map((name) => ({ ...name, ...pointOf(name, edit) })), width, height };
  return [textEntry(`${path}.xmp`, clockOf(item), regionsXmp(beside))];
}

/** Where a person is in the photo as shown; no point outside it. */
function pointOf({ x, y }: ItemName, edit: PhotoEdit | null): Pick<ItemName, "x" | "y"> {
  return (x !== null && y !== null && shownPoint({ x, y }, edit)) || { x: null, y: null };
}
