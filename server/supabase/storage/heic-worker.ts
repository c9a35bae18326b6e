import { parentPort } from "node:worker_threads";
import decode from "heic-decode";

parentPort?.on("message", async (bytes: Uint8Array) => {
  try {
    const { width, height, data } = await decode({ buffer: bytes });
    parentPort?.postMessage({ width, height, data: data.buffer }, [data.buffer as ArrayBuffer]);
  } catch (error) {
    parentPort?.postMessage({ broken: error instanceof Error ? error.message : String(error) });
  }
});
