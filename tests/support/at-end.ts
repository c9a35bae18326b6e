import { afterAll, onTestFinished, TestRunner } from "vitest";

/** Calls `stop` at the end of the running test, otherwise of the file. Last in, first out. */
export function atEnd(stop: () => Promise<void>) {
  if (TestRunner.getCurrentTest()) onTestFinished(stop);
  else afterAll(stop);
}
