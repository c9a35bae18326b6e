import { useTranslation } from "react-i18next";
import { typedAddress } from "../../../shared/typed-address.ts";
import type { DayPart } from "../../data/day.queries.ts";
import type { Replier } from "../../data/day-replies.queries.ts";
import type { OpenedShareContext } from "../../data/shared-link.queries.ts";
import { ReplyBox } from "../../features/day/replies/ReplyBox.tsx";
import { signGuest } from "../../features/sharing/guests/sign-guest.ts";
import { guestKey } from "../../features/sharing/share-keys.ts";
import { useGuest } from "../../lib/session/guest.ts";
import { paths } from "../../paths.ts";

interface SharedReplyProps {
  share: OpenedShareContext & { memoryId: string };
  parts: readonly DayPart[];
}

/** The reply of a link's visitor, who needs no account: replying makes them a guest of the link. */
export default function SharedReply({ share, parts }: SharedReplyProps) {
  const { i18n } = useTranslation();
  const { guest, holder } = useGuest();
  const { shareId, client, memoryId, session, onSession } = share;
  const ofAccount: Replier | null = typeof holder === "string" ? { column: "own_id", id: holder } : null;
  const by: Replier | null = guest ? { column: "guest_id", id: guest.id } : ofAccount;
  const asGuest = {
    async sign({ name, email }: { name: string; email: string }) {
      const address = typedAddress(email) || (guest?.email ?? undefined);
      const language = i18n.language.startsWith("it") ? ("it" as const) : ("en" as const);
      // A guest who has given their name for other contributions keeps it.
      onSession(await signGuest(shareId, session.token, { name: guest?.name ?? name, email: address, language }));
    },
    ownLink() {
      const key = guestKey(shareId);
      return key && `${location.origin}${paths.shared(shareId)}#guest=${key}`;
    },
  };
  return (
    <ReplyBox
      client={client}
      memoryId={memoryId}
      parts={parts}
      by={by}
      name={guest?.name ?? ""}
      {...(ofAccount === null && asGuest)}
    />
  );
}
