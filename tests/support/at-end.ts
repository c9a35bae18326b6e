import { afterAll, onTestFinished, TestRunner } from "vitest";

/** Calls `stop` when what is under way ends: the test where one runs, else the file. Last in, first out. */
export function atEnd(stop: () => Promise<void>) {
  if (TestRunner.getCurrentTest()) onTestFinished(stop);
  else afterAll(stop);
}
