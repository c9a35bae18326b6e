import { afterAll, onTestFinished } from "vitest";
import { getCurrentTest } from "vitest/suite";

/** Calls `stop` when what is under way ends: the test where one runs, else the file. Last in, first out. */
export function atEnd(stop: () => Promise<void>) {
  if (getCurrentTest()) onTestFinished(stop);
  else afterAll(stop);
}
