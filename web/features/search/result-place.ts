import type { To } from "react-router";
import { paths, peopleSearch } from "../../paths.ts";
import type { SearchResult } from "./search.queries.ts";

/** The address of a result on the page of its memory, for a search within that page. */
export function placeInMemory({ kind, id, photo_id, picture }: SearchResult): To {
  const photo = photo_id ? `?photo=${encodeURIComponent(photo_id)}` : "";
  if (kind === "photo" || kind === "file") return { search: picture?.on_back ? `${photo}&side=back` : photo };
  if (kind === "comment") return { search: photo, hash: `#comment-${encodeURIComponent(id)}` };
  if (kind === "person") return { search: peopleSearch([id]), hash: "#photos" };
  if (kind === "memory") return { search: "", hash: "#story" };
  return { search: "", hash: `#${kind}-${encodeURIComponent(id)}` };
}

/** The address of a result: the memory or album, or the place in the memory. */
export function placeOf(result: SearchResult): string {
  const { kind, id, memory_id, photo_id, picture } = result;
  if (kind === "album" || memory_id === null) return paths.album(id);
  if (kind === "photo" && picture?.on_back) return paths.back(memory_id, id);
  if (kind === "photo" || kind === "file") return paths.photo(memory_id, id);
  if (kind === "comment") return paths.comment(memory_id, id, photo_id ?? undefined);
  if (kind === "person") return paths.person(memory_id, id);
  if (kind === "story") return paths.story(memory_id, id);
  if (kind === "moment") return paths.moment(memory_id, id);
  return paths.memory(memory_id);
}
