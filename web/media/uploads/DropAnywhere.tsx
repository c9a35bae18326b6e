import { ImagePlus } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLatest } from "../../lib/browser/use-latest.ts";
import { isWriting } from "../is-writing.ts";

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** Accepts files dropped anywhere on the page, with an overlay while dragging, and pasted files, e.g. screenshots. */
export function DropAnywhere({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation("media");
  const [over, setOver] = useState(false);
  const take = useLatest(onFiles);

  useEffect(() => {
    // `dragenter` and `dragleave` fire for every element. A depth of 0 means that the pointer has left the page.
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

/** Names of system files in folders with photos. */
const CLUTTER = /^(\.|Thumbs\.db$|ehthumbs\.db$|desktop\.ini$|__MACOSX$|@eaDir$|Icon\r$)/i;

/** Lists that cameras write beside their recordings, e.g. on an AVCHD card, and a phone's notes of its edits. */
const CAMERA_INDEX = /\.(bdmv?|cl?pi|mpls?|tdt|tid|moi|modd|moff|pgi|ctg|aae)$/i;

/** A small picture that a camera writes beside a recording of the same name. */
const THUMBNAIL = /\.thm$/i;

/** The files of a drop or paste, including those in dropped folders. */
export async function droppedFiles(data: DataTransfer): Promise<File[]> {
  // The item list is emptied when the event ends, so the entries are read before the first await.
  const entries = [...data.items].flatMap((item) => (item.kind === "file" ? [item.webkitGetAsEntry()] : []));
  const plain = [...data.files];
  const filesByEntry = await Promise.all(
    entries.map(async (entry, index) => (entry?.isDirectory ? filesOf(entry) : [plain[index]])),
  );
  const files = filesByEntry.flat().filter((file) => file !== undefined);
  return files.length > 0 || entries.some((entry) => entry?.isDirectory) ? files : plain;
}

/** All files in a folder, recursively. Unreadable entries are skipped. */
async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (CLUTTER.test(entry.name) || CAMERA_INDEX.test(entry.name)) return [];
  if (isFile(entry)) return fileOf(entry);
  if (!isDirectory(entry)) return [];
  const reader = entry.createReader();
  const files: File[] = [];
  // `readEntries` returns up to 100 entries per call, and none at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (batch.length === 0) return withoutThumbnails(files);
    const inner = await Promise.all(batch.map(filesOf));
    files.push(...inner.flat());
  }
}

function withoutThumbnails(files: File[]): File[] {
  const stem = ({ name }: File) => name.toLowerCase().replace(/\.[^.]*$/, "");
  const stems = new Set(files.filter(({ name }) => !THUMBNAIL.test(name)).map(stem));
  return files.filter((file) => !THUMBNAIL.test(file.name) || !stems.has(stem(file)));
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File[]>((resolve) =>
    entry.file(
      (file) => resolve([file]),
      () => resolve([]),
    ),
  );

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
