import type { DayPart } from "../../../data/day.queries.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { useUser } from "../../../lib/session/session.ts";
import { ReplyBox } from "./ReplyBox.tsx";

interface MemberReplyProps {
  client: SupabaseClient;
  memoryId: string;
  parts: readonly DayPart[];
}

/** The reply of a signed-in person. */
export function MemberReply(props: MemberReplyProps) {
  const { id, fullName } = useUser();
  return <ReplyBox {...props} by={{ column: "own_id", id }} name={fullName} />;
}
