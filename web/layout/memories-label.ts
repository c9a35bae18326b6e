/** Spec §2: what a person's memories are called; Collections for people whose memories are all events. */
export const memoriesLabel = (memories: readonly { kind: "tribute" | "event" }[]): "memories" | "collections" =>
  memories.length > 0 && memories.every((memory) => memory.kind === "event") ? "collections" : "memories";
