import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Outlet } from "react-router";
import { type ShareSession, shareClient } from "../../lib/share-client.ts";
import { type OpenedShareContext, stillOpenQuery } from "./sharing.queries.ts";

interface OpenedShareProps extends Omit<ShareSession, "onClosed"> {
  memoryId: string;
  /** Something was refused: it may be that the link does not open any more. */
  onRefused: () => void;
}

/**
 * An opened share. What is read through it is kept in a memory of its own, which goes with it: nothing that the link
 * opened stays behind when it closes, and nothing that somebody signed in here has read is shown in its place.
 */
export default function OpenedShare({ memoryId, token, renew, onRefused }: OpenedShareProps) {
  const [client] = useState(() => shareClient({ token, renew, onClosed: onRefused }));
  const [queries] = useState(() => new QueryClient());
  const context: OpenedShareContext = { client, memoryId, onRefused };
  return (
    <QueryClientProvider client={queries}>
      <Watch {...context} />
      <Outlet context={context} />
    </QueryClientProvider>
  );
}

/** Notices soon, also when nobody touches the page, that the link was closed. */
function Watch({ client, memoryId, onRefused }: OpenedShareContext) {
  const { data: isOpen } = useQuery(stillOpenQuery(client, memoryId));
  useEffect(() => {
    if (isOpen === false) onRefused();
  }, [isOpen, onRefused]);
  return null;
}
