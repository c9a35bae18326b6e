import { ShareWindow } from "./ShareWindow.tsx";
import type { Shareable } from "./sharing.queries.ts";

/** Shares the memory in whose page it stands. */
export default function ShareButton({ memory }: { memory: { id: string; person_name: string } }) {
  const of: Shareable = { kind: "memory", id: memory.id, name: memory.person_name };
  return <ShareWindow of={of} />;
}
