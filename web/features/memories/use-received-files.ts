import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { forgetReceived, receivedFiles } from "../../media/uploads/received-files.ts";

/** Adds the files that another app has shared, if the person came from their page (`/add`). */
export function useReceivedFiles(add: (files: File[]) => Promise<boolean>): void {
  const { state } = useLocation() as { state: { addReceived?: true } | null };
  const isBegun = useRef(false);
  const isWanted = state?.addReceived === true;
  useEffect(() => {
    if (!isWanted || isBegun.current) return;
    isBegun.current = true;
    void (async () => {
      const received = await receivedFiles();
      if (await add(received.map(({ file }) => file))) await forgetReceived(received.map(({ id }) => id));
    })().catch(() => {});
  }, [isWanted, add]);
}
