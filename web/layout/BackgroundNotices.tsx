import "../i18n/namespaces/media.ts";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { ownUploads } from "../media/uploads/queues.ts";
import { paths } from "../paths.ts";
import { Notices, notice } from "../ui/notices.tsx";
import { finishedUploads } from "./finished-uploads.ts";
import { UploadIndicator } from "./UploadIndicator.tsx";

/** Tells a signed-in person on any other page how a memory's files are on their way; its own page shows it by itself. */
export function BackgroundNotices() {
  const { t } = useTranslation(["layout", "media"]);
  const { pathname } = useLocation();
  const uploads = ownUploads().files;
  const last = useRef(uploads.get());
  useEffect(
    () =>
      uploads.subscribe(() => {
        const now = uploads.get();
        for (const { memoryId, stored } of finishedUploads(last.current, now)) {
          if (pathname !== paths.newMemory() && pathname !== paths.memory(memoryId)) {
            notice(t("media:upload.done", { count: stored }));
          }
        }
        last.current = now;
      }),
    [uploads, pathname, t],
  );
  return (
    <>
      <UploadIndicator />
      <Notices label={t("layout:notices")} />
    </>
  );
}
