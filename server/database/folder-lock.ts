import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Another process has locked the folder. */
export class FolderInUseError extends Error {}

/**
 * Locks `folder` for this process until the returned function is called or the process ends. A bound socket name is
 * released by the kernel at once; a lock file would outlive `kill -9`.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const name = `skies-${createHash("sha256")
    .update(await realpath(folder))
    .digest("hex")
    .slice(0, 32)}`;
  const path = lockPath(name);
  const holder = createServer().unref();
  await new Promise<void>((resolve, reject) => {
    holder.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new FolderInUseError(
              `Another process is using the data folder ${folder}. Stop it, or set DATA_DIR to another folder.`,
            )
          : error,
      ),
    );
    holder.listen({ path }, resolve);
  });
  return () => new Promise((resolve) => holder.close(() => resolve()));
}

/** The socket address for a name that only one process of this machine can bind. */
export function lockPath(name: string): string {
  // A leading NUL means Linux's abstract namespace, which needs no file.
  if (process.platform === "linux") return `\0${name}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name);
}
