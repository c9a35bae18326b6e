import { type ComponentType, createContext, useContext } from "react";
import { Outlet } from "react-router";
import type { SupabaseClient } from "../../lib/database-client.ts";
import type { Photo } from "../media/media.queries.ts";
import type { Memory, MemoryRights } from "./memories.queries.ts";

/** What stands in a place of a memory's page is handed. */
export interface MemoryPlace {
  /** Reads as whoever looks at the page: the signed-in person, or the holder of a link. */
  client: SupabaseClient;
  memory: Memory;
  rights: MemoryRights;
}

/** Something of another feature on a memory's page. */
export interface PlaceContent {
  Content: ComponentType<MemoryPlace>;
  /** Whether it has anything to show there; known before it is loaded, so that no place is kept for nothing. */
  shows?: (place: Omit<MemoryPlace, "client">) => boolean;
}

/**
 * The places that a memory's page leaves to other features, which know nothing of each other: the routes say what stands
 * where. `besidePhotos` is a column of its own on wide screens and stands under the photos on narrow ones.
 */
export type PlaceName = "underName" | "underHead" | "abovePhotos" | "besidePhotos" | "atEnd";

/** What stands with an open photo is handed. */
export interface PhotoPlace extends MemoryPlace {
  photo: Photo;
}

/** What another feature has to say of the photo that is open: a button in its bar, and what that opens beside it. */
export interface PhotoTalk {
  Button: ComponentType<PhotoPlace & { open: boolean; onToggle: () => void; className: string }>;
  Panel: ComponentType<PhotoPlace & { onClose: () => void }>;
}

/** What stands under the page of a link that only takes is handed: of the memory no more than such a link tells. */
export interface TakingPlace {
  client: SupabaseClient;
  memory: { id: string };
  rights: { keep: boolean };
}

export type MemoryPlaces = Partial<Record<PlaceName, PlaceContent[]>> & {
  photoTalk?: PhotoTalk;
  underTaking?: ComponentType<TakingPlace>;
};

const PlacesContext = createContext<MemoryPlaces>({});

/** A route around the pages of memories that fills their places. */
export const withPlaces = (places: MemoryPlaces) => () => (
  <PlacesContext.Provider value={places}>
    <Outlet />
  </PlacesContext.Provider>
);

/** What stands in a place of this page, as elements that may suspend; none where there is nothing to show. */
export function usePlace(name: PlaceName, place: MemoryPlace) {
  const contents = useContext(PlacesContext)[name] ?? [];
  return contents
    .filter(({ shows }) => shows?.(place) ?? true)
    .map(({ Content }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: what stands in a place is written down once, in the routes
      <Content key={index} {...place} />
    ));
}

/** What another feature has to say of an open photo; undefined where none has. */
export const usePhotoTalk = (): PhotoTalk | undefined => useContext(PlacesContext).photoTalk;

/** What another feature puts under the page of a link that only takes; undefined where none does. */
export const useUnderTaking = (): ComponentType<TakingPlace> | undefined => useContext(PlacesContext).underTaking;
