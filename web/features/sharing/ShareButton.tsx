import type { Shareable } from "./links/links.queries.ts";
import { ShareWindow } from "./ShareWindow.tsx";

/** Renders the share button of a memory, which opens its share window. */
export default function ShareButton({ memory }: { memory: { id: string; person_name: string } }) {
  const of: Shareable = { kind: "memory", id: memory.id, name: memory.person_name };
  return <ShareWindow of={of} />;
}
