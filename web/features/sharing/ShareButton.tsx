import type { ReactNode } from "react";
import type { Row } from "../../../shared/database.ts";
import { type Shareable, usualRights } from "./links/links.queries.ts";
import { ShareWindow } from "./ShareWindow.tsx";

interface ShareButtonProps {
  memory: Pick<Row<"memories">, "id" | "kind" | "person_name">;
  /** The form that invites people by email. */
  invite: ReactNode;
}

/** Renders the share button of a memory, which opens its share window. */
export default function ShareButton({ memory, invite }: ShareButtonProps) {
  const of: Shareable = {
    kind: "memory",
    id: memory.id,
    name: memory.person_name,
    usualRights: usualRights(memory.kind),
  };
  return <ShareWindow of={of} invite={invite} />;
}
