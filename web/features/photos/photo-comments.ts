import type { ComponentType } from "react";
import type { Photo } from "../../data/media.queries.ts";
import type { MemoryContext } from "../../data/memory-context.ts";

interface OpenPhoto extends MemoryContext {
  photo: Photo;
}

/** The comments on an open photo, handed in by the page: a button for the lightbox's bar, and the panel that it opens. */
export interface PhotoComments {
  Button: ComponentType<OpenPhoto & { open: boolean; onToggle: () => void; className: string }>;
  Panel: ComponentType<OpenPhoto & { onClose: () => void }>;
}
