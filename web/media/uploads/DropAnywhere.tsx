import { ImagePlus } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLatest } from "../../lib/browser/use-latest.ts";
import { droppedFiles } from "./dropped-files.ts";

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** Whether what is pasted is meant for a field, as a story that is being written. */
const isWriting = (target: EventTarget | null) =>
  target instanceof Element && target.closest("input, textarea, [contenteditable=true]") !== null;

/** Takes files dropped anywhere on the page, and shows while they are over it that it does; or pasted, as a screenshot. */
export function DropAnywhere({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation("media");
  const [over, setOver] = useState(false);
  const take = useLatest(onFiles);

  useEffect(() => {
    // Every element entered and left says so; only the outermost counts.
    let depth = 0;
    const listeners: Record<string, (event: DragEvent) => void> = {
      dragenter: () => setOver(++depth > 0),
      dragleave: () => setOver(--depth > 0),
      dragover: (event) => event.preventDefault(),
      drop: (event) => {
        event.preventDefault();
        depth = 0;
        setOver(false);
        if (event.dataTransfer) void droppedFiles(event.dataTransfer).then((files) => take.current(files));
      },
    };
    const bound = Object.entries(listeners).map(([type, listener]) => {
      const onlyFiles = (event: Event) => event instanceof DragEvent && carriesFiles(event) && listener(event);
      window.addEventListener(type, onlyFiles);
      return () => window.removeEventListener(type, onlyFiles);
    });
    const onPaste = (event: ClipboardEvent) => {
      const files = event.clipboardData?.files ?? [];
      if (files.length === 0 || event.defaultPrevented || isWriting(event.target)) return;
      event.preventDefault();
      take.current([...files]);
    };
    window.addEventListener("paste", onPaste);
    return () => {
      for (const unbind of bound) unbind();
      window.removeEventListener("paste", onPaste);
    };
  }, []);

  if (!over) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid place-content-center bg-night/70 p-6 motion-safe:animate-fade-in">
      <div className="grid justify-items-center gap-2 rounded-3xl border-2 border-dashed border-teal bg-night/80 px-12 py-14 text-center text-white">
        <ImagePlus aria-hidden className="size-10 text-teal" />
        <p className="font-serif text-2xl">{t("dropTitle")}</p>
        <p className="text-white/80">{t("dropText")}</p>
      </div>
    </div>
  );
}
