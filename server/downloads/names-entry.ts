import type { Item } from "./contents.ts";
import { clockOf } from "./file-names.ts";
import { type SummedEntry, textEntry } from "./manifest.ts";
import { regionsXmp } from "./regions-xmp.ts";

/** The file with the names on a photo or video, beside it: `IMG_1.jpg.xmp`; none without names. */
export const namesEntry = (path: string, item: Item): SummedEntry[] =>
  item.names.length > 0 ? [textEntry(`${path}.xmp`, clockOf(item), regionsXmp(item))] : [];
