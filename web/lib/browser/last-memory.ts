import { browserStorage } from "./storage.ts";

const KEY = "skies-last-memory";

/** The id of the memory that was opened last in this browser; null if none was since the last sign-out. */
export const lastMemory = () => browserStorage.getItem(KEY);

export const storeLastMemory = (id: string) => void browserStorage.setItem(KEY, id);
