import { test } from "../../support/engines/firefox.ts";
import { declareWalks } from "../../support/engines/walks.ts";

test.use({ serviceWorkers: "allow" });

declareWalks(test, "Firefox");
