import { useState } from "react";
import { useTranslation } from "react-i18next";
import { UploadRow } from "./UploadRow.tsx";
import type { UploadQueue, UploadView } from "./use-uploads.ts";

const ROW_PX = 64;
/** A little more than six rows, so that a cut row tells that there are others. */
const HEIGHT_PX = 400;
const BEYOND = 4;

interface UploadListProps {
  queue: UploadQueue;
  uploads: readonly UploadView[];
  label: string;
}

/** Files on their way, one under the other; of hundreds only those in sight are in the page. */
export function UploadList({ queue, uploads, label }: UploadListProps) {
  const [top, setTop] = useState(0);
  const scrolls = uploads.length * ROW_PX > HEIGHT_PX;
  const from = scrolls
    ? Math.max(0, Math.floor(Math.min(top, uploads.length * ROW_PX - HEIGHT_PX) / ROW_PX) - BEYOND)
    : 0;
  const to = scrolls ? from + Math.ceil(HEIGHT_PX / ROW_PX) + 2 * BEYOND : uploads.length;
  const rows = uploads.slice(from, to);
  const list = (
    <ul style={{ paddingTop: from * ROW_PX, paddingBottom: Math.max(0, uploads.length - to) * ROW_PX }}>
      {rows.map((upload, index) => (
        <li key={upload.id} aria-setsize={uploads.length} aria-posinset={from + index + 1}>
          <UploadRow queue={queue} upload={upload} />
        </li>
      ))}
    </ul>
  );
  const help = <UnsupportedFormats uploads={uploads} />;
  if (!scrolls) {
    return (
      <>
        {list}
        {help}
      </>
    );
  }
  return (
    <>
      <section
        aria-label={label}
        className="-mx-2 overflow-y-auto overscroll-contain px-2"
        style={{ maxHeight: HEIGHT_PX }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too.
        tabIndex={0}
        onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      >
        {list}
      </section>
      {help}
    </>
  );
}

/** What to do about refused files whose format is known, once for each format. */
function UnsupportedFormats({ uploads }: { uploads: readonly UploadView[] }) {
  const { t } = useTranslation("media");
  const formats = new Map(
    uploads.flatMap(({ unsupported }) => (unsupported ? [[unsupported.format, unsupported] as const] : [])),
  );
  return [...formats.values()].map(({ kind, format }) => (
    <p key={format} role="note" className="mt-2 text-sm text-ink-soft">
      {t(`unsupported.${kind}`, { format })}
    </p>
  ));
}
