import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { openAccount } from "../../scripts/setup/open-account.mjs";
import { importAccount } from "../../server/downloads/import-account.ts";
import type { ExportedAccount } from "../../shared/account-export.ts";
import { freshFolder } from "./backups.ts";
import type { TestServer } from "./server.ts";

configure({ useWebWorkers: false });

/** Writes a ZIP file with these contents, compressed. Resolves to its path. */
export async function zipOfAccount(
  account: ExportedAccount | string,
  files: Record<string, Uint8Array> = {},
): Promise<string> {
  const text = typeof account === "string" ? account : JSON.stringify(account);
  const zip = new ZipWriter(new Uint8ArrayWriter());
  for (const [path, bytes] of Object.entries({ "account.json": Buffer.from(text), ...files })) {
    await zip.add(`skies-account/${path}`, new Uint8ArrayReader(new Uint8Array(bytes)));
  }
  const path = join(await freshFolder(), "account.zip");
  await writeFile(path, await zip.close());
  return path;
}

/** Imports a ZIP file into the account with this address, like the operator's command. */
export async function importZip(
  server: Pick<TestServer, "db" | "files">,
  path: string,
  { email }: { email: string },
  options?: Parameters<typeof importAccount>[3],
) {
  const opened = await openAccount(path);
  return importAccount(server, email, opened, options).finally(() => opened.close());
}

/** The number of bytes in a server's files, and of the rows that an import writes. */
export async function storedBy(server: Pick<TestServer, "db" | "dataDir">) {
  const folder = join(server.dataDir, "storage");
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => {
      const facts = await stat(join(folder, name)).catch(() => undefined);
      return facts?.isFile() ? facts.size : 0;
    }),
  );
  const { rows } = await server.db.query<{ rows: number }>(
    `select (select count(*) from memories) + (select count(*) from storage.objects) + (select count(*) from comments) as rows`,
  );
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), rows: rows[0]?.rows };
}
