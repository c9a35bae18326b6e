import { parentPort, workerData } from "node:worker_threads";
import decode from "heic-decode";

// One picture a worker: libheif's memory only ever grows, and a picture that breaks it breaks nothing else.
const { width, height, data } = await decode({ buffer: workerData as Uint8Array });
parentPort?.postMessage({ width, height, data: data.buffer }, [data.buffer as ArrayBuffer]);
