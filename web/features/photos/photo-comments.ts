import type { ComponentType } from "react";
import type { Photo } from "../../data/media.queries.ts";
import type { MemoryContext } from "../../data/memory-context.ts";

interface OpenPhoto extends MemoryContext {
  photo: Photo;
}

/** Components for comments on the open photo, provided by the page: a button for the lightbox's bar, and a panel. */
export interface PhotoComments {
  Button: ComponentType<OpenPhoto & { open: boolean; onToggle: () => void; className: string }>;
  Panel: ComponentType<OpenPhoto & { onClose: () => void }>;
}
