import { parentPort, workerData } from "node:worker_threads";
import { openPglite } from "../server/database/pglite.ts";

/** A database in a thread of its own, which answers each `{ id, text, params }` with `{ id, rows }`. */
const db = await openPglite(String(workerData));

parentPort?.on("message", async ({ id, text, params }: { id: number; text: string; params: unknown[] }) => {
  if (text === "") {
    await db.close();
    parentPort?.close();
    return;
  }
  const { rows } = await db.query(text, params);
  parentPort?.postMessage({ id, rows });
});
parentPort?.postMessage({ id: 0, rows: [] });
