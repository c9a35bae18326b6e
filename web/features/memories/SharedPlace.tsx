import { lazy } from "react";
import { useOutletContext } from "react-router";
import type { OpenedShareContext } from "../../data/shared-link.queries.ts";
import { SharedAlbum } from "../albums/SharedAlbum.tsx";
import { SharedMemory } from "./SharedMemory.tsx";

const AddOnly = lazy(() => import("../guests/AddOnly.tsx"));

/** What stands behind a share's door: a memory, or the album that it is one of. */
export default function SharedPlace() {
  const { memoryId, session } = useOutletContext<OpenedShareContext>();
  if (memoryId !== null && session.rights === "upload") return <AddOnly memoryId={memoryId} />;
  if (memoryId !== null) return <SharedMemory key={memoryId} memoryId={memoryId} />;
  return session.albumId !== null ? <SharedAlbum albumId={session.albumId} /> : null;
}
