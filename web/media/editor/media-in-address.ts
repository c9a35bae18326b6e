import { isMediaId } from "../../../shared/story-html.ts";

/** Which photo an address of this app is of: what a photo carries when it is dragged out of a gallery. */
export function mediaInAddress(address: string, origin: string): string | undefined {
  const [first = ""] = address.split(/\r?\n/).filter((line) => !line.startsWith("#"));
  if (!URL.canParse(first)) return undefined;
  const url = new URL(first);
  const id = url.searchParams.get("photo") ?? "";
  return url.origin === origin && isMediaId(id) ? id : undefined;
}
