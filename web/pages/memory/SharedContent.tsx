import { Suspense } from "react";
import type { OpenSession } from "../../data/share-state.ts";
import type { OpenedShareContext } from "../../data/shared-link.queries.ts";
import { OpenedShare, type OpenedShareProps } from "../../features/sharing/OpenedShare.tsx";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { SharedMemory } from "./SharedMemory.tsx";

// Loaded lazily because most links open one memory.
const SharedAlbum = lazyPart(async () => ({
  default: (await import("../../features/albums/SharedAlbum.tsx")).SharedAlbum,
}));
const UploadOnly = lazyPart(() => import("./UploadOnly.tsx"));
const LinkOutbox = lazyPart(() => import("../../features/sharing/LinkOutbox.tsx"), "nothing");
const SharedPageEnd = lazyPart(() => import("../../features/sharing/SharedPageEnd.tsx"), "nothing");

interface SharedContentProps extends Omit<OpenedShareProps, "children"> {
  session: OpenSession;
}

/** Content of an opened link: a memory, an album, one memory of that album, or the upload-only page. */
export default function SharedContent(props: SharedContentProps) {
  return (
    <>
      <OpenedShare {...props}>
        {(share) => (
          <>
            {contentOf(share)}
            <Suspense>
              <LinkOutbox share={share} />
            </Suspense>
          </>
        )}
      </OpenedShare>
      <Suspense>
        <SharedPageEnd shareId={props.shareId} token={props.token} onForgotten={props.onForgotten} />
      </Suspense>
    </>
  );
}

function contentOf(share: OpenedShareContext) {
  const { memoryId, session } = share;
  if (memoryId === null) {
    return session.albumId === null ? null : <SharedAlbum share={share} albumId={session.albumId} />;
  }
  const memoryShare = { ...share, memoryId };
  if (session.rights !== "upload") return <SharedMemory key={memoryId} share={memoryShare} />;
  return (
    <Suspense>
      <UploadOnly share={memoryShare} />
    </Suspense>
  );
}
