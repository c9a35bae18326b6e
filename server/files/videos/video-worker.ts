import { parentPort } from "node:worker_threads";
import { type CopiedStreams, copyStreams } from "./copy-streams.ts";
import { readFacts, type VideoFacts } from "./open-video.ts";
import { UnreadableVideoError } from "./video-error.ts";

/** Reads the facts of a video's container, or copies its streams into a new file. */
export type VideoTask = { path: string } & ({ facts: { type: string } } | { copyTo: string });

export type VideoReply =
  | { facts: Partial<VideoFacts> }
  | { copied: CopiedStreams }
  /** A sign of progress. */
  | { working: true }
  /** `code` is a system error's, e.g. of a full disk; without one the video is the cause. */
  | { failed: string; code?: string };

const reply = (message: VideoReply) => parentPort?.postMessage(message);

parentPort?.on("message", async (task: VideoTask) => {
  try {
    if ("facts" in task) reply({ facts: await readFacts(task.path, task.facts.type) });
    else reply({ copied: await copyStreams(task.path, task.copyTo, () => reply({ working: true })) });
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const reason = error instanceof UnreadableVideoError ? error.reason : message;
    reply({ failed: reason, ...(typeof code === "string" && /^E[A-Z]+$/.test(code) && { code }) });
  }
});
