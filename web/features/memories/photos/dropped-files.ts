/** The files of a drop or a paste, those inside dropped folders included. */
export async function droppedFiles(data: DataTransfer): Promise<File[]> {
  // The list of items is emptied when the event ends, so the entries are taken before anything is waited for.
  const entries = [...data.items].flatMap((item) => (item.kind === "file" ? [item.webkitGetAsEntry()] : []));
  const plain = [...data.files];
  const found = await Promise.all(
    entries.map(async (entry, index) => (entry?.isDirectory ? filesOf(entry) : [plain[index]])),
  );
  const files = found.flat().filter((file) => file !== undefined);
  return files.length > 0 ? files : plain;
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.name.startsWith(".")) return [];
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  if (!isDirectory(entry)) return [];
  const reader = entry.createReader();
  const files: File[] = [];
  // A reader gives a hundred entries at a time, and none when it has given all.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return files;
    for (const inner of batch) files.push(...(await filesOf(inner)));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
