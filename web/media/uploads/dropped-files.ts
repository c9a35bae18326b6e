/** What systems leave in folders beside the photos. */
const CLUTTER = /^(\.|Thumbs\.db$|ehthumbs\.db$|desktop\.ini$|__MACOSX$|@eaDir$|Icon\r$)/i;

/** The files of a drop or a paste, those inside dropped folders included. */
export async function droppedFiles(data: DataTransfer): Promise<File[]> {
  // The list of items is emptied when the event ends, so the entries are taken before anything is waited for.
  const entries = [...data.items].flatMap((item) => (item.kind === "file" ? [item.webkitGetAsEntry()] : []));
  const plain = [...data.files];
  const found = await Promise.all(
    entries.map(async (entry, index) => (entry?.isDirectory ? filesOf(entry) : [plain[index]])),
  );
  const files = found.flat().filter((file) => file !== undefined);
  return files.length > 0 || entries.some((entry) => entry?.isDirectory) ? files : plain;
}

/** The files in a folder and its folders. What can not be read, as a folder that is just being removed, has none. */
async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (CLUTTER.test(entry.name)) return [];
  if (isFile(entry)) return fileOf(entry);
  if (!isDirectory(entry)) return [];
  const reader = entry.createReader();
  const files: File[] = [];
  // A reader gives a hundred entries at a time, and none when it has given all.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (batch.length === 0) return files;
    const inner = await Promise.all(batch.map(filesOf));
    files.push(...inner.flat());
  }
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
