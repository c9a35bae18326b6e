import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { readPage, restoreAnswers } from "../../lib/offline/copy-store.ts";
import { goOffline, isUnreachable } from "../../lib/offline/offline-mode.ts";

interface OfflineMemoryProps {
  /** The cache of the copies of the account or link. */
  cacheName: string;
  memoryId: string;
  /** Shown while the copy is being read. */
  waiting: ReactNode;
  /** Shown if the server can be reached. */
  online: ReactNode;
  /** Shown if this device keeps no copy. */
  missing: ReactNode;
  /** The page, which finds its data in the query client. */
  children: ReactNode;
}

/** Renders a memory from its offline copy. */
export default function OfflineMemory(props: OfflineMemoryProps) {
  const { cacheName, memoryId, waiting, online, missing, children } = props;
  const queries = useQueryClient();
  const [copy, setCopy] = useState<"waiting" | "online" | "missing" | "restored">("waiting");
  useEffect(() => {
    let hasLeft = false;
    const restore = async () => {
      if (!(await isUnreachable())) return setCopy("online");
      const page = await readPage(cacheName, memoryId).catch(() => undefined);
      if (hasLeft) return;
      goOffline();
      if (page) restoreAnswers(queries, page);
      setCopy(page ? "restored" : "missing");
    };
    void restore();
    return () => {
      hasLeft = true;
    };
  }, [queries, cacheName, memoryId]);
  return { waiting, online, missing, restored: children }[copy];
}
