import { useTranslation } from "react-i18next";
import type { MemoryUploads } from "../../media/uploads.queries.ts";
import { UploadSummary } from "./UploadSummary.tsx";
import { UploadTile } from "./UploadTile.tsx";

/** Photos on their way into a memory that is there already: gone from here as soon as they are in the gallery. */
export function UploadTray({ uploads: { files, overall, timeLeft } }: { uploads: MemoryUploads }) {
  const { t } = useTranslation("media");
  const open = files.filter((file) => file.state !== "stored");
  return (
    <div className={open.length > 0 ? "grid gap-4 rounded-3xl border border-line bg-raised p-4 sm:p-6" : "sr-only"}>
      <UploadSummary overall={overall} timeLeft={timeLeft} />
      {!overall.busy && overall.failed > 0 && (
        <p aria-hidden className="font-semibold">
          {t("upload.problems", { count: overall.failed })}
        </p>
      )}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-2 sm:gap-3">
        {open.map((upload) => (
          <UploadTile key={upload.id} upload={upload} />
        ))}
      </ul>
    </div>
  );
}
