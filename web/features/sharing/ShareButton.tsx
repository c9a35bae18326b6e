import type { Row } from "../../../shared/database.ts";
import { type Shareable, usualRights } from "./links/links.queries.ts";
import { ShareWindow } from "./ShareWindow.tsx";

/** Renders the share button of a memory, which opens its share window. */
export default function ShareButton({ memory }: { memory: Pick<Row<"memories">, "id" | "kind" | "person_name"> }) {
  const of: Shareable = {
    kind: "memory",
    id: memory.id,
    name: memory.person_name,
    usualRights: usualRights(memory.kind),
  };
  return <ShareWindow of={of} />;
}
