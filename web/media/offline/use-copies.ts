import { useMemo } from "react";
import type { OpenedShareContext } from "../../data/shared-link.queries.ts";
import { copiesOfLink, copiesOfPerson } from "../../lib/offline/copies.ts";
import { useUser } from "../../lib/session/session.ts";
import type { CopyOwner } from "./copy-owner.ts";

/** The offline copies of the signed-in person. */
export function usePersonCopies(): CopyOwner {
  const { id } = useUser();
  return useMemo(() => ({ kind: "member", cacheName: copiesOfPerson(id), id }), [id]);
}

/** The offline copies of an opened link. */
export const useLinkCopies = ({ shareId, session, client }: OpenedShareContext): CopyOwner =>
  useMemo(
    () => ({ kind: "link", cacheName: copiesOfLink(shareId), id: session.linkId, session, shareId, client }),
    [shareId, session, client],
  );
