import { useMemo } from "react";
import Outbox from "../../actions/outbox/Outbox.tsx";
import { rowsOf } from "../../data/outbox/page-outbox.ts";
import { useOwner } from "../../data/outbox/use-outbox.ts";
import type { OpenedShareContext } from "../../data/shared-link.queries.ts";
import { config } from "../../lib/browser/config.ts";
import { useGuest } from "../../lib/session/guest.ts";
import { guestKey } from "./share-keys.ts";

/** Sends what the visitor of a link has written, and lists what waits. */
export default function LinkOutbox({ share }: { share: OpenedShareContext }) {
  const { guest, holder } = useGuest();
  const owner = useOwner(guest?.id ?? holder ?? undefined);
  const { shareId, client, sender: visitor } = share;
  const sender = useMemo(
    () => ({
      rows: rowsOf(client),
      hasEnded: () =>
        visitor.renew().then(
          () => false,
          () => true,
        ),
      async credentials() {
        const key = guestKey(shareId);
        const { supabaseUrl, supabaseAnonKey: apikey } = config();
        return key && owner ? { owner, supabaseUrl, apikey, by: { shareId, guestKey: key } } : undefined;
      },
    }),
    [client, visitor, shareId, owner],
  );
  return owner ? <Outbox owner={owner} sender={sender} /> : null;
}
